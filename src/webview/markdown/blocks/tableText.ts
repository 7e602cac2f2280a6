import { csvOf, withoutFormula } from '../../../words/csv.ts';

export type TableRows = readonly (readonly string[])[];

/** Rows for a spreadsheet's clipboard: cells separated by tabs, one line per row. */
export function tabSeparated(rows: TableRows): string {
  return rows.map((row) => `${row.map(oneLine).join('\t')}\n`).join('');
}

function oneLine(cell: string): string {
  const text = cell.replace(/\s+/g, ' ');
  return typeof numberOrText(text) === 'number' ? text : withoutFormula(text);
}

/** Rows as comma-separated values, all as wide as the first. */
export function commaSeparated(rows: TableRows): string {
  const width = rows[0]?.length ?? 0;
  return csvOf(rows.map((row) => Array.from({ length: width }, (_, column) => numberOrText(row[column] ?? ''))));
}

/** A negative number starts like a formula, but isn't one. */
function numberOrText(cell: string): number | string {
  const number = Number(cell);
  return String(number) === cell ? number : cell;
}

/** The text of a cell, with formulas as LaTeX, and with line breaks. */
export function cellText(cell: Element): string {
  const copy = document.createElement('div');
  copy.append(...[...cell.childNodes].map((node) => node.cloneNode(true)));
  for (const lineBreak of copy.querySelectorAll('br')) lineBreak.replaceWith('\n');
  for (const math of copy.querySelectorAll('math')) math.remove();
  return copy.textContent.trim();
}
