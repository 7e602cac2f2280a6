import * as vscode from 'vscode';
import { surroundingText } from '../../../core/prompts/surroundings/surroundingPieces.ts';
import type { ContextSnapshot } from '../contextSnapshot.ts';
import { gatherSurroundings, type SurroundingsDeps } from '../surroundings/gatherSurroundings.ts';

/** The code around an editor's selection, as prompts send it; undefined if there's nothing. */
export async function surroundingCodeContext(
  { document, selections }: Pick<vscode.TextEditor, 'document' | 'selections'>,
  deps: SurroundingsDeps,
): Promise<ContextSnapshot | undefined> {
  const ranges = selections
    .filter(({ isEmpty }) => !isEmpty)
    .toSorted((one, other) => one.start.compareTo(other.start));
  const pieces = await gatherSurroundings({ document, ranges }, deps);
  if (pieces.length === 0) return undefined;
  const places = pieces.map(({ path, from, to }) => `${path}:${from + 1}${to - from <= 1 ? '' : `-${to}`}`);
  return {
    kind: 'symbol',
    name: vscode.l10n.t('Surrounding code'),
    detail: places.join('\n'),
    block: surroundingText(pieces),
  };
}
