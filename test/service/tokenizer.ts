/*
 * A token, with at most one leading space, is up to 12 letters and digits in a row, or one other visible character.
 * Other white space counts as one token per 16 characters. No rule looks ahead, so a text that is cut after any token
 * keeps the tokens before the cut.
 */
const tokenPattern = / ?[\p{L}\p{M}\p{N}_]{1,12}| ?[^\s\p{L}\p{M}\p{N}_]|\s{1,16}/gu;

/** The tokens of `text`, in order; joined, they're the text again. */
export function* tokensOf(text: string): Generator<string, void, undefined> {
  for (const match of text.matchAll(tokenPattern)) yield match[0];
}

/** How many tokens `text` has. Prompts and completions use the same tokenizer, so that they can be compared. */
export function countTokens(text: string): number {
  const tokens = tokensOf(text);
  let count = 0;
  while (!tokens.next().done) count += 1;
  return count;
}
