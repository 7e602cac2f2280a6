import type { Tokens } from 'marked';

/** A formula in LaTeX; drawn by itself, never read as Markdown. */
export interface FormulaToken extends Tokens.Generic {
  readonly type: 'formula';
  /** With its delimiters. */
  readonly raw: string;
  /** Without its delimiters and the white space around it. */
  readonly text: string;
  readonly isDisplayed: boolean;
}
