import * as vscode from 'vscode';
import { promptFileEnding } from '../../../core/prompts/promptDefinition.ts';
import { commandIds } from '../../settings/contributions.ts';
import { DisposableList } from '../../platform/disposables.ts';

const selector: vscode.DocumentSelector = { pattern: `**/*${promptFileEnding}` };
const pauseMs = 300;

/**
 * Editor support for prompt files: Run above them, and their errors as diagnostics. Nothing is read before the folder
 * is trusted: this runs because a file is open, and its author is unknown.
 */
export function registerPromptFileEditing(onUnexpected: (error: unknown) => void): vscode.Disposable {
  const own = new DisposableList();
  own.add(vscode.languages.registerCodeLensProvider(selector, { provideCodeLenses }));
  let diagnostics: vscode.DiagnosticCollection | undefined;
  const timers = new Map<vscode.TextDocument, NodeJS.Timeout>();
  const show = async (document: vscode.TextDocument) => {
    const { promptRemarks } = await import('./promptRemarks.ts');
    const found = await promptRemarks(document);
    if (document.isClosed || own.disposed) return;
    diagnostics ??= own.add(vscode.languages.createDiagnosticCollection('parlance.prompts'));
    diagnostics.set(document.uri, found);
  };
  const check = (document: vscode.TextDocument, delayMs: number) => {
    if (!vscode.workspace.isTrusted || vscode.languages.match(selector, document) === 0 || !isOfUser(document)) return;
    clearTimeout(timers.get(document));
    const run = () => {
      timers.delete(document);
      show(document).catch(onUnexpected);
    };
    timers.set(document, setTimeout(run, delayMs));
  };
  own.add(vscode.workspace.onDidOpenTextDocument((document) => check(document, 0)));
  own.add(vscode.workspace.onDidChangeTextDocument(({ document }) => check(document, pauseMs)));
  own.add(
    vscode.workspace.onDidCloseTextDocument((document) => {
      clearTimeout(timers.get(document));
      timers.delete(document);
      diagnostics?.delete(document.uri);
    }),
  );
  own.add({
    dispose: () => {
      for (const timer of timers.values()) clearTimeout(timer);
    },
  });
  const checkAll = () => {
    for (const document of vscode.workspace.textDocuments) check(document, 0);
  };
  own.add(vscode.workspace.onDidGrantWorkspaceTrust(checkAll));
  checkAll();
  return own;
}

/** Not an earlier version in a diff, nor a proposed one: their mistakes would be listed as the file's. */
function isOfUser({ uri: { scheme } }: vscode.TextDocument): boolean {
  return scheme === 'untitled' || vscode.workspace.fs.isWritableFileSystem(scheme) === true;
}

function provideCodeLenses(document: vscode.TextDocument): vscode.CodeLens[] {
  const command = {
    command: commandIds.runPromptFile,
    title: vscode.l10n.t('$(play) Run with Parlance'),
    tooltip: vscode.l10n.t('Run this prompt on the selection in the other editor'),
    arguments: [document.uri],
  };
  return [new vscode.CodeLens(new vscode.Range(0, 0, 0, 0), command)];
}
