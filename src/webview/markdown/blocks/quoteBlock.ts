import type { Tokens } from 'marked';
import { BlockGroup } from './blockGroup.ts';
import type { DrawingContext, DrawnBlock } from './drawnBlock.ts';
import type { InlineRun } from './inlineRun.ts';
import type { VisibleToken } from './visibleToken.ts';

export class QuoteBlock implements DrawnBlock {
  readonly element: HTMLElement;
  readonly #group: BlockGroup;

  constructor(token: Tokens.Blockquote, context: DrawingContext, isFinal: boolean) {
    this.element = document.createElement('blockquote');
    this.element.className = 'md-quote';
    this.#group = new BlockGroup(this.element, context);
    this.patch(token, isFinal);
  }

  patch(token: VisibleToken, isFinal: boolean): boolean {
    if (token.type !== 'blockquote') return false;
    const { tokens } = token;
    this.#group.patch(tokens, isFinal ? tokens.length : 0);
    return true;
  }

  eachRun(visit: (src: string, run: InlineRun) => void): void {
    this.#group.eachRun(visit);
  }

  drop(): void {
    this.#group.drop();
  }
}
