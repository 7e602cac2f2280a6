import * as vscode from 'vscode';
import { pathOf } from '../../attachments/sources/documentContext.ts';
import {
  problemOfChangedCode,
  problemOfLostPlace,
  problemOfRefusedEdit,
} from '../../../core/problems/promptProblems.ts';
import type { Problem } from '../../../shared/problem.ts';
import { Queue } from '../../disk/queue.ts';
import { confirmInsert } from '../../platform/documents/confirmInsert.ts';
import { contextKeys, documentSchemes } from '../../settings/contributions.ts';
import { DisposableList } from '../../platform/disposables.ts';
import type { LateDocuments } from '../../platform/documents/lateDocuments.ts';
import { showDocument } from '../../platform/documents/notebookOf.ts';
import { ChangeThreads } from './changeThreads.ts';
import { type Accepted, isSameChange, type ProposalSession, type ShownChange } from './proposalSession.ts';
import { setContext } from '../../platform/setContext.ts';

export interface ProposalsDeps {
  readonly explain: (problem: Problem, reply: string) => void;
  /** Called when one is opened or closed, with whether any are open. Not called when the window closes. */
  readonly note: (areOpen: boolean) => void;
}

interface Shown {
  readonly session: ProposalSession;
  /** Stops the request while the reply is being written. */
  readonly stop: () => void;
  readonly subscription: vscode.Disposable;
  /** The change to reveal once the diff shows the text that contains it. */
  next?: ShownChange | undefined;
}

type Decision = (shown: Shown, change: ShownChange) => Promise<void>;

/** A change, or its index, or the one at the cursor. */
type Which = ShownChange | number | undefined;

const redrawMs = 50;
// VS Code reads both sides completely, so a large document is updated less often while it's being written.
const charactersPerMs = 5000;

/** The open proposals, each in its own diff, and what a user does with them. */
export class Proposals implements LateDocuments, vscode.Disposable {
  readonly #deps: ProposalsDeps;
  readonly #own = new DisposableList();
  readonly #shown = new Set<Shown>();
  readonly #changed = this.#own.add(new vscode.EventEmitter<vscode.Uri>());
  readonly #threads = this.#own.add(new ChangeThreads());
  readonly onDidChange = this.#changed.event;
  /** Changes are decided one after another: each moves the others. */
  readonly #deciding = new Queue();

