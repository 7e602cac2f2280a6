import { setTimeout as pause } from 'node:timers/promises';

/** VS Code takes less than a second, on a busy machine several. */
const LONGEST_REDRAW_MS = 10_000;

/**
 * How far VS Code is with redrawing a tree. It forgets all rows, asks for the roots, and then for the rows of those that
 * are open. Until it has these, it doesn't know which rows are selected.
 */
export class Redraw {
  readonly #limitMs: number;
  #done: PromiseWithResolvers<void> | undefined;
  #startedMs = 0;
  #areRootsAsked = false;

  constructor(limitMs = LONGEST_REDRAW_MS) {
    this.#limitMs = limitMs;
  }

  /**
   * Whether to tell VS Code that the tree has changed: not if it was told, and will ask for the roots. Telling it again
   * would make it forget the rows that it's about to get.
   */
  start(): boolean {
    const now = performance.now();
    if (this.#done !== undefined && !this.#areRootsAsked && now - this.#startedMs < this.#limitMs) return false;
    this.#done ??= Promise.withResolvers();
    this.#startedMs = now;
    this.#areRootsAsked = false;
    return true;
  }

  rootsAsked(): void {
    this.#areRootsAsked = true;
  }

  /** It was given the rows of an open root, or the roots, and none is open. */
  rowsGiven(): void {
    // It asked for these before the tree changed again.
    if (!this.#areRootsAsked) return;
    this.#done?.resolve();
    this.#done = undefined;
  }

  /** Resolves when VS Code has all rows, or seems not to ask for them. */
  async ended(): Promise<void> {
    await Promise.race([this.#settled(), pause(this.#limitMs, undefined, { ref: false })]);
    // It takes the rows after it was given them.
    await pause(0);
  }

  async #settled(): Promise<void> {
    // The tree might change again meanwhile.
    while (this.#done !== undefined) await this.#done.promise;
  }
}
