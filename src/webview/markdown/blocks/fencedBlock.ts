import type { Tokens } from 'marked';
import { codeLines } from '../stream/codeFence.ts';
import type { CodeBlockView } from './codeBlockView.ts';
import type { DrawingContext, DrawnBlock } from './drawnBlock.ts';
import type { VisibleToken } from './visibleToken.ts';

/** Code that arrived as one token: indented, inside a list or a quote, or complete at once. */
export class FencedBlock implements DrawnBlock {
  readonly #context: DrawingContext;
  readonly #code: CodeBlockView;
  readonly #info: string;
  #text: string | undefined;
  #isFinal = false;

  constructor(token: Tokens.Code, context: DrawingContext, isFinal: boolean) {
    this.#context = context;
    this.#info = token.lang ?? '';
    this.#code = context.newCode(this.#info);
    this.patch(token, isFinal);
  }

  get element(): HTMLElement {
    return this.#code.element;
  }

  patch(token: VisibleToken, isFinal: boolean): boolean {
    if (token.type !== 'code') return false;
    const { lang = '', text } = token;
    if (lang !== this.#info) return false;
    if (text === this.#text && isFinal === this.#isFinal) return true;
    this.#text = text;
    this.#isFinal = isFinal;
    const lines = codeLines(text);
    // The last line can still grow.
    const openLine = isFinal ? '' : (lines.pop() ?? '');
    this.#code.setLines(lines);
    this.#code.showOpenLine(openLine);
    return true;
  }

  eachRun(): void {}

  drop(): void {
    this.#context.dropCode(this.#code);
  }
}
