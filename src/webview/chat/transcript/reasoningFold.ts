import * as l10n from '@vscode/l10n';
import type { ArticleSurroundings } from './articleSurroundings.ts';
import { element, icon, setText } from '../../kit/element.ts';
import { thoughtText } from '../../../words/thought.ts';
import { MarkdownPart } from '../../markdown/markdownPart.ts';

/** A model's reasoning, collapsed above its reply. It stays expanded once opened. */
export class ReasoningFold {
  readonly element = element('details', { class: 'reasoning', hidden: true });
  readonly #around: ArticleSurroundings;
  readonly #name = element('span', {});
  /** Made with the first reasoning: most replies have none. */
  #text: MarkdownPart | undefined;
  /** When its first and latest text arrived, as far as this page saw that. */
  #seen: { readonly firstMs: number; lastMs: number } | undefined;

  constructor(around: ArticleSurroundings) {
    this.#around = around;
  }

  get length(): number {
    return this.#text?.length ?? 0;
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
    if (this.#seen !== undefined) this.#seen.lastMs = atMs;
    else if (this.length === 0) this.#seen = { firstMs: atMs, lastMs: atMs };
    this.element.hidden = false;
    this.#make().append(text);
  }

  sync(text: string): void {
    this.element.hidden = text === '';
    if (text === '') this.#text?.sync(text);
    else this.#make().sync(text);
  }

  finish(): void {
    this.#text?.finish();
  }

  dispose(): void {
    this.#text?.dispose();
  }

  #make(): MarkdownPart {
    if (this.#text !== undefined) return this.#text;
    const summary = element('summary', {}, icon('chevron-right'), this.#name);
    this.#text = new MarkdownPart('reasoning-text', this.#around.frames, this.#around.code);
    this.element.append(summary, this.#text.element);
    return this.#text;
  }
}
