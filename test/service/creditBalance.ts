import { ServiceError } from './serviceError.ts';

/** Credits that requests use up. A request is accepted while any are left, and charged when it ends. */
export class CreditBalance {
  #left: number;

  constructor(credits: number) {
    this.#left = credits;
  }

  get left(): number {
    return this.#left;
  }

  /** @throws {ServiceError} 402 when nothing is left. */
  check(): void {
    if (this.#left <= 0) throw new ServiceError(402, 'The account has no credits left.');
  }

  charge(credits: number): void {
    this.#left = Math.max(0, this.#left - credits);
  }

  add(credits: number): void {
    this.#left += credits;
  }
}
