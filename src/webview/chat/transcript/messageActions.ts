import * as l10n from '@vscode/l10n';
import { element, iconButton, textButton } from '../../kit/element.ts';
import type { ArticleSurroundings } from './articleSurroundings.ts';

const COPIED_MS = 1500;

/** The small buttons of a message. Those that need the service are inactive while a reply is running. */
export class MessageActions {
  readonly element = element('div', { class: 'actions' });
  readonly #around: ArticleSurroundings;
  readonly #resting: HTMLButtonElement[] = [];
  #copiedTimer: ReturnType<typeof setTimeout> | undefined;

  constructor(around: ArticleSurroundings) {
    this.#around = around;
  }

  add(iconName: string, name: string, act: () => void, restsWhileRunning = false): HTMLButtonElement {
    const button = iconButton(iconName, name, () => {
      if (button.getAttribute('aria-disabled') !== 'true') act();
    });
    if (restsWhileRunning) this.#resting.push(button);
    this.element.append(button);
    return button;
  }

  /** An action so likely that it's separate, with a label. Inactive while a reply is running. */
  makeNamed(name: string, act: () => void): HTMLButtonElement {
    const button = textButton('link named-action', name, () => {
      if (button.getAttribute('aria-disabled') !== 'true') act();
    });
    this.#resting.push(button);
    return button;
  }

  addCopy(messageId: string): void {
    const button = this.add('copy', l10n.t('Copy'), () => {
      this.#around.copyMessage(messageId, () => {
        this.#around.say(l10n.t('Copied'));
        const glyph = button.firstElementChild;
        glyph?.classList.replace('codicon-copy', 'codicon-check');
        clearTimeout(this.#copiedTimer);
        this.#copiedTimer = setTimeout(() => glyph?.classList.replace('codicon-check', 'codicon-copy'), COPIED_MS);
      });
    });
  }

  addDelete(messageId: string): HTMLButtonElement {
    return this.add('trash', l10n.t('Delete'), () => this.#around.post({ type: 'deleteMessage', messageId }));
  }

  setRunning(running: boolean): void {
    for (const button of this.#resting) {
      if (running) button.setAttribute('aria-disabled', 'true');
      else button.removeAttribute('aria-disabled');
    }
  }

  dispose(): void {
    clearTimeout(this.#copiedTimer);
  }
}
