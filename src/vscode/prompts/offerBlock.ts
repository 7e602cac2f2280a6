import * as vscode from 'vscode';
import { DisposableList } from '../platform/disposables.ts';
import { FollowedDocument } from '../platform/documents/followedDocument.ts';
import { LiveRanges } from './run/liveRanges.ts';
import type { PromptSource } from './run/promptSource.ts';
import { within } from '../platform/within.ts';
import { plainWindow } from '../platform/plainWindow.ts';

interface BlockItem extends vscode.QuickPickItem {
  readonly range: vscode.Range;
}

/**
 * Without a selection: offers the block around the cursor, and larger ones. Each is selected in the editor while it's
 * highlighted, so that the user sees what will be sent.
 * @returns undefined if the user cancels, with the cursor where it was; an empty source unchanged.
 */
export async function offerBlock(source: PromptSource, words = wordsOfSending()): Promise<PromptSource | undefined> {
  const { document, editor, cursors } = source;
  const items = await blocksAt(document, cursors[0] ?? new vscode.Position(0, 0));
  const [first] = items;
  if (first === undefined) return source;
  const before = editor?.selections;
  const show = (range: vscode.Range) => {
    if (editor === undefined) return;
    editor.selection = new vscode.Selection(range.start, range.end);
    editor.revealRange(range, vscode.TextEditorRevealType.InCenterIfOutsideViewport);
  };
  const own = new DisposableList();
  const live = own.add(
    new LiveRanges(
      own.add(new FollowedDocument(document)),
      items.map(({ range }) => range),
    ),
  );
  const rangeOf = (item: BlockItem | undefined) => item && live.ranges[items.indexOf(item)];
  const pick = own.add(plainWindow.createQuickPick<BlockItem>());
  const chosen = Promise.withResolvers<vscode.Range | undefined>();
  Object.assign(pick, words);
  pick.items = items;
  pick.activeItems = [first];
  own.add(
    pick.onDidChangeActive(([item]) => {
      const range = rangeOf(item);
      if (range !== undefined) show(range);
    }),
  );
  own.add(pick.onDidAccept(() => chosen.resolve(rangeOf(pick.activeItems[0]))));
  own.add(pick.onDidHide(() => chosen.resolve(undefined)));
  show(first.range);
  pick.show();
  try {
    const range = await chosen.promise;
    if (range === undefined) {
      if (editor !== undefined && before !== undefined) editor.selections = before;
      return undefined;
    }
    show(range);
    return { ...source, ranges: [range] };
  } finally {
    own.dispose();
  }
}

function wordsOfSending(): { readonly title: string; readonly placeholder: string } {
  return {
    title: vscode.l10n.t('Select What to Send'),
    placeholder: vscode.l10n.t('Parlance selects it in the editor and sends it'),
  };
}

/** The paragraph or symbol at this position, the enclosing ones, and the whole document; smallest first. */
export async function blocksAt(
  document: vscode.TextDocument,
  at: vscode.Position,
): Promise<readonly (vscode.QuickPickItem & { readonly range: vscode.Range })[]> {
  if (document.getText().trim() === '') return [];
  const paragraph = paragraphAt(document, at.line);
  const candidates = [
    ...(await symbolsAround(document, at)).map(({ name, range }) => ({ name, range })),
    { name: vscode.l10n.t('Paragraph'), range: paragraph },
    {
      name: vscode.l10n.t('Whole document'),
      range: document.validateRange(new vscode.Range(0, 0, document.lineCount, 0)),
    },
  ];
  const seen = new Set<string>();
  return candidates
    .toSorted((one, other) => size(document, one.range) - size(document, other.range))
    .filter(({ range }) => {
      const key = `${range.start.line}:${lastLine(range)}`;
      return !seen.has(key) && seen.add(key) && !range.isEmpty;
    })
    .map(({ name, range }) => ({
      label: name,
      description:
        range.start.line === lastLine(range)
          ? vscode.l10n.t('line {0}', range.start.line + 1)
          : vscode.l10n.t('lines {0}–{1}', range.start.line + 1, lastLine(range) + 1),
      range,
    }));
}

/** The lines around this one up to blank lines. On a blank line: the paragraph above, which was just written. */
function paragraphAt(document: vscode.TextDocument, line: number): vscode.Range {
  const isBlank = (index: number) => document.lineAt(index).isEmptyOrWhitespace;
  let at = line;
  while (at > 0 && isBlank(at)) at -= 1;
  while (at < document.lineCount - 1 && isBlank(at)) at += 1;
  let [first, last] = [at, at];
  while (first > 0 && !isBlank(first - 1)) first -= 1;
  while (last < document.lineCount - 1 && !isBlank(last + 1)) last += 1;
  return new vscode.Range(first, 0, last, document.lineAt(last).text.length);
}

/** Functions, classes, and similar around this position, as whole lines, outer ones first. */
export async function symbolsAround(
  document: vscode.TextDocument,
  at: vscode.Position,
): Promise<readonly { readonly name: string; readonly range: vscode.Range }[]> {
  const found: { name: string; range: vscode.Range }[] = [];
  const visit = (symbols: readonly vscode.DocumentSymbol[]) => {
    for (const { name, kind, range, children } of symbols) {
      if (range.start.line > at.line || range.end.line < at.line) continue;
      const end = range.end.character === 0 && !range.isSingleLine ? range.end.line - 1 : range.end.line;
      const lines = new vscode.Range(range.start.line, 0, end, document.lineAt(end).text.length);
      if (blockKinds.has(kind)) found.push({ name, range: lines });
      visit(children);
    }
  };
  try {
    const symbols: unknown = await within(
      vscode.commands.executeCommand('vscode.executeDocumentSymbolProvider', document.uri),
      symbolLimitMs,
    );
    if (Array.isArray(symbols)) visit(symbols.filter((symbol) => symbol instanceof vscode.DocumentSymbol));
  } catch {
    // For a language without symbols, or with a failing extension, paragraphs are enough.
  }
  return found;
}

const symbolLimitMs = 1500;

const blockKinds: ReadonlySet<vscode.SymbolKind> = new Set([
  vscode.SymbolKind.Class,
  vscode.SymbolKind.Constructor,
  vscode.SymbolKind.Enum,
  vscode.SymbolKind.Function,
  vscode.SymbolKind.Interface,
  vscode.SymbolKind.Method,
  vscode.SymbolKind.Module,
  vscode.SymbolKind.Namespace,
  vscode.SymbolKind.Struct,
]);

function lastLine({ start, end }: vscode.Range): number {
  return end.character === 0 && end.line > start.line ? end.line - 1 : end.line;
}

function size(document: vscode.TextDocument, range: vscode.Range): number {
  return document.offsetAt(range.end) - document.offsetAt(range.start);
}
