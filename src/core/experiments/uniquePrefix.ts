/** Text that no other request starts with, so that none is answered from a prompt cache. */
export function uniquePrefix(attempt: string): string {
  return `[${attempt}]\n`;
}

/** The question without the prefix that an experiment might have added. */
export function withoutUniquePrefix(asked: string, attempt: string | undefined): string {
  if (attempt === undefined) return asked;
  const prefix = uniquePrefix(attempt);
  return asked.startsWith(prefix) ? asked.slice(prefix.length) : asked;
}
