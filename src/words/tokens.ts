import * as l10n from '@vscode/l10n';
import { withEstimateMark } from './figureMark.ts';
import { numberText, shortNumberText } from './numberText.ts';

/** English prose and code have about four characters per token with the usual tokenizers. */
export const usualCharactersPerToken = 4;

/** Estimated tokens of a text that no service has counted. */
export function estimatedTokens(characters: number, charactersPerToken = usualCharactersPerToken): number {
  return Math.ceil(characters / charactersPerToken);
}

// An average over the text. Single tokens can be longer.
const mostCharactersOfAToken = 8;

/**
 * Estimated tokens of a model's text, at least 1.
 * @param pieces number of pieces it arrived in, if counted: usually one token per piece, but longer pieces contain
 * several
 * @param charactersPerToken as far as known for the model
 */
export function tokensIn(characters: number, pieces?: number, charactersPerToken?: number): number {
  const most = charactersPerToken === undefined ? mostCharactersOfAToken : charactersPerToken * 1.4;
  if (pieces !== undefined && pieces > 1 && characters / pieces <= most) return pieces;
  return Math.max(1, estimatedTokens(characters, charactersPerToken));
}

/** `1 token`, `2,610 tokens`, `≈ 261 tokens`. */
export function tokensText(tokens: number, isEstimate: boolean): string {
  const count = withEstimateMark(numberText(tokens), isEstimate);
  return tokens === 1 ? l10n.t('{0} token', count) : l10n.t('{0} tokens', count);
}

/** `≈ 184k tokens`: for text that hasn't been sent yet. */
export function roughTokensText(tokens: number): string {
  const count = withEstimateMark(compactTokens(tokens), true);
  return tokens === 1 ? l10n.t('{0} token', count) : l10n.t('{0} tokens', count);
}

/** How much of a context window a message uses, in tight spaces: `≈ 34k of 128k tokens`. */
export function shareOfWindow(tokens: number, contextWindow: number): string {
  return l10n.t('{0} of {1} tokens', withEstimateMark(compactTokens(tokens), true), compactTokens(contextWindow));
}

/**
 * A context window, or the most tokens of a reply: `131,072 tokens`. Exact, because it's compared with counts, and 128k
 * can mean 128,000 too.
 */
export function tokenLimitText(tokens: number): string {
  return tokensText(tokens, false);
}

/**
 * What a context window has room for besides a reply of at most this length, because many services count both. All of
 * it if such a reply can never fit.
 */
export function roomIn(contextWindow: number, maxTokens = 0): number {
  return maxTokens < contextWindow ? contextWindow - maxTokens : contextWindow;
}

/** `8192` as `8k`, `131072` as `128k`, `1000000` as `1M`: sizes are powers of two or of ten. */
export function compactTokens(tokens: number): string {
  if (tokens < 1000) return numberText(tokens);
  const kilo = tokens % 1000 !== 0 && tokens % 1024 === 0 ? 1024 : 1000;
  const thousands = tokens / kilo;
  // What would be rounded to 1,000k is written as 1M.
  return thousands < 999.5 ? `${shortNumberText(thousands)}k` : `${shortNumberText(thousands / kilo)}M`;
}
