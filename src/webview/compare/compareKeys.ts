import { isImeKey } from '../kit/keys.ts';
import type { ColumnStrip } from './columnStrip.ts';
import type { VoteBar } from './voteBar.ts';

interface KeyTargets {
  readonly strip: ColumnStrip;
  readonly composer: { focus(): void; closeParameters(): boolean };
  /** @returns false if there's none to dismiss */
  readonly notes: { dismissNewest(): boolean };
  readonly vote: VoteBar;
  /**
   * Stops what is being written.
   * @returns false if nothing is
   */
  readonly stop: () => false | void;
}

/** Keys of the whole page: Escape, F6, those of a vote, and arrows in the tabs. */
export function compareKeys(event: KeyboardEvent, targets: KeyTargets): void {
  if (isImeKey(event) || event.defaultPrevented) return;
  if (isTaken(event, targets)) event.preventDefault();
}

function isTaken(event: KeyboardEvent, { strip, composer, notes, vote, stop }: KeyTargets): boolean {
  const { key, shiftKey, target } = event;
  if (key === 'Escape') return stop() !== false || composer.closeParameters() || notes.dismissNewest();
  if (!vote.element.hidden && !isTyping(event) && vote.takes(key)) return true;
  if (key === 'F6') {
    goOn(strip, composer, shiftKey);
    return true;
  }
  return target instanceof Element && target.closest('.compare-tabs') !== null && strip.moveTab(key);
}

/** From column to column, then to the composer. */
function goOn({ stops: columns }: ColumnStrip, composer: KeyTargets['composer'], isBack: boolean): void {
  const stops = [...columns, composer];
  const active = document.activeElement;
  const at = columns.findIndex(({ element }) => element.contains(active));
  const from = at === -1 ? stops.length - 1 : at;
  stops.at((from + (isBack ? -1 : 1)) % stops.length)?.focus();
}

/** A key that's a letter in a text, or that a button treats as a click. */
function isTyping({ target, ctrlKey, metaKey, altKey }: KeyboardEvent): boolean {
  const isField = target instanceof HTMLTextAreaElement || target instanceof HTMLInputElement;
  return ctrlKey || metaKey || altKey || isField || target instanceof HTMLSelectElement;
}
