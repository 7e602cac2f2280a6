import * as l10n from '@vscode/l10n';
import type { ToHost } from '../../../shared/protocol/chatProtocol.ts';
import { element, icon, iconButton } from '../../kit/element.ts';

/** A position that the line can be dragged to: before this question. */
export interface LineStop {
  readonly id: string;
  readonly element: HTMLElement;
}

/** The line in the transcript above which nothing is sent. It can be dragged, and moved with its buttons. */
export class SentLine {
  readonly element: HTMLElement;
  readonly #post: (message: ToHost) => void;
  readonly #stops: () => readonly LineStop[];
  #dragged: string | undefined;

  constructor(post: (message: ToHost) => void, stops: () => readonly LineStop[]) {
    this.#post = post;
    this.#stops = stops;
    const words = l10n.t("Messages above this line aren't sent");
    const handle = element('div', { class: 'sent-line-handle', title: l10n.t('Drag to move') }, icon('gripper'), words);
    this.element = element(
      'div',
      { class: 'sent-line', role: 'group', 'aria-label': words },
      handle,
      iconButton('arrow-up', l10n.t('Send One More Question'), () => post({ type: 'moveSentFrom', step: -1 })),
      iconButton('arrow-down', l10n.t('Exclude One More Question'), () => post({ type: 'moveSentFrom', step: 1 })),
      iconButton('discard', l10n.t('Send All Messages'), () => post({ type: 'sendFrom', messageId: null })),
    );
    handle.addEventListener('pointerdown', (event) => this.#begin(event, handle));
    handle.addEventListener('pointermove', (event) => this.#drag(event.clientY));
    handle.addEventListener('pointerup', () => this.#end(true));
    handle.addEventListener('pointercancel', () => this.#end(false));
  }

  #begin(event: PointerEvent, handle: HTMLElement): void {
    if (event.button !== 0) return;
    event.preventDefault();
    handle.setPointerCapture(event.pointerId);
    this.#dragged = '';
    this.element.classList.add('dragged');
  }

  #drag(y: number): void {
    if (this.#dragged === undefined) return;
    const far = ({ element: article }: LineStop): number => Math.abs(article.getBoundingClientRect().top - y);
    const [nearest] = this.#stops().toSorted((a, b) => far(a) - far(b));
    for (const stop of this.#stops())
      stop.element.classList.toggle('line-target', stop === nearest || stop.id === nearest?.id);
    this.#dragged = nearest?.id ?? '';
  }

  #end(isDone: boolean): void {
    const messageId = this.#dragged;
    this.#dragged = undefined;
    this.element.classList.remove('dragged');
    for (const stop of this.#stops()) stop.element.classList.remove('line-target');
    if (isDone && messageId !== undefined && messageId !== '') this.#post({ type: 'sendFrom', messageId });
  }
}
