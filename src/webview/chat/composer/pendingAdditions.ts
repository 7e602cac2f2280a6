import * as l10n from '@vscode/l10n';
import type { Problem } from '../../../shared/problem.ts';
import { additionProblems } from '../../../words/additionProblems.ts';
import { element, icon, iconButton } from '../../kit/element.ts';

const PATIENCE_MS = 15_000;

/** How the row of chips handles what is on its way. */
export interface PendingActs {
  readonly say: (text: string) => void;
  /** The user canceled it. */
  readonly givenUp: (id: string) => void;
  /** Something probably won't arrive, so no message waits for it anymore. */
  readonly late: (problem: Problem) => void;
  /** It's no longer late: it arrived after all, failed, or was canceled. */
  readonly settled: (problem: Problem) => void;
}

interface Pending {
  readonly name: string;
  /** It comes with something else: if it fails, a message that waits is sent without it. */
  readonly isOptional: boolean;
  timer: ReturnType<typeof setTimeout> | undefined;
  late: Problem | undefined;
}

/**
 * Attachments that haven't arrived yet, by the ID that they'll have. A message that is sent in the meantime waits for
 * them, because it should include what the user saw. No message waits forever: after a while the chip says that nothing
 * arrived, and stays in case it arrives late. That time begins again with each arrival and each failure, and doesn't pass
 * while the user is being asked something.
 */
export class PendingAdditions {
  readonly #acts: PendingActs;
  readonly #additions = new Map<string, Pending>();
  #then: (() => void) | undefined;
  #isAsking = false;

  constructor(acts: PendingActs) {
    this.#acts = acts;
  }

  get count(): number {
    return [...this.#additions.values()].filter(({ late }) => late === undefined).length;
  }

  /** True while a message is waiting. */
  get isWaitedFor(): boolean {
    return this.#then !== undefined;
  }

  /** @param isOptional true if a message that waits is sent without it if it fails */
  begin(id: string, name: string, isOptional = false): void {
    this.#additions.set(id, { name, isOptional, timer: this.#patience(id), late: undefined });
  }

  /** The host asks the user something, or has the answer. */
  asking(isAsking: boolean): void {
    if (isAsking === this.#isAsking) return;
    this.#isAsking = isAsking;
    this.#renew();
  }

  has(id: string): boolean {
    return this.#additions.has(id);
  }

  /** Runs a callback when everything has arrived. @returns false if nothing is on its way */
  waits(then: () => void): boolean {
    if (this.count === 0) return false;
    this.#then = then;
    this.#acts.say(l10n.t('Waiting for attachments'));
    return true;
  }

  /** The message is no longer the one that was waiting. */
  stopWaiting(): void {
    if (this.#then === undefined) return;
    this.#then = undefined;
    this.#acts.say(l10n.t('Not sent: the message changed'));
  }

  /** Another conversation is shown: everything that arrives now belongs to the previous one, and so did the message. */
  forget(): void {
    for (const id of this.#additions.keys()) this.#take(id);
    this.#then = undefined;
  }

  arrived(id: string): void {
    this.#take(id);
  }

  /**
   * It failed. The message isn't sent without it, because the user must know first, unless it's optional: call `settle`
   * afterwards.
   */
  failed(id: string): boolean {
    const isOptional = this.#additions.get(id)?.isOptional;
    if (!this.#take(id)) return false;
    if (isOptional !== true) this.#then = undefined;
    return true;
  }

  /** Sends the waiting message once nothing is on its way anymore. */
  settle(): void {
    if (this.count > 0) return;
    const then = this.#then;
    this.#then = undefined;
    then?.();
  }

  chips(): readonly HTMLElement[] {
    return [...this.#additions].map(([id, { name, late }]) => this.#chip(id, name, late !== undefined));
  }

  #renew(): void {
    for (const [id, addition] of this.#additions) {
      clearTimeout(addition.timer);
      if (addition.late === undefined) addition.timer = this.#patience(id);
    }
  }

  #patience(id: string): Pending['timer'] {
    return this.#isAsking ? undefined : setTimeout(() => this.#late(id), PATIENCE_MS);
  }

  #take(id: string): boolean {
    const addition = this.#additions.get(id);
    if (addition === undefined) return false;
    clearTimeout(addition.timer);
    this.#additions.delete(id);
    if (addition.late !== undefined) this.#acts.settled(addition.late);
    // The host takes one after another, so those after this one have only begun to wait.
    this.#renew();
    return true;
  }

  #late(id: string): void {
    const addition = this.#additions.get(id);
    if (addition === undefined) return;
    addition.late = additionProblems.late(addition.name);
    if (!addition.isOptional) this.#then = undefined;
    this.#acts.late(addition.late);
    this.settle();
  }

  #chip(id: string, name: string, isLate: boolean): HTMLElement {
    const remove = iconButton('close', l10n.t('Remove {0}', name), () => {
      if (!this.failed(id)) return;
      this.#acts.givenUp(id);
      this.settle();
    });
    remove.classList.add('chip-remove');
    return element(
      'li',
      { class: `chip ${isLate ? 'late' : 'pending'}`, 'data-id': id, 'aria-busy': String(!isLate) },
      icon(isLate ? 'warning' : 'loading'),
      element('span', { class: 'chip-name' }, name),
      element('span', { class: 'chip-size' }, isLate ? l10n.t('not added') : l10n.t('adding…')),
      remove,
    );
  }
}
