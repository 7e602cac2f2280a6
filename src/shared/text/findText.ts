/** Where something was found: start, and end (exclusive), in UTF-16 units. */
export interface FoundText {
  readonly start: number;
  readonly end: number;
}

/** All places that contain a text, ignoring case and without overlaps. Empty for an empty query. */
export function findText(text: string, query: string): FoundText[] {
  if (query === '') return [];
  return [...text.matchAll(new RegExp(patternOf(query), 'giu'))].map(({ index, 0: found }) => ({
    start: index,
    end: index + found.length,
  }));
}

/** A regular expression that matches this text and nothing else. */
export function patternOf(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/]/g, (mark) => `\\${mark}`);
}

/** The words of a search, in lower case. A conversation that has all of them is found, wherever they are in it. */
export function searchedWords(text: string): readonly string[] {
  return text.toLowerCase().split(/\s+/).filter(Boolean);
}
