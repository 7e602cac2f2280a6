import * as vscode from 'vscode';
import { surroundingText } from '../../../core/prompts/surroundings/surroundingPieces.ts';
import type { ContextSnapshot } from '../contextSnapshot.ts';
import { gatherSurroundings } from '../surroundings/gatherSurroundings.ts';

/**
 * The code around an editor's selection, as prompts send it; undefined if there's nothing.
 * @param contextWindow of the model, in tokens, if known
 */
export async function surroundingCodeContext(
  { document, selections }: Pick<vscode.TextEditor, 'document' | 'selections'>,
  contextWindow: number | undefined,
): Promise<ContextSnapshot | undefined> {
  const ranges = selections
    .filter(({ isEmpty }) => !isEmpty)
    .toSorted((one, other) => one.start.compareTo(other.start));
  const pieces = await gatherSurroundings({ document, ranges }, contextWindow);
  if (pieces.length === 0) return undefined;
  const places = pieces.map(({ path, from, to }) => `${path}:${from + 1}${to - from <= 1 ? '' : `-${to}`}`);
  return {
    kind: 'symbol',
    name: vscode.l10n.t('Surrounding code'),
    detail: places.join('\n'),
    block: surroundingText(pieces),
  };
}
