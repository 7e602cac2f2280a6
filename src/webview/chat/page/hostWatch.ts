const SILENCE_MS = 30_000;
const ANSWER_MS = 10_000;

/** What to do when the host doesn't respond. */
export interface HostWatchActs {
  /** Sends the host something that it responds to. */
  ask(): void;
  /** @param silent true if it didn't respond; false when it does again. */
  silent(silent: boolean): void;
}

/**
 * Notices when the extension host is gone. VS Code doesn't tell an open page, in which a reply would seem to run
 * forever, and typed text would reach nobody.
 */
export class HostWatch {
  readonly #acts: HostWatchActs;
  #watching = false;
  /** True after a message that the host responds to was sent, until the host sends anything. */
  #expecting = false;
  #silent = false;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(acts: HostWatchActs) {
    this.#acts = acts;
  }

  /** Only watches while a response is expected. */
  watch(watching: boolean): void {
    this.#watching = watching;
    this.#wait();
  }

  /** A message that the host responds to was sent. */
  expect(): void {
    // Sending more must not delay the check.
    if (this.#expecting) return;
    this.#expecting = true;
    if (!this.#watching) this.#wait();
  }

  /** Something arrived from the host. */
  heard(): void {
    if (this.#silent) this.#acts.silent(false);
    this.#silent = false;
    this.#expecting = false;
    this.#wait();
  }

  #wait(): void {
    clearTimeout(this.#timer);
    const waits = (this.#watching || this.#expecting) && !this.#silent;
    if (waits) this.#timer = setTimeout(() => this.#ask(), SILENCE_MS);
  }

  #ask(): void {
    this.#timer = setTimeout(() => {
      this.#silent = true;
      this.#acts.silent(true);
    }, ANSWER_MS);
    this.#acts.ask();
  }
}
