import * as vscode from 'vscode';
import { type CheckableModels, modelsWanted, whyNoModel } from '../../core/checks/wantedModels.ts';
import type { CheckCase, ChecksRemark } from '../../core/checks/checksFile.ts';
import { fieldPlaces } from '../../core/checks/fieldPlaces.ts';
import { expectationKinds } from '../../core/checks/expectation.ts';
import type { Place } from '../../core/checks/locatedYaml.ts';
import { caseFields, checksFields } from '../../core/checks/readChecksFile.ts';
import { type CheckCell, cellCount } from '../../core/checks/checkResult.ts';
import { markdownText } from '../../core/safety/markdownText.ts';
import { mayChat } from '../../core/models/modelAbilities.ts';
import { modelText } from '../../core/models/modelText.ts';
import { promptFileEnding } from '../../core/prompts/promptDefinition.ts';
import { modelLabel } from '../../words/modelLabel.ts';
import { numberText } from '../../words/numberText.ts';
import { Paced } from '../../shared/paced.ts';
import { DisposableList } from '../platform/disposables.ts';
import { remarkDiagnostic } from '../platform/documents/remarkDiagnostic.ts';
import { plainLabel } from '../platform/plainLabel.ts';
import { commandIds } from '../settings/contributions.ts';
import type { CheckTests } from './checkTests.ts';
import { isChecksFile, isOwnFile, type LoadedCase, type LoadedChecks } from './checksFiles.ts';
import { checksFileEnding, checksPattern } from './checksNames.ts';
import { whyNotRun } from './checkMessages.ts';
import { expectationHelp, fieldHelp } from './checksHelp.ts';

export interface ChecksEditingDeps {
  readonly models: () => CheckableModels;
  readonly onError: (error: unknown) => void;
}

const selector: vscode.DocumentSelector = { pattern: checksPattern };
const ownSelector: vscode.DocumentSelector = { pattern: `**/*${checksFileEnding}` };

/**
 * Editor support for checks: errors in place, completion, hover, and a line above each case with its latest results.
 */
export function registerChecksEditing(tests: CheckTests, deps: ChecksEditingDeps): vscode.Disposable {
  const own = new DisposableList();
  const diagnostics = own.add(vscode.languages.createDiagnosticCollection('parlance.checks'));
  const lensesChanged = own.add(new vscode.EventEmitter<void>());
  const show = (uri: vscode.Uri) => {
    const checks = tests.tree.file(uri);
    diagnostics.set(uri, checks === undefined ? undefined : diagnosticsOf(checks, deps.models()));
  };
  /** Those of files that are running: VS Code asks for all lines of a file with each change. */
  const running = new Map<string, { readonly uri: vscode.Uri; readonly lenses: vscode.CodeLens[] }>();
  const caseLenses = (uri: vscode.Uri) => {
    const key = uri.toString();
    const isRunning = tests.running.started(uri) !== undefined;
    const shown = (isRunning ? running.get(key)?.lenses : undefined) ?? lensesOf(tests, uri);
    if (isRunning) running.set(key, { uri, lenses: shown });
    return shown;
  };
  const redraw = () => {
    // Computed here, not when VS Code asks for them, so that the time counts toward the pace.
    const files = [...running.values()].map(({ uri }) => uri);
    running.clear();
    for (const uri of files) caseLenses(uri);
    lensesChanged.fire();
  };
  const lenses = new Paced(redraw, { leastMs: 300, share: 0.005 }, globalThis);
  own.add({ dispose: () => lenses.stop() });
  own.add(tests.onDidRead(show));
  own.add(tests.onDidChange(() => lenses.soon()));
  for (const { uri } of tests.tree.files) show(uri);
  own.add(
    vscode.languages.registerCodeLensProvider(selector, {
      onDidChangeCodeLenses: lensesChanged.event,
      provideCodeLenses: ({ uri }) => caseLenses(uri),
      resolveCodeLens: (lens) => (lens instanceof CaseLens ? lens.resolved() : lens),
    }),
  );
  own.add(
    vscode.languages.registerCodeLensProvider(
      { pattern: `**/*${promptFileEnding}` },
      { onDidChangeCodeLenses: lensesChanged.event, provideCodeLenses: ({ uri }) => promptLenses(tests, uri) },
    ),
  );
  const completion = {
    provideCompletionItems: (document: vscode.TextDocument, position: vscode.Position) =>
      completionsAt(document, position, deps.models()),
  };
  own.add(vscode.languages.registerCompletionItemProvider(ownSelector, completion, ':', ' ', '-'));
  own.add(
    vscode.languages.registerHoverProvider(selector, {
      provideHover: (document, position) => hoverAt(document, position, tests.tree.file(document.uri), deps.models()),
    }),
  );
  own.add(
    vscode.workspace.onDidOpenTextDocument(({ uri }) => {
      if (isChecksFile(uri) && tests.tree.file(uri) === undefined) void tests.refresh(uri);
    }),
  );
  return own;
}

