import type { Token } from 'marked';
import type { DrawingContext, DrawnBlock } from './drawnBlock.ts';
import type { InlineRun } from './inlineRun.ts';
import { isVisible, type VisibleToken } from './visibleToken.ts';

/** The blocks at the end of one element that can still change. */
export class BlockGroup {
  readonly #context: DrawingContext;
  #parent: HTMLElement;
  #blocks: DrawnBlock[] = [];

  constructor(parent: HTMLElement, context: DrawingContext) {
    this.#parent = parent;
    this.#context = context;
  }

  get first(): DrawnBlock | undefined {
    return this.#blocks[0];
  }

  /** Shows `tokens`, keeping what only grew. The first `finalCount` are final. */
  patch(tokens: readonly Token[], finalCount: number): void {
    const visible = tokens.filter(isVisible);
    const finalVisible = tokens.slice(0, finalCount).filter(isVisible).length;
    visible.forEach((token, index) => this.#patchAt(index, token, index < finalVisible));
    for (const block of this.#blocks.splice(visible.length)) remove(block);
  }

  /** Releases the first `count` blocks, which stay on the page. */
  release(count: number): DrawnBlock[] {
    return this.#blocks.splice(0, count);
  }

  /** Moves the blocks that can still change to the end of another element. */
  moveTo(parent: HTMLElement): void {
    this.#parent = parent;
    parent.append(...this.#blocks.map((block) => block.element));
  }

  /** Inserts a block that continues before the others. */
  continueWith(block: DrawnBlock): void {
    this.#blocks.unshift(block);
  }

  eachRun(visit: (src: string, run: InlineRun) => void): void {
    for (const block of this.#blocks) block.eachRun(visit);
  }

  drop(): void {
    for (const block of this.#blocks.splice(0)) block.drop();
  }

  #patchAt(index: number, token: VisibleToken, isFinal: boolean): void {
    const old = this.#blocks[index];
    if (old?.patch(token, isFinal) === true) return;
    const block = this.#context.draw(token, isFinal);
    this.#blocks[index] = block;
    if (old === undefined) {
      this.#parent.append(block.element);
      return;
    }
    old.element.replaceWith(block.element);
    old.drop();
  }
}

function remove(block: DrawnBlock): void {
  block.element.remove();
  block.drop();
}
