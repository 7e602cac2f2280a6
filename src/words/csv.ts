/** Spreadsheets take the full-width signs for the plain ones, and look past what can't be seen. */
const FORMULA = /^[\s\p{Cc}\p{Cf}]*[=+\-@\t\r＝＋－＠]/u;

/** Lines of comma-separated values, as RFC 4180 has them. */
export function csvOf(lines: readonly (readonly (string | number | null)[])[]): string {
  return lines.map((line) => `${line.map(csvCell).join(',')}\r\n`).join('');
}

/** A service and its models decide on what stands there, and a spreadsheet would run a text that begins like a formula. */
function csvCell(value: string | number | null): string {
  if (value === null) return '';
  if (typeof value === 'number') return String(value);
  const text = FORMULA.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
