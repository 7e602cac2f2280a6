/** Text that no other request begins with, so that none is answered from a prompt cache. */
export function uniquePrefix(attempt: string): string {
  return `[${attempt}]\n`;
}

/** What was asked, without the prefix that an experiment's attempt may have been sent with. */
export function withoutUniquePrefix(asked: string, attempt: string | undefined): string {
  if (attempt === undefined) return asked;
  const prefix = uniquePrefix(attempt);
  return asked.startsWith(prefix) ? asked.slice(prefix.length) : asked;
}
