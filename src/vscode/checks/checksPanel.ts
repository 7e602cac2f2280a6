import * as vscode from 'vscode';
import { diffLines } from 'diff';
import { type CheckCell, cellCount } from '../../core/checks/checkResult.ts';
import { costOfRuns, tableColumns } from '../../core/checks/checksTable.ts';
import { expectationText } from '../../core/checks/expectationText.ts';
import type {
  ChangedLine,
  CheckCellView,
  CheckDetailView,
  CheckRunView,
  ChecksOrder,
  ChecksView,
} from '../../shared/checks.ts';
import type { ChecksToHost, ChecksToPage } from '../../shared/protocol/checksProtocol.ts';
import type { ChatOptions } from '../../shared/chat.ts';
import type { ModelRef } from '../../shared/modelRef.ts';
import { Paced } from '../../shared/paced.ts';
import type { Experiments } from '../experiments/openExperiments.ts';
import { DisposableSlot } from '../platform/disposables.ts';
import { plainWindow } from '../platform/plainWindow.ts';
import { showPage } from '../platform/pages/pageHtml.ts';
import { type PageLog, PagePort } from '../platform/pages/pagePort.ts';
import { tabIcon } from '../platform/pages/tabIcon.ts';
import { commandIds, panelTypes } from '../settings/contributions.ts';
import { openCheckRequestCommand } from './checksNames.ts';
import type { CheckTests } from './checkTests.ts';
import { leafIdsOf } from './checkTree.ts';
import { checksPath, type LoadedCase, type LoadedChecks } from './checksFiles.ts';
import { checksMessageSchema } from './checksMessage.ts';
import { exportChecks } from './exportChecks.ts';
import { useCheckedModel } from './useCheckedModel.ts';

/** More updates than anyone could follow aren't worth sending, and none is worth slowing the run down. */
const pace = { leastMs: 250, share: 0.01 };

export interface ChecksPanelDeps {
  readonly tests: CheckTests;
  readonly chatDefaults: () => ChatOptions;
  readonly experiments: () => Promise<Experiments>;
  readonly extensionUri: vscode.Uri;
  readonly pageLog: PageLog;
  readonly onError: (error: unknown) => void;
  readonly tell: (error: unknown) => void;
  readonly say: (text: string, button: string, run: () => Promise<void>) => void;
}

/** The tab with the table of results: of one file, or of all. */
export class ChecksPanel implements vscode.Disposable {
  readonly #deps: ChecksPanelDeps;
  readonly #panel = new DisposableSlot<vscode.WebviewPanel>();
  #port: PagePort<ChecksToPage, ChecksToHost> | undefined;
  #uri: vscode.Uri | undefined;
  #order: ChecksOrder = 'cheapest';
  /** The run of Run All, until anything of it is running, and the only file that was shown then. */
  #starting: { readonly uri: vscode.Uri | undefined } | undefined;
  readonly #updates = new Paced(() => this.#update(), pace, globalThis);

  constructor(deps: ChecksPanelDeps) {
    this.#deps = deps;
  }

