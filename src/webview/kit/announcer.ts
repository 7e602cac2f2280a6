import { element } from './element.ts';

/** Politely announces what users who don't see the page would miss. Never single tokens. */
export class Announcer {
  readonly element = element('div', { class: 'visually-hidden', role: 'status', 'aria-live': 'polite' });

  say(text: string): void {
    // A new node is announced even if the text is the same as last time.
    this.element.replaceChildren(element('span', {}, text));
  }
}