function diagnosticsOf({ text, lineOf, file, cases }: LoadedChecks, known: CheckableModels): vscode.Diagnostic[] {
  const place = (offset: number) => {
    const line = lineOf(offset);
    return new vscode.Position(line, offset - (line === 0 ? 0 : text.lastIndexOf('\n', offset - 1) + 1));
  };
  // A case whose prompt or file can't be read: the file itself has no error.
  const ofCases = cases.flatMap(({ check, messages }) =>
    'fault' in messages && check.notRun === undefined ? [remarkOf(check, messages.fault, messages.at)] : [],
  );
  const ofModels = file.models.flatMap((wanted): readonly ChecksRemark[] => {
    const message = whyNoModel(wanted, known);
    return message === undefined ? [] : [{ severity: 'warning', message, from: wanted.from, to: wanted.to }];
  });
  // All cases might be about the same prompt.
  const remarks = new Map(
    [...file.remarks, ...ofModels, ...ofCases].map((each) => [`${each.from} ${each.message}`, each] as const),
  );
  return Array.from(remarks.values(), (remark) => remarkDiagnostic(remark, place));
}

function remarkOf({ from }: CheckCase, message: string, at: Place = { from, to: from + 1 }): ChecksRemark {
  return { severity: 'error', message, from: at.from, to: at.to };
}

function lensesOf(tests: CheckTests, uri: vscode.Uri): vscode.CodeLens[] {
  const checks = tests.tree.file(uri);
  if (checks === undefined) return [];
  const all = [
    new vscode.CodeLens(new vscode.Range(0, 0, 0, 0), {
      command: commandIds.runChecks,
      title: vscode.l10n.t('$(run-all) Run All Checks'),
      arguments: [uri],
    }),
    new vscode.CodeLens(new vscode.Range(0, 0, 0, 0), {
      command: commandIds.showChecks,
      title: vscode.l10n.t('$(table) Compare Models'),
      arguments: [uri],
    }),
  ];
  const lines = checks.cases.map(({ check }) => checks.lineOf(check.from));
  const ofCases = checks.cases.flatMap((loaded, at) => {
    const line = lines[at] ?? 0;
    // A promptfoo configuration has a case for each prompt in the place of its test.
    const isAlone = lines[at - 1] !== line && lines[at + 1] !== line;
    const range = new vscode.Range(line, 0, line, 0);
    const run = new CaseLens(range, () => runCommand(tests, checks, loaded, isAlone));
    const cells = Object.values(tests.results.of(checks, loaded));
    if (cells.length === 0) return [run];
    const results = () => ({ command: commandIds.showChecks, title: resultsText(cells), arguments: [uri] });
    return [run, new CaseLens(range, results)];
  });
  return [...all, ...ofCases];
}

/** The lens of a case. VS Code asks for its content when it's in view, and few of a thousand are. */
class CaseLens extends vscode.CodeLens {
  readonly #command: () => vscode.Command;

  constructor(range: vscode.Range, command: () => vscode.Command) {
    super(range);
    this.#command = command;
  }

  resolved(): this {
    this.command = this.#command();
    return this;
  }
}

/** @param isAlone false if another case begins in the same line */
function runCommand({ tree }: CheckTests, checks: LoadedChecks, loaded: LoadedCase, isAlone: boolean): vscode.Command {
  const { id, name } = loaded.check;
  const why = whyNotRun(loaded, tree.modelsOf(checks, loaded).size > 0);
  if (why === undefined) {
    const title = isAlone
      ? vscode.l10n.t('$(play) Run Check')
      : `$(play) ${plainLabel(vscode.l10n.t('Run Check: {0}', name))}`;
    return { command: commandIds.runChecks, title, arguments: [checks.uri, id] };
  }
  // Without a command, it's text.
  const words = isAlone ? vscode.l10n.t("Can't run: {0}", why) : vscode.l10n.t("Can't run {0}: {1}", name, why);
  return { command: '', title: `$(circle-slash) ${plainLabel(words)}`, tooltip: why };
}

/** `3 of 4 models pass`, or the one model's own result. */
function resultsText(cells: readonly CheckCell[]): string {
  const counts = cells.map(({ attempts }) => cellCount(attempts));
  const passed = counts.filter(({ state }) => state === 'passed').length;
  const [only] = counts;
  const icon = counts.every(({ state }) => state === 'undecided')
    ? '$(question)'
    : passed === cells.length
      ? '$(pass)'
      : passed > 0 || only?.state === 'flaky'
        ? '$(warning)'
        : '$(error)';
  const words =
    cells.length > 1
      ? vscode.l10n.t('{0} of {1} models pass', passed, cells.length)
      : only === undefined || only.counted === 0
        ? vscode.l10n.t("couldn't run")
        : vscode.l10n.t('{0} of {1} passed', only.passed, only.counted);
  return `${icon} ${plainLabel(words)}`;
}

