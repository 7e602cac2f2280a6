// Classes of characters. Words have no spaces between them in East and Southeast Asian scripts.
const [space, letter, digit, sign, eastAsian, southeastAsian] = [1, 2, 3, 4, 5, 6];
const kinds: readonly (readonly [RegExp, number])[] = [
  [/[\s\uFEFF]/u, space],
  [/[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\u30FC\uD840-\uD8BF]/u, eastAsian],
  [/[\p{sc=Thai}\p{sc=Laoo}\p{sc=Khmr}\p{sc=Mymr}]/u, southeastAsian],
  [/[\p{L}\p{M}]/u, letter],
  [/\p{N}/u, digit],
];
/** By UTF-16 unit; 0 until it's needed. */
const known = new Uint8Array(0x1_00_00);

/** The most characters that a token of these has on average. */
const charactersPerToken = { digits: 4, eastAsian: 2.5, southeastAsian: 4 };
/** Some tokenizers have tokens for several words, or for a whole tag. */
const piecesPerToken = 1.25;

/**
 * Tokens that a text has at least, whatever the tokenizer and the text: tokenizers first split it into words, numbers,
 * and signs, and hardly any token is longer. That's two thirds of what they count for prose and most code, half for
 * JSON, and far less for text without words. Not rounded.
 */
export function leastTokens(text: string): number {
  let count = 0;
  // The run of characters of one kind that ends here, and what's before it. A megabyte takes some milliseconds.
  let kind = space;
  let length = 0;
  let before = space;
  let beforeLength = 0;
  for (let index = 0; index <= text.length; index += 1) {
    // The last run ends like one before a space.
    const unit = index < text.length ? text.charCodeAt(index) : 0x20;
    const next = known[unit] || (known[unit] = signKind(String.fromCharCode(unit)));
    if (next === kind) {
      length += 1;
      continue;
    }
    // A word's token can include the sign before it.
    if (kind !== sign || length > 1 || next !== letter) count += piecesIn(kind, length);
    // The sign in "don't", and what follows it.
    if (kind === letter && before === sign && beforeLength === 1 && isContraction(text, index - length)) count -= 1;
    before = kind;
    beforeLength = length;
    kind = next;
    length = 1;
  }
  return count / piecesPerToken;
}

/** The pieces in a run of characters of one kind. */
function piecesIn(kind: number, length: number): number {
  switch (kind) {
    case space:
      return 0;
    case digit:
      return Math.ceil(length / charactersPerToken.digits);
    case eastAsian:
      return length / charactersPerToken.eastAsian;
    case southeastAsian:
      return length / charactersPerToken.southeastAsian;
    default:
      return 1;
  }
}

/** @param from where the part after an apostrophe begins */
function isContraction(text: string, from: number): boolean {
  return "'’".includes(text.charAt(from - 1)) && known[text.charCodeAt(from - 2)] === letter;
}

function signKind(unit: string): number {
  return kinds.find(([pattern]) => pattern.test(unit))?.[1] ?? sign;
}

/** A service that counts fewer doesn't count, or only what isn't in its cache. */
const leastCount = 256;
/** How much counts of the same text can differ, because of what a service adds around it. */
const tolerance = 1.2;

/** True if a count shows that less was counted than what was there at least, in tokens. */
export function isClearlyLess(counted: number, atLeast: number): boolean {
  return counted * tolerance < atLeast;
}

/**
 * True if a service's count of a prompt shows that it dropped some of it without an error, like Ollama, which keeps what
 * fits into its context window.
 * @param atLeast what was sent, in tokens
 */
export function isPartlyRead(counted: number, atLeast: number): boolean {
  return counted >= leastCount && isClearlyLess(counted, atLeast);
}
