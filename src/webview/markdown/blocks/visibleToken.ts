import type { MarkedToken, Token, Tokens } from 'marked';
import type { FormulaToken } from '../stream/formulaToken.ts';

/** A token that shows on the page. */
export type VisibleToken = Exclude<MarkedToken, Tokens.Space | Tokens.Def> | FormulaToken;

const INVISIBLE: ReadonlySet<string> = new Set(['space', 'def']);

/** marked also has tokens of extensions, of any shape; formulas are the only ones here. */
export function isVisible(token: Token): token is VisibleToken {
  return !INVISIBLE.has(token.type);
}
