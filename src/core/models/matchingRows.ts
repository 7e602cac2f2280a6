import { hasInOrder } from './hasInOrder.ts';

interface SearchedRow {
  readonly label: string;
  readonly description?: string | undefined;
  /** Absent for headings, and for rows about services. */
  readonly model?: unknown;
  /** The model's searchable text, in lower case. */
  readonly searched?: string;
  /** Set for headings. */
  readonly kind?: number | undefined;
}

/** Maximum number of models sent to the window with each keystroke. From a longer list, the best matches. */
const maxMatches = 300;
/** Maximum number of models while nothing is typed: thousands would take VS Code seconds to show. */
const maxUnfiltered = 1000;

/**
 * The rows of a model list that can match what was typed, each below its heading. A row's words are only read if the
 * names of models don't fill the list. Rows that are neither models nor headings stay.
 */
export function matchingRows<Row extends SearchedRow>(rows: readonly Row[], typed: string): readonly Row[] {
  const wanted = typed.trim().toLowerCase();
  const models = rows.filter(({ model }) => model !== undefined);
  if (models.length <= maxMatches || (wanted === '' && models.length <= maxUnfiltered)) return rows;
  const kept = new Set(wanted === '' ? models.slice(0, maxUnfiltered) : bestMatches(models, wanted));
  return rows.filter((row, at) => kept.has(row) || (row.model === undefined && isKept(rows, at, kept)));
}

function bestMatches<Row extends SearchedRow>(models: readonly Row[], wanted: string): readonly Row[] {
  const named = models.filter(({ searched }) => searched?.includes(wanted) === true);
  if (named.length >= maxMatches) return named.slice(0, maxMatches);
  const known = new Set(named);
  const told = models.filter((row) => !known.has(row) && hasInOrder(searchedText(row), wanted));
  const exact = told.filter((row) => searchedText(row).includes(wanted));
  return [...new Set([...named, ...exact, ...told])].slice(0, maxMatches);
}

/** A heading if anything is left below it; any other row that isn't a model. */
function isKept<Row extends SearchedRow>(rows: readonly Row[], place: number, kept: ReadonlySet<Row>): boolean {
  if (rows[place]?.kind === undefined) return true;
  for (let at = place + 1; at < rows.length; at += 1) {
    const row = rows[at];
    if (row === undefined || (row.model === undefined && row.kind !== undefined)) return false;
    if (row.model === undefined || kept.has(row)) return true;
  }
  return false;
}

function searchedText({ label, description = '' }: SearchedRow): string {
  return `${label} ${description}`.toLowerCase();
}
