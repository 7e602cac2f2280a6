import type { Token } from 'marked';
import type { InlineDrawer } from './inlineDrawer.ts';

/** The inline text of one paragraph, heading, or cell, drawn into its own element. */
export class InlineRun {
  readonly element: HTMLElement;
  readonly #drawer: InlineDrawer;
  readonly #onDrawn: () => void;
  #keys: string[] = [];

  /** @param onDrawn called whenever the text has been drawn */
  constructor(element: HTMLElement, drawer: InlineDrawer, onDrawn: () => void = () => undefined) {
    this.element = element;
    this.#drawer = drawer;
    this.#onDrawn = onDrawn;
  }

  /** Redraws from the first token that differs, so that the text before it keeps its nodes and selection. */
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

  /** The same text after a definition has arrived, which can change every reference. */
  redraw(tokens: readonly Token[]): void {
    this.#keys = [];
    this.patch(tokens);
  }
}

function keyOf(token: Token): string {
  return `${token.type} ${token.raw}`;
}
