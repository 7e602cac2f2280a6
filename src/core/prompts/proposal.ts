import { changeHunks } from './changeHunks.ts';
import { applyHunks } from './lineMerge.ts';
import { type MergedHunk, mergeHunks } from './mergedHunks.ts';

/** One change of a proposal, as it stands against the present text. Lines are counted from 0, ends excluded. */
export interface ProposedChange {
  /** Lines of the present text that it replaces. */
  readonly from: number;
  readonly to: number;
  /** The same place in the text with all pending changes made. */
  readonly proposedFrom: number;
  readonly proposedTo: number;
}

/** One change made in the present text. */
export interface AcceptedChange {
  readonly text: string;
  /** What the proposal is a change of once that text is there. */
  readonly base: string;
}

/**
 * A text that is proposed in place of another, which goes on living: a person may type in it, take one
 * change, undo that. Nothing of theirs is ever overwritten: a change that touches theirs is a conflict.
 * Line ends are `\n`.
 */
export class Proposal {
  /** What the proposal is a change of; the newest last. An undo leads back to an earlier one. */
  readonly #bases: string[];
  #proposed: string;
  #present: string;
  #merged: readonly MergedHunk[];

  constructor(base: string, proposed: string) {
    this.#bases = [base];
    this.#proposed = proposed;
    this.#present = base;
    this.#merged = mergeHunks(base, proposed, base);
  }

  /** The text as it is now. */
  get present(): string {
    return this.#present;
  }

  set present(text: string) {
    if (text === this.#present) return;
    this.#present = text;
    const earlier = this.#bases.lastIndexOf(text);
    if (earlier >= 0) this.#bases.length = earlier + 1;
    this.#merge();
  }

  /** What the answer proposes, without what was rejected. */
  get proposed(): string {
    return this.#proposed;
  }

  /** The present text with all pending changes made. */
  get result(): string {
    return applyHunks(this.#present, this.#pending().map(inPresent));
  }

  changes(): readonly ProposedChange[] {
    let shift = 0;
    return this.#pending().map(({ hunk, from, to }) => {
      const proposedFrom = from + shift;
      shift += hunk.lines.length - (to - from);
      return { from, to, proposedFrom, proposedTo: proposedFrom + hunk.lines.length };
    });
  }

  /** Lines of the present text, from and to, at which a change cannot be made. */
  conflicts(): readonly { readonly from: number; readonly to: number }[] {
    return this.#merged.filter(({ state }) => state === 'conflict').map(({ from, to }) => ({ from, to }));
  }

  /** What taking over one change would make. Nothing is different until it is `made`: an edit may be refused. */
  accept(index: number): AcceptedChange | undefined {
    const change = this.#pending()[index];
    if (change === undefined) return undefined;
    return {
      text: applyHunks(this.#present, [inPresent(change)]),
      base: applyHunks(this.#base(), [change.hunk]),
    };
  }

  /** The change is in the text now. */
  made({ text, base }: AcceptedChange): void {
    // A base of its own, so that an undo is told from a person's change.
    this.#bases.push(base);
    this.#present = text;
    this.#merge();
  }

  reject(index: number): void {
    const change = this.#pending()[index];
    if (change === undefined) return;
    const others = changeHunks(this.#base(), this.#proposed).filter((hunk) => hunk.from !== change.hunk.from);
    this.#proposed = applyHunks(this.#base(), others);
    this.#merge();
  }

  #merge(): void {
    this.#merged = mergeHunks(this.#base(), this.#proposed, this.#present);
  }

  #base(): string {
    return this.#bases.at(-1) ?? '';
  }

  #pending(): readonly MergedHunk[] {
    return this.#merged.filter(({ state }) => state === 'pending');
  }
}

function inPresent({ hunk, from, to }: MergedHunk) {
  return { from, to, lines: hunk.lines };
}