  /** @param uri the only file to show; all without it */
  show(uri: vscode.Uri | undefined): void {
    this.#uri = uri;
    const open = this.#panel.value;
    if (open !== undefined) {
      open.reveal();
      this.#update();
      return;
    }
    const { extensionUri, pageLog, tests } = this.#deps;
    const title = vscode.l10n.t('Checks');
    const panel = vscode.window.createWebviewPanel(panelTypes.checks, title, vscode.ViewColumn.Active);
    this.#panel.set(panel);
    panel.iconPath = tabIcon(extensionUri, 'checks');
    const port = new PagePort<ChecksToPage, ChecksToHost>(panel.webview, pageLog);
    this.#port = port;
    const changes = vscode.Disposable.from(
      tests.onDidChange(() => this.#updates.soon()),
      tests.onDidRename(({ from, to }) => {
        if (this.#uri?.toString() !== from.toString()) return;
        this.#uri = to;
        this.#updates.soon();
      }),
    );
    port.onMessage(checksMessageSchema, (message) => void this.#take(message).catch(this.#deps.tell));
    panel.onDidDispose(() => {
      changes.dispose();
      this.#updates.stop();
      if (this.#panel.value === panel) this.#panel.set(undefined);
    });
    showPage(panel, { extensionUri }, 'checks');
  }

  dispose(): void {
    this.#updates.stop();
    this.#panel.dispose();
  }

  async #take(message: ChecksToHost): Promise<void> {
    const { tests, chatDefaults } = this.#deps;
    switch (message.type) {
      case 'ready':
        await tests.discovered();
        return this.#update();
      case 'run': {
        // Pressed again before the page had shown that it's running.
        if (this.#isStarting || this.#view().isRunning) return;
        const starting = { uri: this.#uri };
        this.#starting = starting;
        this.#update();
        const items = this.#files().flatMap(({ uri }) => tests.tree.fileItem(uri) ?? []);
        return tests.runItems(items).finally(() => {
          if (this.#starting !== starting) return;
          this.#starting = undefined;
          this.#update();
        });
      }
      case 'stop':
        for (const { uri } of this.#files()) tests.running.stop(uri);
        return;
      case 'newFile':
        await vscode.commands.executeCommand(commandIds.newCheck);
        return;
      case 'showAll':
        this.#uri = undefined;
        return this.#update();
      case 'deleteResults':
        return this.#deleteResults();
      case 'order':
        this.#order = message.order;
        return this.#update();
      case 'useModel': {
        const column = this.#view().columns.find(({ key }) => key === message.key);
        // Only for the files that were run with it. How it does in others is unknown.
        const prompts = this.#files().flatMap((checks) =>
          checks.cases.some((loaded) => tests.results.of(checks, loaded)[message.key] !== undefined)
            ? (checks.promptUri ?? [])
            : [],
        );
        if (column !== undefined) await useCheckedModel(column.model, prompts, this.#deps.say);
        return;
      }
      case 'open': {
        const detail = await this.#detail(message);
        if (detail !== undefined) this.#port?.post({ type: 'detail', detail });
        return;
      }
      case 'showLine': {
        const file = this.#files().find(({ uri }) => uri.toString() === message.uri);
        const line = Math.max(0, message.line - 1);
        const selection = new vscode.Range(line, 0, line, 0);
        if (file !== undefined) await vscode.window.showTextDocument(file.uri, { selection, preview: false });
        return;
      }
      case 'showRequest':
        await vscode.commands.executeCommand(openCheckRequestCommand, message.attempt);
        return;
      case 'export':
        return exportChecks(message.form, this.#view(), this.#files(), { tree: tests.tree, defaults: chatDefaults() });
    }
  }

  async #deleteResults(): Promise<void> {
    const yes = vscode.l10n.t('Delete');
    const question = vscode.l10n.t('Delete the results of these checks?');
    const detail = vscode.l10n.t('Their replies are deleted too. Their requests stay in the request history.');
    if ((await plainWindow.ask(question, { detail }, yes)) !== yes) return;
    // One that was started in the meantime keeps its results: it would write them again.
    const ended = this.#files().filter(({ uri }) => this.#deps.tests.running.started(uri) === undefined);
    await this.#deps.tests.deleteResults(ended.map(({ uri }) => uri));
  }

  #files(): readonly LoadedChecks[] {
    const { tree } = this.#deps.tests;
    if (this.#uri === undefined) return tree.files;
    // Without its file, there's nothing to show or run: nobody asked for all the others.
    const own = tree.file(this.#uri);
    return own === undefined ? [] : [own];
  }

  get #isStarting(): boolean {
    return this.#starting !== undefined && this.#starting.uri === this.#uri;
  }

  #update(): void {
    if (this.#panel.value === undefined) return;
    const view = this.#view();
    if (view.isRunning) this.#starting = undefined;
    this.#port?.post({ type: 'checks', view: { ...view, ...(this.#isStarting && { isStarting: true }) } });
  }

  #view(): ChecksView {
    const { tests } = this.#deps;
    const files = this.#files().map((checks) => {
      const running = tests.running.started(checks.uri);
      const rows = checks.cases.map((loaded) => {
        const listed = tests.tree.modelsOf(checks, loaded);
        return { id: idOf(checks, loaded), loaded, listed, cells: tests.results.of(checks, loaded) };
      });
      return { checks, running, rows };
    });
    const models = new Map<string, ModelRef>();
    // For most files, all cases have the same models.
    for (const listed of new Set(files.flatMap(({ rows }) => rows.map((row) => row.listed))))
      for (const [key, { id }] of listed) models.set(key, id);
    const byId = new Map(files.flatMap(({ rows }) => rows.map((row) => [row.id, row] as const)));
    const cases = Array.from(byId.values(), ({ id, loaded: { check, messages } }) => ({
      id,
      name: check.name,
      ...('fault' in messages && { isFaulty: true as const }),
    }));
    const columns = tableColumns(
      cases,
      Array.from(models, ([key, model]) => ({ key, model })),
      (id, key) => byId.get(id)?.cells[key],
      this.#order,
      (id, key) => byId.get(id)?.listed.has(key) === true,
    );
    const cells = [...byId.values()].flatMap((row) => Object.values(row.cells));
    const waits = files.flatMap(({ checks: { uri } }) => tests.running.waitsUntil(uri) ?? []);
    const repeats = files.map(({ checks: { file } }) => file.repeat);
    return {
      files: files.map(({ checks: { uri }, running, rows }) => ({
        uri: uri.toString(),
        name: checksPath(uri),
        rows: rows.map(({ loaded, listed, cells: found }) => {
          const leafId = leafIdsOf(uri, loaded.check.id);
          return {
            id: loaded.check.id,
            name: loaded.check.name,
            cells: columns.map(({ key }): CheckCellView => {
              const isRunning = running?.has(leafId(key)) === true;
              return cellView(found[key], isRunning, listed.has(key));
            }),
            ...('fault' in loaded.messages && { notRun: loaded.messages.fault }),
          };
        }),
      })),
      columns,
      order: this.#order,
      isRunning: files.some(({ running }) => running !== undefined),
      ...(waits.length > 0 && { waitsUntil: Math.min(...waits) }),
      ...costOfRuns(cells.flatMap(({ attempts }) => attempts)),
      repeat: files.length === 0 ? [1, 1] : [Math.min(...repeats), Math.max(...repeats)],
      ...(this.#uri !== undefined && files.length === 0 && { gone: checksPath(this.#uri) }),
    };
  }

  async #detail(wanted: {
    readonly uri: string;
    readonly caseId: string;
    readonly key: string;
  }): Promise<CheckDetailView | undefined> {
    const { tests, experiments } = this.#deps;
    const checks = this.#files().find(({ uri }) => uri.toString() === wanted.uri);
    const loaded = checks?.cases.find(({ check }) => check.id === wanted.caseId);
    const cell = checks && loaded && tests.results.of(checks, loaded)[wanted.key];
    if (checks === undefined || loaded === undefined || cell === undefined) return undefined;
    const { store } = await experiments();
    const record = await store.open(cell.experiment);
    const replies = new Map(record.log.attempts().map(({ id, end }) => [id, end?.text]));
    const { lineOf } = checks;
    const column = this.#view().columns.find(({ key }) => key === wanted.key);
    return {
      ...wanted,
      file: wanted.uri.split('/').at(-1) ?? '',
      name: loaded.check.name,
      model: column?.model ?? '',
      runs: cell.attempts.map((attempt): CheckRunView => {
        const { totalMs, tokens, cost, isEstimate = false } = attempt;
        const reply = attempt.attempt === '' ? undefined : replies.get(attempt.attempt);
        const [first] = attempt.faults;
        const expectation = first?.expectation === undefined ? undefined : loaded.check.expectations[first.expectation];
        const isExact =
          expectation?.kind === 'equals' && !expectation.isInverse && typeof expectation.value === 'string';
        return {
          state: attempt.state,
          ...(totalMs !== undefined && { totalMs }),
          ...(tokens !== undefined && { tokens }),
          ...(cost !== undefined && { cost }),
          isEstimate,
          faults: attempt.faults.map(({ expectation: at, reason }) => {
            const about = at === undefined ? undefined : loaded.check.expectations[at];
            const text = reason === '' && about !== undefined ? expectationText(about) : reason;
            return { text, line: lineOf((about ?? loaded.check).from) + 1 };
          }),
          ...(reply !== undefined && { reply }),
          ...(reply !== undefined && isExact && { diff: sidesOf(expectation.value, reply) }),
          ...(attempt.attempt !== '' && { attempt: attempt.attempt }),
        };
      }),
    };
  }
}

function idOf({ uri }: LoadedChecks, { check }: LoadedCase): string {
  return JSON.stringify([uri.toString(), check.id]);
}

function cellView(cell: CheckCell | undefined, isRunning: boolean, isListed: boolean): CheckCellView {
  const { state, passed, counted } =
    cell === undefined
      ? { state: isListed ? ('none' as const) : ('unlisted' as const), passed: 0, counted: 0 }
      : cellCount(cell.attempts);
  return { state: isRunning ? 'running' : state, passed, counted };
}

function sidesOf(
  expected: string,
  actual: string,
): { readonly expected: readonly ChangedLine[]; readonly actual: readonly ChangedLine[] } {
  const sides = { expected: [] as ChangedLine[], actual: [] as ChangedLine[] };
  for (const { value, added, removed } of diffLines(expected, actual)) {
    const lines = value.replace(/\n$/, '').split('\n');
    if (!added) sides.expected.push(...lines.map((text) => ({ text, isChanged: removed })));
    if (!removed) sides.actual.push(...lines.map((text) => ({ text, isChanged: added })));
  }
  return sides;
}
