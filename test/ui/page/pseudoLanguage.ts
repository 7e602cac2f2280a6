import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';

const bundle = fileURLToPath(new URL('../../../l10n/bundle.l10n.json', import.meta.url));

const accented: Readonly<Record<string, string>> = {
  a: 'á',
  e: 'ë',
  i: 'ï',
  o: 'ö',
  u: 'ü',
  n: 'ñ',
  c: 'ç',
  s: 'š',
  y: 'ý',
};

/** The brackets reveal a string that is cut off, and a text without them is one that nobody can translate. */
export const pseudoMarks = { start: '⟦', end: '⟧' } as const;

/** A translation bundle as VS Code gives it to a page: a made-up language, longer than English. */
export async function pseudoLanguage(): Promise<string> {
  const english: Record<string, string | { message: string }> = JSON.parse(await readFile(bundle, 'utf8'));
  const entries = Object.entries(english).map(([key, value]) => {
    const text = typeof value === 'string' ? value : value.message;
    return [key, pseudoText(text)] as const;
  });
  return JSON.stringify(Object.fromEntries(entries));
}

function pseudoText(text: string): string {
  const letters = text.split(/(\{\d+\}|\$\([\w-]+\))/).map((part, index) =>
    // Between them is a placeholder for a value, or an icon.
    index % 2 === 1 ? part : Array.from(part, (letter) => accented[letter] ?? letter).join(''),
  );
  const more = '~'.repeat(Math.ceil(text.length * 0.4));
  return `${pseudoMarks.start}${letters.join('')}${more}${pseudoMarks.end}`;
}
