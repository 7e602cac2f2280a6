/**
 * A text that was edited in a box of the page, with the line ends of the one that it came from: the box knows only `\n`.
 * What was not changed is as it was, to the last byte.
 */
export function sameLineEnds(edited: string, original: string): string {
  if (edited === original.replaceAll(/\r\n?/g, '\n')) return original;
  const isWindows = /\r\n/.test(original) && !/(?<!\r)\n|\r(?!\n)/.test(original);
  return isWindows ? edited.replaceAll(/\r?\n/g, '\r\n') : edited;
}
