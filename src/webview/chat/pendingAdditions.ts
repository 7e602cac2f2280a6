import * as l10n from '@vscode/l10n';
import { element, icon, iconButton } from './element.ts';

/** What the row of chips does about what is on its way. */
export interface PendingActs {
  readonly say: (text: string) => void;
  /** The person does not want it any more. */
  readonly givenUp: (id: string) => void;
}

/**
 * What is being added to the message and is not there yet, by the id that it will have. A message that is
 * sent meanwhile waits for it: it is to go with what the person saw beside it.
 */
export class PendingAdditions {
  readonly #acts: PendingActs;
  readonly #names = new Map<string, string>();
  #then: (() => void) | undefined;

  constructor(acts: PendingActs) {
    this.#acts = acts;
  }

  get count(): number {
    return this.#names.size;
  }

  /** True while a message waits. */
  get isWaitedFor(): boolean {
    return this.#then !== undefined;
  }

  begin(id: string, name: string): void {
    this.#names.set(id, name);
  }

  has(id: string): boolean {
    return this.#names.has(id);
  }

  /** Runs when all has arrived. @returns false when nothing is on its way */
  waits(then: () => void): boolean {
    if (this.#names.size === 0) return false;
    this.#then = then;
    this.#acts.say(l10n.t('Waiting for what is being added'));
    return true;
  }

  /** The message is another than the one that was to go. */
  stopWaiting(): void {
    if (this.#then === undefined) return;
    this.#then = undefined;
    this.#acts.say(l10n.t('Not sent: the message was changed'));
  }

  /** Another conversation is shown: what comes now is for the one before, and so was the message. */
  forget(): void {
    this.#names.clear();
    this.#then = undefined;
  }

  arrived(id: string): void {
    this.#names.delete(id);
  }

  /** It does not come. The message does not go without it: the person must know first. */
  failed(id: string): boolean {
    if (!this.#names.delete(id)) return false;
    this.#then = undefined;
    return true;
  }

  /** Sends what waits when nothing is on its way any more. */
  settle(): void {
    if (this.#names.size > 0) return;
    const then = this.#then;
    this.#then = undefined;
    then?.();
  }

  chips(): readonly HTMLElement[] {
    return [...this.#names].map(([id, name]) => this.#chip(id, name));
  }

  #chip(id: string, name: string): HTMLElement {
    const remove = iconButton('close', l10n.t('Remove {0}', name), () => {
      if (this.failed(id)) this.#acts.givenUp(id);
    });
    remove.classList.add('chip-remove');
    return element(
      'li',
      { class: 'chip pending', 'data-id': id, 'aria-busy': 'true' },
      icon('loading'),
      element('span', { class: 'chip-name' }, name),
      element('span', { class: 'chip-size' }, l10n.t('adding…')),
      remove,
    );
  }
}