  constructor(deps: ProposalsDeps) {
    this.#deps = deps;
    this.#own.add(vscode.window.onDidChangeActiveTextEditor(() => this.#updateContext()));
    this.#own.add(vscode.window.onDidChangeVisibleTextEditors(() => this.#markAll()));
    this.#own.add(
      vscode.workspace.onDidChangeTextDocument(({ document }) => {
        const shown = document.uri.scheme === documentSchemes.proposal ? this.#of(document.uri) : undefined;
        if (shown !== undefined) this.#mark(shown);
      }),
    );
    this.#own.add(vscode.window.tabGroups.onDidChangeTabs(({ closed }) => this.#tabsClosed(closed)));
  }

  provideTextDocumentContent(uri: vscode.Uri): string {
    return this.#of(uri)?.session.text(uri) ?? endedProposal();
  }

  ownText(uri: vscode.Uri): string | undefined {
    return this.#of(uri)?.session.document.getText();
  }

  /** Opens the diff. */
  async show(session: ProposalSession, stop: () => void): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    let { version } = session.document;
    const pauseMs = Math.max(redrawMs, session.document.getText().length / charactersPerMs);
    const redraw = () => {
      timer = undefined;
      this.#changed.fire(session.proposedUri);
      if (session.document.version !== version) this.#changed.fire(session.currentUri);
      version = session.document.version;
      this.#mark(shown);
      this.#updateContext();
    };
    const changes = session.onDidChange(() => (timer ??= setTimeout(redraw, pauseMs)));
    const subscription = {
      dispose: () => {
        changes.dispose();
        clearTimeout(timer);
      },
    };
    const shown: Shown = { session, stop, subscription };
    this.#shown.add(shown);
    this.#deps.note(true);
    const line = session.firstLine;
    await vscode.commands.executeCommand('vscode.diff', session.currentUri, session.proposedUri, session.title, {
      preview: false,
      selection: new vscode.Range(line, 0, line, 0),
    } satisfies vscode.TextDocumentShowOptions);
    // Both sides use its language, even if the name doesn't reveal it.
    for (const document of vscode.workspace.textDocuments) {
      if (this.#of(document.uri)?.session === session && document.languageId !== session.document.languageId) {
        await vscode.languages.setTextDocumentLanguage(document, session.document.languageId);
      }
    }
  }

  /** Stops writing this one, or the one in front. @returns false if it isn't being written, or there's none */
  stop(uri?: vscode.Uri): boolean {
    const shown = this.#active(uri);
    if (shown?.session.state !== 'writing') return false;
    shown.stop();
    return true;
  }

  /** Applies everything that is left, as one undo step. */
  acceptAll(uri?: vscode.Uri): Promise<void> {
    return this.#inTurn(uri, (shown) => this.#acceptAll(shown));
  }

  async #acceptAll(shown: Shown): Promise<void> {
    const { session } = shown;
    if (session.state !== 'ready') return;
    const changes = session.changes();
    let conflicts = session.conflicts();
    if (changes.length > 0) {
      if (!(await confirmInsert(session.added(changes), session.changed(changes)))) return;
      const accepted = await session.accept('all');
      const { end } = accepted;
      conflicts = accepted.conflicts;
      if (end !== 'done') {
        await this.#bringBack(session);
        return this.#failed(session, end);
      }
    }
    // The first problem stays visible.
    this.#conflicting(session, conflicts);
    await this.#close(shown);
  }

  /** Leaves the document unchanged. Also closes a reopened diff whose proposal has ended. */
  async rejectAll(uri?: vscode.Uri): Promise<void> {
    const ended = this.#active(uri) === undefined ? endedTab(uri) : undefined;
    if (ended !== undefined) return void (await vscode.window.tabGroups.close(ended));
    return this.#inTurn(uri, (shown) => this.#close(shown));
  }

  async acceptChange(uri?: vscode.Uri, which?: Which): Promise<void> {
    await this.#withChange(uri, which, async (shown, change) => {
      const { session } = shown;
      if (!(await confirmInsert(session.added([change]), session.changed([change])))) return;
      const { end } = await session.accept(change);
      await this.#bringBack(session);
      if (end !== 'done') this.#failed(session, end);
    });
  }

  async rejectChange(uri?: vscode.Uri, which?: Which): Promise<void> {
    await this.#withChange(uri, which, async ({ session }, change) => session.reject(change));
  }

  /** The change whose button was pressed, from the button's argument. */
  changeOf(given: unknown): ReturnType<ChangeThreads['changeOf']> {
    return this.#threads.changeOf(given);
  }

  /** Closes the diff of a proposal that has nothing to show. Whoever is looking elsewhere by then stays there. */
  async dismiss(session: ProposalSession): Promise<void> {
    for (const shown of this.#shown) {
      if (shown.session === session) await this.#close(shown, { isFollowed: this.#active() === shown });
    }
  }

  dispose(): void {
    for (const { session, subscription } of this.#shown) {
      subscription.dispose();
      session.dispose();
    }
    this.#own.dispose();
  }

  #withChange(uri: vscode.Uri | undefined, which: Which, run: Decision): Promise<void> {
    return this.#inTurn(uri, (shown) => this.#decide(shown, which, run));
  }

  /** Runs a decision after those before it, unless they have closed the proposal. */
  #inTurn(uri: vscode.Uri | undefined, run: (shown: Shown) => Promise<void>): Promise<void> {
    // It's about the one in front now. While an earlier decision is being written, its document might be in front.
    const meant = this.#active(uri);
    return this.#deciding.run(async () => {
      const shown = meant ?? this.#active(uri);
      if (shown !== undefined && this.#shown.has(shown)) await run(shown);
    });
  }

  async #decide(shown: Shown, which: Which, run: Decision): Promise<void> {
    const { session } = shown;
    const changes = session.changes();
    const change = which === undefined ? nearest(changes, session) : found(changes, which);
    if (change === undefined) return;
    await run(shown, change);
    const left = session.changes();
    if (left.length > 0) {
      shown.next = left.find(({ proposedFrom }) => proposedFrom >= change.proposedFrom) ?? left[0];
      return this.#mark(shown);
    }
    this.#conflicting(session, session.conflicts());
    await this.#close(shown);
  }

  /** Applying a change might have brought the document to the front. */
  async #bringBack(session: ProposalSession): Promise<void> {
    const tab = vscode.window.tabGroups.activeTabGroup.activeTab;
    if (tab === undefined || shows(tab, session) || session.changes().length === 0) return;
    await vscode.commands.executeCommand('vscode.diff', session.currentUri, session.proposedUri, session.title, {
      preview: false,
    } satisfies vscode.TextDocumentShowOptions);
  }

  #failed(session: ProposalSession, end: Exclude<Accepted['end'], 'done'>): void {
    if (end === 'changed') return this.#conflicting(session, session.conflicts());
    const name = pathOf(session.document.uri);
    this.#deps.explain(end === 'lost' ? problemOfLostPlace() : problemOfRefusedEdit(name), session.reply());
  }

  #conflicting(session: ProposalSession, lines: readonly string[]): void {
    if (lines.length > 0) this.#deps.explain(problemOfChangedCode(lines.join(', ')), session.reply());
  }

  /** @param options.isFollowed whether the document of the diff gets the focus */
  async #close(shown: Shown, { isFollowed } = { isFollowed: true }): Promise<void> {
    const { session } = shown;
    this.#forget(shown);
    await vscode.window.tabGroups.close(tabsOf(session), !isFollowed);
    if (isFollowed && !session.document.isClosed) await showDocument(session.document);
  }

  #tabsClosed(tabs: readonly vscode.Tab[]): void {
    for (const shown of this.#shown) {
      if (!tabs.some((tab) => shows(tab, shown.session))) continue;
      // Moved to another group, or one of two copies after a split.
      if (tabsOf(shown.session).length > 0) continue;
      this.#forget(shown);
    }
  }

  /** Without its diff, nobody would see the rest of its reply. */
  #forget(shown: Shown): void {
    shown.stop();
    this.#shown.delete(shown);
    this.#deps.note(this.#shown.size > 0);
    shown.subscription.dispose();
    this.#threads.forget(shown.session.proposedUri);
    shown.session.dispose();
    this.#updateContext();
  }

  #of(uri: vscode.Uri): Shown | undefined {
    const key = uri.toString();
    return [...this.#shown].find(
      ({ session }) => key === session.proposedUri.toString() || key === session.currentUri.toString(),
    );
  }

  /**
   * The proposal that a command applies to: the one of its button, which might be closed, otherwise the one in front.
   */
  #active(uri?: vscode.Uri): Shown | undefined {
    if (uri !== undefined) return this.#of(uri);
    const tab = vscode.window.tabGroups.activeTabGroup.activeTab;
    return [...this.#shown].find(({ session }) => tab !== undefined && shows(tab, session));
  }

  #markAll(): void {
    for (const shown of this.#shown) this.#mark(shown);
  }

  /** Waits until the diff shows the current text: with an older one, marks and cursor would be on the wrong lines. */
  #mark(shown: Shown): void {
    const { session } = shown;
    if (session.state !== 'ready') return;
    const key = session.proposedUri.toString();
    for (const editor of vscode.window.visibleTextEditors) {
      if (editor.document.uri.toString() !== key || !isUpToDate(editor.document, session)) continue;
      this.#threads.draw(editor.document, session.changes());
      if (shown.next === undefined) continue;
      goTo(shown.next, editor);
      shown.next = undefined;
    }
  }

  #updateContext(): void {
    const session = this.#active()?.session;
    setContext(contextKeys.proposalReady, session?.state === 'ready');
    setContext(contextKeys.proposalRunning, session?.state === 'writing');
  }
}

