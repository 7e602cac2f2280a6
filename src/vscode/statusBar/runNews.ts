/** How a prompt ended: an icon's name, and words. */
export interface RunEndWords {
  readonly icon: string;
  readonly words: string;
  /** What the marks in the words mean. */
  readonly notes?: readonly string[];
}

// Long enough to look from the text to the bar, short enough that the model is there for the next prompt.
const shownMs = 15_000;

/** How the last prompt ended, for as long as it is news. */
export class RunNews {
  readonly #onDidChange: () => void;
  readonly #later: Later;
  #end: RunEndWords | undefined;
  #cancel: (() => void) | undefined;

  constructor(onDidChange: () => void, later: Later = systemLater) {
    this.#onDidChange = onDidChange;
    this.#later = later;
  }

  /** Undefined when there is none. */
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

/** Runs something after so many milliseconds, unless what it gives is called before. */
export type Later = (run: () => void, delayMs: number) => () => void;

export function systemLater(run: () => void, delayMs: number): () => void {
  const timer = setTimeout(run, delayMs);
  return () => clearTimeout(timer);
}
