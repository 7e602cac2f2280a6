import { changeHunks } from './changeHunks.ts';
import { applyHunks } from './lineMerge.ts';
import { type MergedHunk, mergeHunks } from './mergedHunks.ts';

/** One change of a proposal, relative to the current text. Lines are counted from 0, ends excluded. */
export interface ProposedChange {
  /** Line of the text that the proposal began with. Tells changes apart, whatever happens to the others. */
  readonly origin: number;
  /** Lines of the current text that it replaces. */
  readonly from: number;
  readonly to: number;
  /** The same position in the text with all pending changes made. */
  readonly proposedFrom: number;
  readonly proposedTo: number;
}

/** One change made in the current text. */
export interface AcceptedChange {
  readonly text: string;
  /** The proposal's base text once that change is made. */
  readonly base: string;
  /** Line of the base text at which it begins, and by how many lines it moves those below. */
  readonly at: number;
  readonly by: number;
}

/**
 * A proposed replacement for a text that is still being edited: the user can type in it, apply one change, and undo
 * that. Nothing of the user's is ever overwritten: a change that touches an edit is a conflict. Line breaks are `\n`.
 */
export class Proposal {
  /** The proposal's base texts, newest last. An undo returns to an earlier one. */
  readonly #bases: string[];
  /** How each base text differs from the one before it. */
  readonly #steps: Pick<AcceptedChange, 'at' | 'by'>[] = [];
  #proposed: string;
  #present: string;
  #merged: readonly MergedHunk[];

  constructor(base: string, proposed: string) {
    this.#bases = [base];
    this.#proposed = proposed;
    this.#present = base;
    this.#merged = mergeHunks(base, proposed, base);
  }

  /** The current text. */
  get present(): string {
    return this.#present;
  }

  set present(text: string) {
    if (text === this.#present) return;
    this.#present = text;
    const earlier = this.#bases.lastIndexOf(text);
    if (earlier >= 0) {
      this.#bases.length = earlier + 1;
      this.#steps.length = earlier;
    }
    this.#merge();
  }

  /** The proposed text, without rejected changes. */
  get proposed(): string {
    return this.#proposed;
  }

  /** The current text with all pending changes made. */
  get result(): string {
    return applyHunks(this.#present, this.#pending().map(inPresent));
  }

  changes(): readonly ProposedChange[] {
    let shift = 0;
    return this.#pending().map(({ hunk, from, to }) => {
      const proposedFrom = from + shift;
      shift += hunk.lines.length - (to - from);
      const origin = this.#steps.reduceRight((line, { at, by }) => (line > at ? line - by : line), hunk.from);
      return { origin, from, to, proposedFrom, proposedTo: proposedFrom + hunk.lines.length };
    });
  }

  /** Lines of the current text, from and to, at which a change can't be made. */
  conflicts(): readonly { readonly from: number; readonly to: number }[] {
    return this.#merged.filter(({ state }) => state === 'conflict').map(({ from, to }) => ({ from, to }));
  }

  /** What applying one change would do. Nothing changes until `made`, because an edit can be refused. */
  accept(index: number): AcceptedChange | undefined {
    const change = this.#pending()[index];
    if (change === undefined) return undefined;
    const { from, to, lines } = change.hunk;
    return {
      text: applyHunks(this.#present, [inPresent(change)]),
      base: applyHunks(this.#base(), [change.hunk]),
      at: from,
      by: lines.length - (to - from),
    };
  }

  /** The change is in the text now. */
  made({ text, base, at, by }: AcceptedChange): void {
    // A separate base text, so that an undo is distinguishable from a user's edit.
    this.#bases.push(base);
    this.#steps.push({ at, by });
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
