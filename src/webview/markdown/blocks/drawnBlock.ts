import type { FormulaToken } from '../stream/formulaToken.ts';
import type { CodeBlockView } from './codeBlockView.ts';
import type { InlineDrawer } from './inlineDrawer.ts';
import type { InlineRun } from './inlineRun.ts';
import type { TableRows } from './tableText.ts';
import type { VisibleToken } from './visibleToken.ts';

/** What blocks need to draw themselves. */
export interface DrawingContext {
  readonly inline: InlineDrawer;
  draw(token: VisibleToken, isFinal: boolean): DrawnBlock;
  /** Code blocks by their elements, so that their text can be copied. */
  readonly tables: WeakMap<Element, TableTexts>;
  newCode(info: string): CodeBlockView;
  newFormula(token: FormulaToken, name: 'div' | 'span'): HTMLElement;
  newFormulaBlock(token: FormulaToken): DrawnBlock;
  /** The code block was removed from the page. */
  dropCode(code: CodeBlockView): void;
}

/** A table on the page. */
export interface TableTexts {
  /** Row by row, header first. */
  texts(): TableRows;
}

/** A block on the page that can become a later version of itself. */
export interface DrawnBlock {
  readonly element: HTMLElement;
  /** Draws `token` instead of the current one. False if it's another kind of block. */
  patch(token: VisibleToken, isFinal: boolean): boolean;
  /** Reports the inline text that refers to links, with the Markdown that it was drawn from. */
  eachRun(visit: (src: string, run: InlineRun) => void): void;
  /** The block is being removed from the page. */
  drop(): void;
}
