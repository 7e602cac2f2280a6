import type { Token } from 'marked';
import type { InlineDrawer } from './inlineDrawer.ts';

/** The inline text of one paragraph, heading or cell, drawn into an element of its own. */
export class InlineRun {
  readonly element: HTMLElement;
  readonly #drawer: InlineDrawer;
  readonly #onDrawn: () => void;
  #keys: string[] = [];

  /** @param onDrawn called when the text has been drawn, and whenever it is drawn again */
  constructor(element: HTMLElement, drawer: InlineDrawer, onDrawn: () => void = () => undefined) {
    this.element = element;
    this.#drawer = drawer;
    this.#onDrawn = onDrawn;
  }

  /** Redraws from the first token that differs: what stands before it keeps its nodes and selection. */
  patch(tokens: readonly Token[]): void {
    const keys = tokens.map(keyOf);
    let same = 0;
    while (same < keys.length && keys[same] === this.#keys[same]) same += 1;
    const { element } = this;
    while (element.childNodes.length > same) element.lastChild?.remove();
    for (const token of tokens.slice(same)) element.append(this.#drawer.draw(token));
    this.#keys = keys;
    this.#onDrawn();
  }

  /** The same text after a definition has come: every reference may be another link now. */
  redraw(tokens: readonly Token[]): void {
    this.#keys = [];
    this.patch(tokens);
  }
}

function keyOf(token: Token): string {
  return `${token.type} ${token.raw}`;
}
