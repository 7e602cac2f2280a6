import type { FormulaToken } from '../stream/formulaToken.ts';
import type { DrawingContext, DrawnBlock } from '../blocks/drawnBlock.ts';
import type { VisibleToken } from '../blocks/visibleToken.ts';

/** A display formula. */
export class FormulaBlock implements DrawnBlock {
  readonly element: HTMLElement;
  readonly #raw: string;

  constructor(token: FormulaToken, context: DrawingContext) {
    this.#raw = token.raw;
    this.element = context.newFormula(token, 'div');
  }

  patch(token: VisibleToken): boolean {
    return token.type === 'formula' && token.raw === this.#raw;
  }

  eachRun(): void {}

  drop(): void {}
}
