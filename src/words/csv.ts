/** Spreadsheets treat full-width signs like plain ones, and skip invisible characters before them. */
const FORMULA = /^[\s\p{Cc}\p{Cf}]*[=+\-@\t\r\uFF1D\uFF0B\uFF0D\uFF20]/u;

/** Lines of comma-separated values (RFC 4180). */
export function csvOf(lines: readonly (readonly (string | number | null)[])[]): string {
  return lines.map((line) => `${line.map(csvCell).join(',')}\r\n`).join('');
}

/** The text comes from a service or its models, and a spreadsheet would run text that starts like a formula. */
export function withoutFormula(text: string): string {
  return FORMULA.test(text) ? `'${text}` : text;
}

function csvCell(value: string | number | null): string {
  if (value === null) return '';
  if (typeof value === 'number') return String(value);
  const text = withoutFormula(value);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
