import * as vscode from 'vscode';
import { modelsWanted } from '../../core/checks/wantedModels.ts';
import { expectationKinds } from '../../core/checks/expectation.ts';
import { caseFields, checksFields } from '../../core/checks/readChecksFile.ts';
import { cellCount } from '../../core/checks/checkResult.ts';
import { mayChat } from '../../core/models/modelAbilities.ts';
import { modelText } from '../../core/models/modelText.ts';
import { modelLabel } from '../../words/modelLabel.ts';
import { modelKey } from '../../core/experiments/experiment.ts';
import { Paced } from '../../shared/paced.ts';
import { DisposableList } from '../platform/disposables.ts';
import { plainLabel } from '../platform/plainLabel.ts';
import { promptFileEnding } from '../prompts/files/promptFiles.ts';
import { commandIds } from '../settings/contributions.ts';
import type { CheckTests } from './checkTests.ts';
import { isChecksFile, type LoadedChecks } from './checksFiles.ts';
import { checksFileEnding, checksPattern } from './checksNames.ts';
import { expectationHelp, fieldHelp } from './checksHelp.ts';
import type { ModelIndex } from '../../core/models/modelIndex.ts';

export interface ChecksEditingDeps {
  readonly models: () => { readonly index: ModelIndex; readonly favorites: readonly string[] };
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
    diagnostics.set(uri, checks === undefined ? undefined : diagnosticsOf(checks));
  };
  const lenses = new Paced(() => lensesChanged.fire(), { leastMs: 300, share: 0.01 }, globalThis);
  own.add({ dispose: () => lenses.stop() });
  own.add(tests.onDidRead(show));
  own.add(tests.onDidChange(() => lenses.soon()));
  for (const { uri } of tests.tree.files) show(uri);
  own.add(
    vscode.languages.registerCodeLensProvider(selector, {
      onDidChangeCodeLenses: lensesChanged.event,
      provideCodeLenses: ({ uri }) => lensesOf(tests, uri),
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

function diagnosticsOf({ text, lineOf, file, cases }: LoadedChecks): vscode.Diagnostic[] {
  const place = (offset: number) => {
    const line = lineOf(offset);
    return new vscode.Position(line, offset - (line === 0 ? 0 : text.lastIndexOf('\n', offset - 1) + 1));
  };
  // A case whose prompt or file can't be read: the file itself has no error.
  const ofCases = cases.flatMap(({ check, messages }) =>
    'fault' in messages && check.notRun === undefined
      ? [{ severity: 'error' as const, message: messages.fault, from: check.from, to: check.from + 1 }]
      : [],
  );
  const severities = {
    error: vscode.DiagnosticSeverity.Error,
    warning: vscode.DiagnosticSeverity.Warning,
    info: vscode.DiagnosticSeverity.Information,
  } as const;
  return [...file.remarks, ...ofCases].map(({ severity, message, from, to }) => {
    const diagnostic = new vscode.Diagnostic(new vscode.Range(place(from), place(to)), message, severities[severity]);
    diagnostic.source = 'Parlance';
    return diagnostic;
  });
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
  const ofCases = checks.cases.flatMap((loaded) => {
    const line = checks.lineOf(loaded.check.from);
    const range = new vscode.Range(line, 0, line, 0);
    const run = {
      command: commandIds.runChecks,
      title: vscode.l10n.t('$(play) Run Check'),
      arguments: [uri, loaded.check.id],
    };
    const results = resultsText(tests, checks, loaded);
    const shown = { command: commandIds.showChecks, title: results, arguments: [uri] };
    const lenses = [new vscode.CodeLens(range, run)];
    return results === '' ? lenses : [...lenses, new vscode.CodeLens(range, shown)];
  });
  return [...all, ...ofCases];
}

/** `3 of 4 models pass`, or the one model's own result. */
function resultsText(tests: CheckTests, checks: LoadedChecks, loaded: LoadedChecks['cases'][number]): string {
  const models = tests.tree.modelsOf(checks, loaded);
  const cells = models.flatMap((model) => tests.cell(checks, loaded, modelKey(model)) ?? []);
  if (cells.length === 0) return '';
  const passed = cells.filter(({ attempts }) => cellCount(attempts).state === 'passed').length;
  const icon = passed === cells.length ? '$(pass)' : passed === 0 ? '$(error)' : '$(warning)';
  return `${icon} ${plainLabel(vscode.l10n.t('{0} of {1} models pass', passed, cells.length))}`;
}

/** Shown above a prompt that has checks. */
function promptLenses(tests: CheckTests, uri: vscode.Uri): vscode.CodeLens[] {
  const checks = tests.tree.files.find(({ promptUri }) => promptUri?.toString() === uri.toString());
  const range = new vscode.Range(0, 0, 0, 0);
  if (checks === undefined) {
    const title = vscode.l10n.t('$(beaker) New Check');
    return [new vscode.CodeLens(range, { command: commandIds.newCheck, title, arguments: [uri] })];
  }
  const title = vscode.l10n.t('$(beaker) Run {0} Checks', checks.cases.length);
  return [new vscode.CodeLens(range, { command: commandIds.runChecks, title, arguments: [checks.uri] })];
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
    const completion = new vscode.CompletionItem(label, kind);
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
  // An item of the list may stand below its key without indentation; a line without either begins the next field.
  const isInside = /^\s*-|^\s+/.test(before);
  const isModels = /^\s*(?:models|judge):/.test(line) || (isInside && keyAbove(document, position) === 'models');
  if (isModels) {
    const listed = index.models.filter(({ model }) => mayChat(model)).map(({ model }) => model.id);
    const texts = [...favorites, ...listed].map((id) => modelText(id));
    return ['favorites', ...new Set(texts)].map((id) => item(id, Value, id));
  }
  const indent = /^(\s*)(?:-\s+)?[\w-]*$/.exec(before)?.[1];
  if (indent === undefined) return [];
  const isCase = indent !== '' || before.trimStart().startsWith('-');
  const inAssert = keyAbove(document, position) === 'assert';
  const names = inAssert ? ['type', 'value', 'threshold', 'weight'] : isCase ? caseFields : checksFields;
  return names.map((name) => item(name, Property, `${name}: `, fieldHelp(name)));
}

/** The nearest field above with less indentation. */
function keyAbove(document: vscode.TextDocument, { line }: vscode.Position): string | undefined {
  const own = /^\s*/.exec(document.lineAt(line).text)?.[0].length ?? 0;
  for (let at = line - 1; at >= 0; at -= 1) {
    const { text } = document.lineAt(at);
    if (text.trim() === '' || indentOf(text) > own || (indentOf(text) === own && own > 0)) continue;
    const key = /^\s*(?:- )?([\w-]+):/.exec(text)?.[1];
    if (key !== undefined) return key;
  }
  return undefined;
}

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
    const found = modelsWanted([wanted], models).map(({ id }) => modelLabel(id));
    const names = found.length === 0 ? vscode.l10n.t('No model fits.') : found.slice(0, 20).join('\n');
    return new vscode.Hover(new vscode.MarkdownString().appendText(names), range);
  }
  const rest = document.lineAt(position).text;
  const kind = expectationKinds.find((each) => each === word.replace(/^not-/, ''));
  const help =
    kind !== undefined && rest.includes('type:')
      ? expectationHelp(kind)
      : isKey(rest, word)
        ? fieldHelp(word)
        : undefined;
  return help === undefined ? undefined : new vscode.Hover(new vscode.MarkdownString().appendText(help), range);
}

function isKey(line: string, word: string): boolean {
  return new RegExp(`^[\\s-]*${word.replace(/[^\w-]/g, '')}:`).test(line);
}

/** Position of the first word, after a dash. */
function indentOf(line: string): number {
  return /^\s*(?:- )?/.exec(line)?.[0].length ?? 0;
}
