/** A character that makes text look different from what it is. */
export interface HiddenCharacter {
  readonly codePoint: number;
  /** Counted from 1. */
  readonly line: number;
}

// Bidirectional controls (CVE-2021-42574), zero-width and tag characters, letters, marks, and selectors that draw
// nothing, line breaks that only some languages know (after `//` they start code), and controls other than tab, form
// feed, and line breaks.
const invisible = String.raw`\u0000-\u0008\u000B\u000E-\u001F\u007F-\u009F\u00AD\u034F\u061C\u115F\u1160\u17B4\u17B5\u180B-\u180F\u200B-\u200F\u2028-\u202E\u2060-\u206F\u2800\u3164\uFE00-\uFE0F\uFEFF\uFFA0\uFFF0-\uFFFB\u{16FE4}\u{1BCA0}-\u{1BCA3}\u{1D159}\u{1D173}-\u{1D17A}\u{E0000}-\u{E0FFF}`;
const suspicious = new RegExp(`[${invisible}]`, 'gv');

const scripts = (...names: readonly string[]) => names.map((name) => String.raw`\p{scx=${name}}`).join('');
const letters = String.raw`[\p{L}\p{M}]`;
// The scripts in which an invisible character joins letters, or prevents that.
const joining = `[[${scripts('Arab', 'Syrc', 'Nkoo', 'Adlm', 'Mong', 'Deva', 'Beng', 'Guru', 'Gujr', 'Orya', 'Taml', 'Telu', 'Knda', 'Mlym', 'Sinh', 'Khmr', 'Mymr', 'Tibt')}]&&${letters}]`;
const viramas = String.raw`[\u094D\u09CD\u0A4D\u0ACD\u0B4D\u0BCD\u0C4D\u0CCD\u0D4D\u0DCA]`;
const noSpaces = String.raw`[[${scripts('Khmr', 'Laoo', 'Mymr', 'Thai')}]--[\u17B4\u17B5]]`;
const endsWord = String.raw`(?![\p{L}\p{N}_$${invisible}])`;
// Letters and digits of right-to-left scripts, and what can be between them and a direction mark.
const rightToLeft = String.raw`[[\u0590-\u08FF\uFB1D-\uFDFF\uFE70-\uFEFC\u{10800}-\u{10FFF}\u{1E800}-\u{1EFFF}]--[\u061C]]`;
const near = String.raw`[[\p{Nd}\p{Zs}\p{P}\p{S}]--[_$]]`;
const far = String.raw`[\p{Nd}\p{Zs}.,:;!?%+*\/\(\)\-\u2013\u2014]`;

/**
 * Where such characters are legitimate. None of these looks at more than 16 units on either side, because text is
 * checked while it's still arriving.
 */
const honest = new RegExp(
  [
    // The flags of England, Scotland, and Wales, the only ones that are written with tags.
    String.raw`(?<=\u{1F3F4})\u{E0067}\u{E0062}(?:\u{E0065}\u{E006E}\u{E0067}|\u{E0073}\u{E0063}\u{E0074}|\u{E0077}\u{E006C}\u{E0073})\u{E007F}`,
    // Emoji and arrows as text or as images, the keys 0 to 9, # and *, and what joins emoji.
    String.raw`[\uFE0E\uFE0F](?<=[\p{Extended_Pictographic}\p{Emoji_Modifier}\u2190-\u21FF].)`,
    String.raw`\uFE0F(?<=[0-9#*].)(?=\u20E3)`,
    String.raw`\u200D(?<=(?:\p{Extended_Pictographic}\uFE0F?|\p{Emoji_Modifier}).)(?=\p{Extended_Pictographic})`,
    // Variants of Han, Mongolian, and Myanmar letters and of mathematical symbols.
    String.raw`[\uFE00-\uFE0D\u{E0100}-\u{E01EF}](?<=\p{sc=Han}.)`,
    String.raw`[\u180B-\u180F](?<=[\p{sc=Mong}&&\p{L}].)`,
    String.raw`\uFE00(?<=[\p{sc=Mymr}\u2200-\u22FF\u2A00-\u2AFF].)`,
    // Joiners within a word, at the end of an Indic one, in the Persian abbreviation \u0647\u200D, and before a Persian
    // ending of a word or number in any script.
    String.raw`[\u200C\u200D](?<=${joining}.)(?=${letters})`,
    String.raw`[\u200C\u200D](?<=${viramas}.)${endsWord}`,
    String.raw`\u200D(?<=\u0647.)${endsWord}`,
    String.raw`\u200C(?<=[\p{L}\p{N}].)(?=[\p{sc=Arab}&&\p{L}])`,
    // Where a line can break, in scripts without spaces between words.
    String.raw`\u200B(?<=${noSpaces}.)(?=${noSpaces})`,
    // Direction marks. Next to a letter of another script, they're only accepted beside right-to-left text.
    String.raw`[\u061C\u200E\u200F](?:(?<=${rightToLeft}${near}{0,2}.)|(?=${near}{0,2}${rightToLeft}))`,
    String.raw`[\u061C\u200E\u200F](?<![\p{L}_$].)(?![\p{L}_$])(?:(?<=${rightToLeft}${far}{0,12}.)|(?=${far}{0,12}${rightToLeft}))`,
    // A mark that ends a number that another one started.
    String.raw`[\u061C\u200E\u200F](?<=[\u061C\u200E\u200F]${far}{1,13}.)(?![\p{L}_$])`,
  ].join('|'),
  'gv',
);

/**
 * Finds invisible and direction-changing characters in text that is about to become code. Linear time.
 * @param place.startsFile true if the text starts a file, which can begin with a byte order mark
 */
export function hiddenCharacters(
  text: string,
  { startsFile = false }: { readonly startsFile?: boolean } = {},
): readonly HiddenCharacter[] {
  if (text.search(suspicious) < 0) return [];
  const blanked = text.replace(honest, (part) => '.'.repeat(part.length));
  const found: HiddenCharacter[] = [];
  let line = 1;
  let from = 0;
  for (const match of blanked.matchAll(suspicious)) {
    for (; from < match.index; from += 1) if (blanked.charCodeAt(from) === 0x0a) line += 1;
    if (startsFile && match[0] === '\uFEFF' && match.index === 0) continue;
    found.push({ codePoint: match[0].codePointAt(0) ?? 0, line });
  }
  return found;
}
