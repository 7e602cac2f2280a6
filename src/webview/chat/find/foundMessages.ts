import type { FoundMessage } from '../../../shared/protocol/chatProtocol.ts';

/** One match: the `index`-th in a message. */
export interface FoundPlace {
  readonly id: string;
  readonly index: number;
}

/** The matches in a conversation, by message, and the current one. */
export class FoundMessages {
  #messages: readonly FoundMessage[] = [];
  #current: FoundPlace | undefined;

  get current(): FoundPlace | undefined {
    return this.#current;
  }

  get total(): number {
    return this.#messages.reduce((sum, { count }) => sum + count, 0);
  }

  /** Position of the current match among all, from 1; 0 without one. */
  get position(): number {
    const at = this.#messages.findIndex(({ id }) => id === this.#current?.id);
    if (this.#current === undefined || at === -1) return 0;
    return this.#messages.slice(0, at).reduce((sum, { count }) => sum + count, 0) + this.#current.index + 1;
  }

  /**
   * All matches, oldest message first, including the messages without any. The current match is kept if it still
   * exists.
   * @param step which way to continue from a message without any, instead of to no match
   */
  set(messages: readonly FoundMessage[], step?: 1 | -1): void {
    this.#messages = messages.filter(({ count }) => count > 0);
    if (this.#current === undefined) return;
    const at = messages.findIndex(({ id }) => id === this.#current?.id);
    const count = messages[at]?.count ?? 0;
    if (this.#current.index < count) return;
    if (count > 0) this.#current = { id: this.#current.id, index: count - 1 };
    else this.#current = step === undefined || at === -1 ? undefined : this.#beside(messages, at, step);
  }

  #beside(messages: readonly FoundMessage[], at: number, step: 1 | -1): FoundPlace | undefined {
    const onwards = [...messages.slice(at + 1), ...messages.slice(0, at)];
    return step === 1
      ? firstIn(onwards.find(({ count }) => count > 0))
      : lastIn(onwards.findLast(({ count }) => count > 0));
  }

  goTo(place: FoundPlace | undefined): void {
    this.#current = place;
  }

  /** The match after the current one, or before it, wrapping around. Without a current one, the last. */
  next(step: 1 | -1): FoundPlace | undefined {
    const places = this.#messages;
    const at = places.findIndex(({ id }) => id === this.#current?.id);
    if (this.#current === undefined || at === -1) this.#current = lastIn(places.at(-1));
    else {
      const index = this.#current.index + step;
      if (index >= 0 && index < (places[at]?.count ?? 0)) this.#current = { id: this.#current.id, index };
      else if (step === 1) this.#current = firstIn(places[(at + 1) % places.length]);
      else this.#current = lastIn(places.at(at - 1));
    }
    return this.#current;
  }
}

function firstIn(message: FoundMessage | undefined): FoundPlace | undefined {
  return message && { id: message.id, index: 0 };
}

function lastIn(message: FoundMessage | undefined): FoundPlace | undefined {
  return message && { id: message.id, index: message.count - 1 };
}
