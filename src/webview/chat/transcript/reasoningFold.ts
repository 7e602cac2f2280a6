import * as l10n from '@vscode/l10n';
import type { ArticleSurroundings } from './articleSurroundings.ts';
import { element, icon } from '../../kit/element.ts';
import { MarkdownPart } from '../../markdown/markdownPart.ts';

/** What a reasoning model thought aloud, folded away above its answer. It stays open once opened. */
export class ReasoningFold {
  readonly element: HTMLDetailsElement;
  readonly #text: MarkdownPart;

  constructor(around: ArticleSurroundings) {
    this.#text = new MarkdownPart('reasoning-text', around.frames, around.code);
    const summary = element('summary', {}, icon('chevron-right'), l10n.t('Thinking'));
    summary.addEventListener('click', around.onToggled);
    this.element = element('details', { class: 'reasoning', hidden: true }, summary, this.#text.element);
  }

  get length(): number {
    return this.#text.length;
  }

  append(text: string): void {
    this.element.hidden = false;
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
