import { Queue } from './queue.ts';

const RETRY_MS = 5000;

/**
 * Saves what is not on disk yet, and tries again every 5 seconds for as long as that fails. Nothing is dropped: `save`
 * has to keep what it couldn't write.
 */
export class Saver {
  readonly #save: () => Promise<void>;
  readonly #onError: (error: unknown) => void;
  readonly #queue: Queue;
  #isFailing = false;
  #timer: NodeJS.Timeout | undefined;
  /** A try that has not begun, so that it saves what is added until then. */
  #waiting: Promise<boolean> | undefined;

  constructor(deps: {
    /** Writes everything that isn't written yet, or rejects. */
    readonly save: () => Promise<void>;
    /** Told at the first failure, not again before something was saved. */
    readonly onError: (error: unknown) => void;
    /** The work that mustn't run at the same time. */
    readonly queue?: Queue;
  }) {
    this.#save = deps.save;
    this.#onError = deps.onError;
    this.#queue = deps.queue ?? new Queue();
  }

  /** Whether the last try failed, so that there is something that isn't on disk. */
  get isFailing(): boolean {
    return this.#isFailing;
  }

  /** Settles when everything is on disk, or it was reported that it isn't. @returns whether it is on disk */
  save(): Promise<boolean> {
    this.#waiting ??= this.#queue.run(async () => {
      this.#waiting = undefined;
      clearTimeout(this.#timer);
      this.#timer = undefined;
      try {
        await this.#save();
        this.#isFailing = false;
        return true;
      } catch (error) {
        if (!this.#isFailing) this.#onError(error);
        this.#isFailing = true;
        this.#timer = setTimeout(() => void this.save(), RETRY_MS).unref();
        return false;
      }
    });
    return this.#waiting;
  }

  /** Ends the tries. What isn't on disk by then stays so. */
  dispose(): void {
    clearTimeout(this.#timer);
  }
}
