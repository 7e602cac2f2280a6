/** `2030-01-31`: the day of a Unix time in milliseconds, in this machine's time zone. */
export function localDay(at: number): string {
  const date = new Date(at);
  return `${date.getFullYear()}-${twoDigits(date.getMonth() + 1)}-${twoDigits(date.getDate())}`;
}

function twoDigits(value: number): string {
  return String(value).padStart(2, '0');
}
