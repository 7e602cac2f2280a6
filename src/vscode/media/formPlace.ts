import type * as vscode from 'vscode';
import type { InsertPlace } from './insertPlace.ts';

/** Where the next result of a form is inserted, and where those that are being generated are. */
export class FormPlace implements vscode.Disposable {
  #next: InsertPlace | undefined;
  /** One for each unfinished run. */
  readonly #awaited: InsertPlace[] = [];

  get next(): InsertPlace | undefined {
    return this.#next;
  }

  /** Keeps the position of a run that continues. */
  set next(place: InsertPlace | undefined) {
    const before = this.#next;
    this.#next = place;
    if (before !== undefined && before !== place && !this.#awaited.includes(before)) before.dispose();
  }

  /** Also for the runs that have begun. */
  cancel(): void {
    const before = this.#next;
    this.next = undefined;
    before?.dispose();
  }

  /**
   * Inserts the result of a run once it's over, unless that's canceled by then.
   * @param insert returns false if there was nothing to insert
   * @returns whether it was inserted
   */
  async after(place: InsertPlace, over: Promise<void>, insert: () => Promise<boolean>): Promise<boolean> {
    this.#awaited.push(place);
    let isInserted: boolean;
    try {
      await over;
      isInserted = !place.isCanceled && (await insert());
    } finally {
      this.#awaited.splice(this.#awaited.indexOf(place), 1);
    }
    // One that's gone would fail again each time.
    if ((isInserted || place.isGone) && this.#next === place) this.next = undefined;
    else if (this.#next !== place && !this.#awaited.includes(place)) place.dispose();
    return isInserted;
  }

  dispose(): void {
    this.next = undefined;
  }
}
