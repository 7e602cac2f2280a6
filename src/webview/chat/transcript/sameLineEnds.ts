/**
 * A text that was edited in a text box, with the line breaks of the original, because the box only knows `\n`.
 * Unchanged parts stay exactly the same.
 */
export function sameLineEnds(edited: string, original: string): string {
  if (edited === original.replaceAll(/\r\n?/g, '\n')) return original;
  const isWindows = /\r\n/.test(original) && !/(?<!\r)\n|\r(?!\n)/.test(original);
  return isWindows ? edited.replaceAll(/\r?\n/g, '\r\n') : edited;
}
