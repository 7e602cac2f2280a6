import type { MarkedToken, Token, Tokens } from 'marked';

/** A token that shows on the page. */
export type VisibleToken = Exclude<MarkedToken, Tokens.Space | Tokens.Def>;

const INVISIBLE: ReadonlySet<string> = new Set(['space', 'def']);

/** marked also has tokens of extensions, of any shape; none is registered here. */
export function isVisible(token: Token): token is VisibleToken {
  return !INVISIBLE.has(token.type);
}