function tabsOf(session: ProposalSession): readonly vscode.Tab[] {
  return vscode.window.tabGroups.all.flatMap(({ tabs }) => tabs).filter((tab) => shows(tab, session));
}

function shows({ input }: vscode.Tab, session: ProposalSession): boolean {
  return input instanceof vscode.TabInputTextDiff && input.modified.toString() === session.proposedUri.toString();
}

/** The diff of a proposal with this URI, or the one in front. */
function endedTab(uri: vscode.Uri | undefined): vscode.Tab | undefined {
  const { all, activeTabGroup } = vscode.window.tabGroups;
  const tabs = uri === undefined ? [activeTabGroup.activeTab] : all.flatMap((group) => group.tabs);
  return tabs.find((tab) => {
    if (!(tab?.input instanceof vscode.TabInputTextDiff)) return false;
    const { original, modified } = tab.input;
    if (modified.scheme !== documentSchemes.proposal) return false;
    return uri === undefined || [original, modified].some((side) => side.toString() === uri.toString());
  });
}

function found(changes: readonly ShownChange[], which: NonNullable<Which>): ShownChange | undefined {
  return typeof which === 'number' ? changes[which] : changes.find((change) => isSameChange(change, which));
}

/** The change at the cursor, or the closest one. */
function nearest(changes: readonly ShownChange[], session: ProposalSession): ShownChange | undefined {
  const editor = vscode.window.activeTextEditor;
  const isCurrent = editor?.document.uri.toString() === session.currentUri.toString();
  const line = editor?.selection.active.line ?? 0;
  const distance = (change: ShownChange) => {
    const [from, to] = isCurrent ? [change.from, change.to] : [change.proposedFrom, change.proposedTo];
    return line < from ? from - line : Math.max(0, line - Math.max(from, to - 1));
  };
  return changes.toSorted((one, other) => distance(one) - distance(other))[0];
}

function goTo({ proposedFrom }: ShownChange, editor: vscode.TextEditor): void {
  const line = Math.min(proposedFrom, editor.document.lineCount - 1);
  editor.selection = new vscode.Selection(line, 0, line, 0);
  editor.revealRange(editor.selection, vscode.TextEditorRevealType.InCenterIfOutsideViewport);
}

function isUpToDate(document: vscode.TextDocument, session: ProposalSession): boolean {
  return document.getText().replaceAll('\r\n', '\n') === session.text(session.proposedUri);
}

/** What a reopened diff says instead of a proposal that has ended. */
function endedProposal(): string {
  return vscode.l10n.t(
    'This proposed change is no longer open. To see the reply or run the prompt again, find it in Requests.',
  );
}
