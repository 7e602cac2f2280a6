import { ChangeEvent } from '../../core/changeEvent.ts';

/** Parlance's open questions in this window. A user can take as long as they like to answer. */
class OpenQuestions {
  readonly #changed = new ChangeEvent();
  #count = 0;

  get isAsking(): boolean {
    return this.#count > 0;
  }

  /** @returns a function that ends the subscription. */
  readonly onDidChange = this.#changed.listen;

  /** Settles with the answer. */
  async during<T>(answer: Thenable<T>): Promise<T> {
    try {
      this.#add(1);
      return await answer;
    } finally {
      this.#add(-1);
    }
  }

  #add(change: 1 | -1): void {
    const before = this.isAsking;
    this.#count += change;
    if (this.isAsking !== before) this.#changed.fire();
  }
}

export const openQuestions = new OpenQuestions();
