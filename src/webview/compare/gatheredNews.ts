import { Announcer } from '../kit/announcer.ts';
import { raceStartWords } from './race/raceNews.ts';

/** Several can start or end at the same moment, and each is announced. */
const SAY_MS = 120;

/** Announcements for screen readers. News that arrives at about the same time becomes one announcement. */
export class GatheredNews {
  readonly #announcer = new Announcer();
  #said: string[] = [];
  #begun: string[] = [];

  get element(): HTMLElement {
    return this.#announcer.element;
  }

  say(text: string): void {
    this.#gather();
    this.#said.push(text);
  }

  /** Columns that are asked together are announced together, but each announces its own end. */
  begun(name: string): void {
    this.#gather();
    this.#begun.push(name);
  }

  /** The first item starts the wait for others. */
  #gather(): void {
    if (this.#said.length + this.#begun.length === 0) setTimeout(() => this.#speak(), SAY_MS);
  }

  #speak(): void {
    const begun = this.#begun.splice(0);
    const started = begun.length === 0 ? [] : [raceStartWords(begun)];
    this.#announcer.say([...started, ...this.#said.splice(0)].join(' '));
  }
}
