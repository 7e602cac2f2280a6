import * as l10n from '@vscode/l10n';
import type { ArticleSurroundings } from './articleSurroundings.ts';
import { element, icon, setText } from '../../kit/element.ts';
import { thoughtText } from '../../../words/thought.ts';
import { MarkdownPart } from '../../markdown/markdownPart.ts';

/** A model's reasoning, collapsed above its reply. It stays expanded once opened. */
export class ReasoningFold {
  readonly element: HTMLDetailsElement;
  readonly #text: MarkdownPart;
  readonly #name = element('span', {});
  /** When its first and latest text arrived, as far as this page saw that. */
  #seen: { readonly firstMs: number; lastMs: number } | undefined;

  constructor(around: ArticleSurroundings) {
    this.#text = new MarkdownPart('reasoning-text', around.frames, around.code);
    const summary = element('summary', {}, icon('chevron-right'), this.#name);
    summary.addEventListener('click', around.onToggled);
    this.element = element('details', { class: 'reasoning', hidden: true }, summary, this.#text.element);
  }

  get length(): number {
    return this.#text.length;
  }

  /** How long it has taken so far; undefined if this page didn't see its beginning. */
  get seconds(): number | undefined {
    const seen = this.#seen;
    return seen === undefined || seen.lastMs <= seen.firstMs ? undefined : (seen.lastMs - seen.firstMs) / 1000;
  }

  /** @param thought how long it took in seconds; undefined if unknown */
  name(thought: 'thinking' | number | undefined): void {
    setText(this.#name, thought === 'thinking' ? l10n.t('Thinking') : thoughtText(thought));
  }

  append(text: string, atMs: number): void {
    this.element.hidden = false;
    if (this.#seen !== undefined) this.#seen.lastMs = atMs;
    else if (this.#text.length === 0) this.#seen = { firstMs: atMs, lastMs: atMs };
    this.#text.append(text);
  }

  sync(text: string): void {
    this.element.hidden = text === '';
    this.#text.sync(text);
  }

  finish(): void {
    this.#text.finish();
  }

  dispose(): void {
    this.#text.dispose();
  }
}
