const SILENCE_MS = 30_000;
const ANSWER_MS = 10_000;

/** What is done when the host says nothing. */
export interface HostWatchActs {
  /** Asks the host for anything at all. */
  ask(): void;
  /** @param silent true when it did not answer; false when it speaks again. */
  silent(silent: boolean): void;
}

/**
 * Notices that the extension host is gone: VS Code leaves an open page without a word about it, a reply
 * would seem to run for ever, and what is typed would reach nobody.
 */
export class HostWatch {
  readonly #acts: HostWatchActs;
  #watching = false;
  /** True after something was sent that the host answers, until it says anything. */
  #expecting = false;
  #silent = false;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(acts: HostWatchActs) {
    this.#acts = acts;
  }

  /** Watches only while something is expected of the host. */
  watch(watching: boolean): void {
    this.#watching = watching;
    this.#wait();
  }

  /** Something was sent that the host answers. */
  expect(): void {
    // More that is sent must not put the question off.
    if (this.#expecting) return;
    this.#expecting = true;
    if (!this.#watching) this.#wait();
  }

  /** Something came from the host. */
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
