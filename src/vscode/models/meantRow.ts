import { hasInOrder } from '../../core/models/hasInOrder.ts';

interface MatchedRow {
  readonly label: string;
  readonly description?: string | undefined;
  readonly alwaysShow?: boolean | undefined;
}

/**
 * The row that a user selected. VS Code numbers the rows of a list by position, so an Enter that arrives after the list
 * was replaced refers to the row that is now at that position. If that row doesn't match the typed text, the row that
 * was there before is meant.
 * @param selected according to VS Code
 * @param typed the text in the box
 */
export function meantRow<Row extends MatchedRow>(
  selected: Row | undefined,
  drawn: readonly Row[],
  drawnBefore: readonly Row[],
  typed: string,
): Row | undefined {
  if (selected === undefined || isFoundBy(typed, selected)) return selected;
  const before = drawnBefore[drawn.indexOf(selected)];
  return before !== undefined && isFoundBy(typed, before) ? before : selected;
}

function isFoundBy(typed: string, { label, description = '', alwaysShow = false }: MatchedRow): boolean {
  return alwaysShow || hasInOrder(`${label} ${description}`.toLowerCase(), typed.trim().toLowerCase());
}
