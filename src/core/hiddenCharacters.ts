/** A character that makes text read differently from what it is. */
export interface HiddenCharacter {
  readonly codePoint: number;
  /** Counted from 1. */
  readonly line: number;
}

// Bidirectional overrides and embeddings (CVE-2021-42574), zero-width and tag characters, letters and
// selectors that draw nothing, line ends that only some languages know (after `//` they begin code), and controls
// other than tab and line ends. Not in the set: the marks that right-to-left prose needs (U+200E, U+200F),
// what joins emoji (U+200D between pictographs), and the selectors of emoji (U+FE0E, U+FE0F) and of Han letters.
const suspicious =
  // oxlint-disable-next-line no-control-regex -- control characters are what is looked for
  /[\u202A-\u202E\u2066-\u206F\u2028\u2029\u200B\u200C\u2060-\u2064\u180E\uFEFF\u00AD\u115F\u1160\u3164\uFFA0\u2800\uFFF9-\uFFFB\u0000-\u0008\u000B\u000E-\u001F\u007F-\u009F]|[\u{E0000}-\u{E007F}]|\u17B4|\u17B5|(?<!\p{Script=Han})[\uFE00-\uFE0D\u{E0100}-\u{E01EF}]|(?<!\p{Extended_Pictographic}\uFE0F?|\p{Emoji_Modifier})\u200D/gu;

// Flags such as England's are written with tag characters after the black flag.
const flags = /\u{1F3F4}[\u{E0020}-\u{E007E}]+\u{E007F}/gu;
// Persian and Indic scripts write these joiners between their own letters.
const joined = /(?<=[\p{L}\p{M}])[\u200C\u200D](?=[\p{L}\p{M}])/gu;
const joiningScripts =
  /\p{Script=Arabic}|\p{Script=Devanagari}|\p{Script=Bengali}|\p{Script=Tamil}|\p{Script=Telugu}|\p{Script=Kannada}|\p{Script=Malayalam}|\p{Script=Sinhala}|\p{Script=Gujarati}|\p{Script=Gurmukhi}|\p{Script=Oriya}/u;

/** Finds invisible and direction-changing characters in text that is about to become code. Linear in its length. */
export function hiddenCharacters(text: string): readonly HiddenCharacter[] {
  const blanked = text
    .replace(flags, (flag) => '.'.repeat(flag.length))
    .replace(joined, (joiner, offset: number) =>
      joiningScripts.test(text.slice(Math.max(0, offset - 2), offset)) ? '.' : joiner,
    );
  const found: HiddenCharacter[] = [];
  let line = 1;
  let from = 0;
  for (const match of blanked.matchAll(suspicious)) {
    for (; from < match.index; from += 1) if (blanked.charCodeAt(from) === 0x0a) line += 1;
    // A byte order mark at the very start is how some files begin.
    if (match[0] === '\uFEFF' && match.index === 0) continue;
    found.push({ codePoint: match[0].codePointAt(0) ?? 0, line });
  }
  return found;
}
