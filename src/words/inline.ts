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
  const characters = Array.from(line);
  return characters.length <= maxLength ? line : `${characters.slice(0, maxLength - 1).join('')}…`;
}
