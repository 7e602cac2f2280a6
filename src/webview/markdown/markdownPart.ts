import type { CodeActions, MarkdownView } from './markdownView.ts';
import { element } from '../kit/element.ts';
import type { FrameLoop } from '../kit/frameLoop.ts';
import { newMarkdownView } from './markdownChunk.ts';

/** One text of a reply, drawn as Markdown by the page's frame loop. */
export class MarkdownPart {
  readonly element: HTMLElement;
  readonly #frames: FrameLoop;
  readonly #code: CodeActions;
  #view: MarkdownView;
  #finished = false;

  constructor(className: string, frames: FrameLoop, code: CodeActions) {
    this.#frames = frames;
    this.#code = code;
    this.#view = newMarkdownView(code);
    this.element = element('div', { class: className }, this.#view.element);
  }

  get length(): number {
    return this.#view.source.length;
  }

  append(text: string): void {
    if (text === '') return;
    // A finished view accepts no more text, so a reply that continues is redrawn.
    if (this.#finished) this.#restart(this.#view.source);
    this.#view.append(text);
    this.#frames.schedule(this.#view);
  }

  /** Updates the text. Usually, only its end is missing. */
  sync(text: string): void {
    const shown = this.#view.source;
    if (shown === text) return;
    if (text.startsWith(shown)) {
      this.append(text.slice(shown.length));
      return;
    }
    this.#restart(text);
    this.#frames.schedule(this.#view);
  }

  finish(): void {
    if (this.#finished) return;
    this.#finished = true;
    this.#view.finish();
    this.#frames.schedule(this.#view);
  }

  dispose(): void {
    this.#frames.cancel(this.#view);
    this.#view.dispose();
  }

  #restart(text: string): void {
    this.dispose();
    this.#view = newMarkdownView(this.#code);
    this.#view.append(text);
    this.#finished = false;
    this.element.replaceChildren(this.#view.element);
  }
}
