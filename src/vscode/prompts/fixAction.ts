import * as vscode from 'vscode';
import { commandIds, documentSchemes } from '../settings/contributions.ts';
import { numberText } from '../../words/numberText.ts';

// Enough lines to see the error, few enough for a readable diff.
const maxBlockLines = 80;
const linesAround = 10;

/** The command that the action runs. Internal, so the manifest doesn't list it. */
export const fixDiagnosticCommand = 'parlance.internal.fixDiagnostic';

/** Offers "Fix with Parlance" on each diagnostic, and on selected code. Nothing is sent until it's selected. */
export function registerFixAction(): vscode.Disposable {
  return vscode.languages.registerCodeActionsProvider(
    { pattern: '**' },
    {
      provideCodeActions: (document, range, { diagnostics, triggerKind }) => {
        if (document.uri.scheme === 'output' || document.uri.scheme === documentSchemes.proposal) return [];
        if (diagnostics.length > 0) return [fixOf(document, diagnostics)];
        // Only where the user opens the list: a light bulb at every selection would be too much.
        const isAsked = triggerKind === vscode.CodeActionTriggerKind.Invoke;
        return isAsked && !range.isEmpty ? [fixOfSelection()] : [];
      },
    },
    { providedCodeActionKinds: [vscode.CodeActionKind.QuickFix] },
  );
}

function fixOf(document: vscode.TextDocument, diagnostics: readonly vscode.Diagnostic[]): vscode.CodeAction {
  const title =
    diagnostics.length === 1
      ? vscode.l10n.t('Fix with Parlance')
      : vscode.l10n.t('Fix {0} Problems with Parlance', numberText(diagnostics.length));
  const action = new vscode.CodeAction(title, vscode.CodeActionKind.QuickFix);
  action.diagnostics = [...diagnostics];
  action.command = { command: fixDiagnosticCommand, title, arguments: [document.uri, [...diagnostics]] };
  return action;
}

function fixOfSelection(): vscode.CodeAction {
  const title = vscode.l10n.t('Fix with Parlance');
  const action = new vscode.CodeAction(title, vscode.CodeActionKind.QuickFix);
  action.command = { command: commandIds.fixSelection, title };
  return action;
}

/** The lines to fix: the smallest function or similar around the diagnostics, otherwise some lines on both sides. */
export async function linesToFix(uri: vscode.Uri, diagnostics: readonly vscode.Diagnostic[]): Promise<vscode.Range> {
  const { symbolsAround } = await import('./offerBlock.ts');
  const document = await vscode.workspace.openTextDocument(uri);
  const first = Math.min(...diagnostics.map(({ range }) => range.start.line));
  const last = Math.max(...diagnostics.map(({ range }) => range.end.line));
  const symbols = await symbolsAround(document, new vscode.Position(Math.min(first, document.lineCount - 1), 0));
  // The inner ones come last. A paragraph doesn't count: it can be one line, or a whole file.
  const block = symbols.findLast(({ range }) => {
    const isAround = range.start.line <= first && range.end.line >= last;
    const lines = range.end.line - range.start.line + 1;
    return isAround && lines >= 3 && lines <= maxBlockLines;
  });
  if (block !== undefined) return block.range;
  const end = Math.min(document.lineCount - 1, last + linesAround);
  return new vscode.Range(Math.max(0, first - linesAround), 0, end, document.lineAt(end).text.length);
}