/** Shown above a prompt that has checks. */
function promptLenses(tests: CheckTests, uri: vscode.Uri): vscode.CodeLens[] {
  if (!isOwnFile(uri)) return [];
  const files = tests.tree.filesFor(uri);
  const range = new vscode.Range(0, 0, 0, 0);
  if (files.length === 0) {
    const title = vscode.l10n.t('$(beaker) New Check');
    return [new vscode.CodeLens(range, { command: commandIds.newCheck, title, arguments: [uri] })];
  }
  const count = files.reduce((sum, { cases }) => sum + cases.length, 0);
  const title =
    count === 1 ? vscode.l10n.t('$(beaker) Run 1 Check') : vscode.l10n.t('$(beaker) Run {0} Checks', numberText(count));
  return [new vscode.CodeLens(range, { command: commandIds.runChecks, title, arguments: [uri] })];
}

function completionsAt(
  document: vscode.TextDocument,
  position: vscode.Position,
  { index, favorites }: ReturnType<ChecksEditingDeps['models']>,
): vscode.CompletionItem[] {
  const line = document.lineAt(position).text;
  const before = line.slice(0, position.character);
  const word = document.getWordRangeAtPosition(position, /[\w./*:@-]+/);
  const item = (label: string, kind: vscode.CompletionItemKind, insert: string, help?: string) => {
    // VS Code draws icons in the list too.
    const completion = new vscode.CompletionItem(plainLabel(label), kind);
    completion.filterText = label;
    completion.insertText = insert;
    if (word !== undefined) completion.range = word;
    if (help !== undefined) completion.documentation = help;
    return completion;
  };
  const { EnumMember, Property, Value } = vscode.CompletionItemKind;
  if (/\btype:\s*\S*$/.test(before)) {
    return expectationKinds.flatMap((kind) => [
      item(kind, EnumMember, kind, expectationHelp(kind)),
      item(`not-${kind}`, EnumMember, `not-${kind}`, expectationHelp(kind)),
    ]);
  }
  const written = document.getText(new vscode.Range(new vscode.Position(0, 0), position));
  const places = fieldPlaces(written.split(/\r?\n/));
  const isModels = /^\s*(?:models|judge):/.test(line) || places.some(({ parent }) => parent === 'models');
  if (isModels) {
    const listed = index.models.filter(({ model }) => mayChat(model)).map(({ model }) => model.id);
    const texts = [...favorites, ...listed].map((id) => modelText(id));
    return ['favorites', ...new Set(texts)].map((id) => item(id, Value, yamlText(id)));
  }
  if (/\brole:\s*\S*$/.test(before)) return roles.map((role) => item(role, EnumMember, role));
  if (!/^\s*(?:-\s+)?[\w-]*$/.test(before)) return [];
  return places.flatMap(({ parent = '', prefix }) =>
    (fields[parent] ?? []).map((name) => item(name, Property, `${prefix}${name}: `, fieldHelp(name))),
  );
}

/** A service could name its model anything: it must stay one value. */
function yamlText(text: string): string {
  return /^[a-z][\w./@+-]*(?::[\w./@+-]+)*$/i.test(text) ? text : JSON.stringify(text);
}

const roles = ['system', 'user', 'assistant'];

/** The fields below each field; without a name, those of the file. */
const fields: Readonly<Record<string, readonly string[]>> = {
  '': checksFields,
  cases: caseFields,
  assert: ['type', 'value', 'threshold', 'weight', 'provider'],
  messages: ['role', 'content'],
};

function hoverAt(
  document: vscode.TextDocument,
  position: vscode.Position,
  checks: LoadedChecks | undefined,
  models: ReturnType<ChecksEditingDeps['models']>,
): vscode.Hover | undefined {
  const range = document.getWordRangeAtPosition(position, /[\w./*@-]+/);
  if (range === undefined) return undefined;
  const word = document.getText(range);
  const offset = document.offsetAt(position);
  const wanted = checks?.file.models.find(({ from, to }) => offset >= from && offset <= to);
  if (wanted !== undefined) {
    const found = modelsWanted([wanted], models).slice(0, 20);
    const none = whyNoModel(wanted, models) ?? vscode.l10n.t('No model matches.');
    const lines = found.length === 0 ? [none] : found.map(({ id }) => modelLabel(id));
    return new vscode.Hover(new vscode.MarkdownString(lines.map((line) => markdownText(line)).join('\n\n')), range);
  }
  const rest = document.lineAt(position).text;
  const kind = expectationKinds.find((each) => each === word.replace(/^not-/, ''));
  const help =
    kind !== undefined && rest.includes('type:')
      ? expectationHelp(kind)
      : startsWithKey(rest, word)
        ? fieldHelp(word)
        : undefined;
  return help === undefined ? undefined : new vscode.Hover(new vscode.MarkdownString().appendText(help), range);
}

function startsWithKey(line: string, word: string): boolean {
  return new RegExp(`^[\\s-]*${word.replace(/[^\w-]/g, '')}:`).test(line);
}
