/** Both texts as separate paragraphs, or only one if the other is empty or the same. */
export function joinedTexts(first: string, second: string): string {
  if (second.trim() === '' || first === second) return first === '' ? second : first;
  return first.trim() === '' ? second : `${first}\n\n${second}`;
}
