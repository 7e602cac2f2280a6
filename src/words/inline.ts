const maxQuotedLength = 300;

// Control characters, and the invisible and bidirectional ones that can make a text read as another.
const hiddenCharacters = /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\u2028\u2029]/gu;

/** Untrusted text, safe inside one of our sentences: one line, bounded, with nothing hidden in it. */
export function inline(text: string, maxLength = maxQuotedLength): string {
  const line = text
    // Cut first, with some room to spare: escaping the rest would be wasted.
    .slice(0, maxLength * 4)
    .replace(/\s+/g, ' ')
    .trim()
    .replace(hiddenCharacters, (character) => `\\u{${character.codePointAt(0)?.toString(16) ?? ''}}`);
  return cutEnd(line, maxLength);
}

/** At most this many characters, the last of which is an ellipsis if any were left out. No emoji is cut in half. */
export function cutEnd(text: string, maxLength: number): string {
  if (text.length <= maxLength) return text;
  // A character has one or two units. Taking the whole of a long text apart would be wasted.
  const characters = Array.from(text.slice(0, 2 * maxLength + 2));
  return characters.length <= maxLength
    ? text
    : `${characters
        .slice(0, maxLength - 1)
        .join('')
        .trimEnd()}…`;
}
