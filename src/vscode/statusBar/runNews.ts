import { type Later, systemLater } from '../platform/timers/later.ts';

/** How a prompt ended: the name of an icon, and text. */
export interface RunEndWords {
  readonly icon: string;
  readonly words: string;
  /** The meaning of the marks in the text. */
  readonly notes?: readonly string[];
}

// In milliseconds: long enough to look from the text to the status bar, short enough that the model is back for the
// next prompt.
const shownMs = 15_000;

/** How the last prompt ended, for a short time. */
export class RunNews {
  readonly #onDidChange: () => void;
  readonly #later: Later;
  #end: RunEndWords | undefined;
  #cancel: (() => void) | undefined;

  constructor(onDidChange: () => void, later: Later = systemLater) {
    this.#onDidChange = onDidChange;
    this.#later = later;
  }

  /** Undefined when there's none. */
  get end(): RunEndWords | undefined {
    return this.#end;
  }

  tell(end: RunEndWords): void {
    this.#cancel?.();
    this.#end = end;
    this.#cancel = this.#later(() => {
      this.#end = undefined;
      this.#onDidChange();
    }, shownMs);
    this.#onDidChange();
  }

  dispose(): void {
    this.#cancel?.();
  }
}
