import type { Token, Tokens } from 'marked';
import { BlockGroup } from './blockGroup.ts';
import type { DrawingContext, DrawnBlock } from './drawnBlock.ts';
import type { InlineRun } from './inlineRun.ts';
import { isVisible, type VisibleToken } from './visibleToken.ts';

/**
 * A list, or one piece of a very long one. Items are paragraphs in tight lists too, and only the style differs, so a
 * list that becomes loose late isn't redrawn.
 */
export class ListBlock implements DrawnBlock {
  readonly element: HTMLElement;
  readonly #context: DrawingContext;
  readonly #ordered: boolean;
  readonly #start: number | '';
  readonly #isContinued: boolean;
  #items: ListItem[] = [];
  /** Number of items before the first that can change. */
  #finalItems = 0;

  /** `continuedAt` is the number of the first item if this isn't the first piece of the list. */
  constructor(token: Tokens.List, context: DrawingContext, isFinal: boolean, continuedAt?: number | '') {
    const start = continuedAt ?? token.start;
    this.#context = context;
    this.#ordered = token.ordered;
    this.#start = start;
    this.#isContinued = continuedAt !== undefined;
    this.element = document.createElement(token.ordered ? 'ol' : 'ul');
    this.element.className = 'md-list';
    if (token.ordered && start !== 1 && start !== '') this.element.setAttribute('start', String(start));
    this.patch(token, isFinal);
  }

  get finalParts(): number {
    return this.#finalItems;
  }

  patch(token: VisibleToken, isFinal: boolean): boolean {
    if (token.type !== 'list') return false;
    const { ordered, start, loose, items } = token;
    if (ordered !== this.#ordered) return false;
    // The rest of a list counts from its own first item.
    if (start !== this.#start && this.#finalItems === 0 && !this.#isContinued) return false;
    this.element.classList.toggle('md-loose', loose);
    items.forEach((item, index) =>
      this.#patchItem(this.#finalItems + index, item, isFinal || index < items.length - 1),
    );
    for (const item of this.#items.splice(this.#finalItems + items.length)) {
      item.element.remove();
      item.drop();
    }
    return true;
  }

  /** The first `count` items of the last token are final. Returns them. */
  commitParts(count: number): ListItem[] {
    const items = this.#items.slice(this.#finalItems, this.#finalItems + count);
    this.#finalItems += count;
    return items;
  }

  /** A new element for the items after this one's final ones. */
  next(token: Tokens.List, isFinal: boolean): ListBlock {
    for (const item of this.#items.splice(this.#finalItems)) {
      item.element.remove();
      item.drop();
    }
    const start = this.#start === '' ? '' : this.#start + this.#finalItems;
    const piece = new ListBlock(token, this.#context, isFinal, start);
    piece.element.classList.add('md-continues');
    return piece;
  }

  eachRun(visit: (src: string, run: InlineRun) => void): void {
    for (const item of this.#items.slice(this.#finalItems)) item.eachRun(visit);
  }

  drop(): void {
    for (const item of this.#items) item.drop();
  }

  #patchItem(index: number, item: Tokens.ListItem, isFinal: boolean): void {
    const old = this.#items[index];
    if (old !== undefined) {
      old.patch(item, isFinal);
      return;
    }
    const drawn = new ListItem(item, this.#context, isFinal);
    this.#items[index] = drawn;
    this.element.append(drawn.element);
  }
}

export class ListItem {
  readonly element: HTMLElement;
  readonly #group: BlockGroup;
  #raw: string | undefined;
  #isFinal = false;

  constructor(item: Tokens.ListItem, context: DrawingContext, isFinal: boolean) {
    this.element = document.createElement('li');
    this.#group = new BlockGroup(this.element, context);
    this.patch(item, isFinal);
  }

  patch(item: Tokens.ListItem, isFinal: boolean): void {
    if (item.raw === this.#raw && isFinal === this.#isFinal) return;
    this.#raw = item.raw;
    this.#isFinal = isFinal;
    const tokens = withCheckboxInText(item.tokens);
    this.element.classList.toggle('md-task', item.task);
    this.#group.patch(tokens, isFinal ? tokens.length : Math.max(0, tokens.length - 1));
  }

  eachRun(visit: (src: string, run: InlineRun) => void): void {
    this.#group.eachRun(visit);
  }

  drop(): void {
    this.#group.drop();
  }
}

/** marked puts the checkbox of a tight list before the text, and that of a loose one into it. */
function withCheckboxInText(tokens: readonly Token[]): readonly Token[] {
  const [checkbox, text, ...rest] = tokens;
  if (checkbox?.type !== 'checkbox') return tokens;
  if (text === undefined || !isVisible(text) || text.type !== 'text') {
    return [{ type: 'paragraph', raw: checkbox.raw, text: checkbox.raw, tokens: [checkbox] }, ...tokens.slice(1)];
  }
  const { raw, text: src, tokens: inline = [] } = text;
  const paragraph = {
    type: 'paragraph',
    raw: checkbox.raw + raw,
    text: checkbox.raw + src,
    tokens: [checkbox, ...inline],
  };
  return [paragraph, ...rest];
}
