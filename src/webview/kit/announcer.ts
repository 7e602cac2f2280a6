import { element } from './element.ts';

/** Says in words, politely, what a person who does not see the page would miss. Never single tokens. */
export class Announcer {
  readonly element = element('div', { class: 'visually-hidden', role: 'status', 'aria-live': 'polite' });

  say(text: string): void {
    // A fresh node is announced even when the words are those of the last time.
    this.element.replaceChildren(element('span', {}, text));
  }
}
