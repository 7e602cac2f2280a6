import * as vscode from 'vscode';
import { problemOfNothingToAdd } from '../../../core/problems/attachmentProblems.ts';
import { contextBlock } from '../../../core/chat/contextBlock.ts';
import type { ShownItem } from '../../platform/plainItems.ts';
import type { Taken } from '../contextSnapshot.ts';
import { maySend } from '../secretFile.ts';
import { linesOf, lineWords, nameOf, pathOf } from './documentContext.ts';
import { plainWindow } from '../../platform/plainWindow.ts';

interface SymbolRow extends ShownItem {
  readonly range: vscode.Range;
  readonly symbol: string;
}

/**
 * The whole code of a function, class, or other symbol of a document, selected from a list. Asks first if the document
 * might contain secrets.
 */
export async function symbolContext(document: vscode.TextDocument | undefined): Promise<Taken> {
  if (document !== undefined && !(await maySend(document.uri))) return undefined;
  const rows = document === undefined ? [] : await symbolRows(document);
  if (document === undefined || rows.length === 0) return problemOfNothingToAdd('symbols');
  const row = await plainWindow.showQuickPick(rows, {
    title: vscode.l10n.t('Add a Symbol from {0}', nameOf(document.uri)),
    matchOnDescription: true,
  });
  if (row === undefined) return undefined;
  const lines = linesOf(row.range);
  const path = pathOf(document.uri);
  return {
    kind: 'symbol',
    name: row.symbol,
    detail: `${row.symbol} · ${path}:${lines}`,
    block: contextBlock({
      heading: `Symbol: ${row.symbol} in ${path}, ${lineWords(lines)}`,
      language: document.languageId,
      // Whole lines: a symbol's first line would lose its indentation.
      text: document.getText(row.range.with(row.range.start.with({ character: 0 }))),
    }),
  };
}

async function symbolRows(document: vscode.TextDocument): Promise<readonly SymbolRow[]> {
  const found = await vscode.commands.executeCommand<
    readonly (vscode.DocumentSymbol | vscode.SymbolInformation)[] | undefined
  >('vscode.executeDocumentSymbolProvider', document.uri);
  return (found ?? []).flatMap((symbol) => rowsOf(symbol, ''));
}

function rowsOf(symbol: vscode.DocumentSymbol | vscode.SymbolInformation, within: string): readonly SymbolRow[] {
  const range = 'range' in symbol ? symbol.range : symbol.location.range;
  const name = within === '' ? symbol.name : `${within}.${symbol.name}`;
  const icon = `symbol-${vscode.SymbolKind[symbol.kind]?.toLowerCase() ?? 'misc'}`;
  const row = { icon, label: symbol.name, description: within, range, symbol: name };
  return [row, ...('children' in symbol ? symbol.children : []).flatMap((child) => rowsOf(child, name))];
}
