import { Queue } from './queue.ts';

const RETRY_MS = 5000;

/**
 * Saves what isn't on disk yet, and retries every 5 seconds until that succeeds. Nothing is dropped: `save` must keep
 * what it couldn't write.
 */
export class Saver {
  readonly #save: () => Promise<void>;
  readonly #onError: (error: unknown) => void;
  readonly #onSaved: () => void;
  readonly #queue: Queue;
  #isFailing = false;
  #timer: NodeJS.Timeout | undefined;
  /** An attempt that hasn't started yet: it will also save what is added until it does. */
  #waiting: Promise<boolean> | undefined;

  constructor(deps: {
    /** Writes everything that isn't on disk yet, or rejects. */
    readonly save: () => Promise<void>;
    /** Called at the first failure, and not again until something was saved. */
    readonly onError: (error: unknown) => void;
    /** Called when everything is on disk again after a failure. */
    readonly onSaved?: () => void;
    /** Tasks that must not run at the same time. */
    readonly queue?: Queue;
  }) {
    this.#save = deps.save;
    this.#onError = deps.onError;
    this.#onSaved = deps.onSaved ?? (() => undefined);
    this.#queue = deps.queue ?? new Queue();
  }

  /** Settles once everything is on disk or the failure was reported. @returns whether it's on disk */
  save(): Promise<boolean> {
    this.#waiting ??= this.#queue.run(async () => {
      this.#waiting = undefined;
      clearTimeout(this.#timer);
      this.#timer = undefined;
      try {
        await this.#save();
        if (this.#isFailing) this.#onSaved();
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

  /** Stops retrying. Anything that isn't on disk by then won't be saved. */
  dispose(): void {
    clearTimeout(this.#timer);
  }
}
