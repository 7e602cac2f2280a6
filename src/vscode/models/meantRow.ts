interface MatchedRow {
  readonly label: string;
  readonly description?: string | undefined;
  readonly alwaysShow?: boolean | undefined;
}

/**
 * The row that a person took. VS Code numbers the rows of a list by their place, so an Enter that crosses a new list on
 * its way names the row that has the place now: where what was typed doesn't find that one, the row that had the place
 * before is meant.
 *
 * @param selected as VS Code names it
 * @param typed what stands in the box
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

/** Whether the signs of `wanted` occur in this order, as VS Code's own search asks at least. */
export function hasInOrder(text: string, wanted: string): boolean {
  let at = 0;
  for (const sign of wanted) {
    if (sign === ' ') continue;
    at = text.indexOf(sign, at) + 1;
    if (at === 0) return false;
  }
  return true;
}
