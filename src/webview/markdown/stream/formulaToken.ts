import type { Tokens } from 'marked';

/** A formula in LaTeX. Drawn as a unit, never read as Markdown. */
export interface FormulaToken extends Tokens.Generic {
  readonly type: 'formula';
  /** Including its delimiters. */
  readonly raw: string;
  /** Without its delimiters and surrounding white space. */
  readonly text: string;
  readonly isDisplayed: boolean;
}
