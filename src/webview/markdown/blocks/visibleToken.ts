import type { MarkedToken, Token, Tokens } from 'marked';
import type { FormulaToken } from '../stream/formulaToken.ts';

/** A token that is visible on the page. */
export type VisibleToken = Exclude<MarkedToken, Tokens.Space | Tokens.Def> | FormulaToken;

const INVISIBLE: ReadonlySet<string> = new Set(['space', 'def']);

/** marked also has extension tokens of any shape. Formulas are the only ones here. */
export function isVisible(token: Token): token is VisibleToken {
  return !INVISIBLE.has(token.type);
}
