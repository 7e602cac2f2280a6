import type { Carriage } from './carrier.ts';

/** A handle that stays the same while the carrier of the request changes. */
export class SwitchedCarriage implements Carriage {
  #current: Carriage | undefined;
  #isOver = false;

  /** The holder needs nothing more. */
  get isOver(): boolean {
    return this.#isOver;
  }

  use(carriage: Carriage): void {
    this.#current = carriage;
    if (this.#isOver) carriage.destroy();
  }

  pause(): void {
    this.#current?.pause();
  }

  resume(): void {
    this.#current?.resume();
  }

  finish(): void {
    this.#isOver = true;
    this.#current?.finish();
  }

  destroy(): void {
    this.#isOver = true;
    this.#current?.destroy();
  }
}
