import type { MediaItemView } from '../../shared/protocol/mediaProtocol.ts';
import { element } from '../kit/element.ts';
import type { Ticker } from '../kit/ticker.ts';
import { ItemCard, type ItemCardActs } from './itemCard.ts';

/** Number of cards created at once. More follow when the user scrolls to them. */
const batch = 12;

/** All runs as cards, newest first. Only cards near the viewport are created and load their files. */
export class GalleryList {
  readonly element = element('div', { class: 'cards' });
  readonly #acts: ItemCardActs;
  readonly #ticker: Ticker;
  readonly #end = element('div', { class: 'cards-end', 'aria-hidden': 'true' });
  readonly #cards = new Map<string, ItemCard>();
  readonly #nearCards: IntersectionObserver;
  readonly #nearEnd: IntersectionObserver;
  /** Newest first. */
  #items: MediaItemView[] = [];
  #made = 0;
  /** ID of the card that is where the last one was deleted. */
  #heir: string | undefined;

  constructor(acts: ItemCardActs, ticker: Ticker) {
    this.#acts = acts;
    this.#ticker = ticker;
    this.#nearCards = new IntersectionObserver(
      (entries) => {
        for (const { target, isIntersecting } of entries) {
          const id = target.getAttribute('data-id');
          if (id !== null) this.#cards.get(id)?.setNear(isIntersecting);
        }
      },
      { rootMargin: '300px' },
    );
    this.#nearEnd = new IntersectionObserver(
      (entries) => {
        // Several can arrive at once, and the last one is current.
        if (entries.at(-1)?.isIntersecting === true) this.#more();
      },
      { rootMargin: '800px' },
    );
  }

  get count(): number {
    return this.#items.length;
  }

  item(id: string): MediaItemView | undefined {
    return this.#items.find((item) => item.id === id);
  }

  showAll(items: readonly MediaItemView[]): void {
    this.#nearCards.disconnect();
    this.#nearEnd.disconnect();
    for (const card of this.#cards.values()) card.dispose();
    this.#cards.clear();
    this.#items = [...items];
    this.#made = 0;
    this.element.replaceChildren(this.#end);
    this.#more();
  }

  /** @returns true if it's new. */
  change(item: MediaItemView): boolean {
    const at = this.#items.findIndex(({ id }) => id === item.id);
    if (at >= 0) {
      this.#items[at] = item;
      this.#cards.get(item.id)?.show(item);
      return false;
    }
    const before = this.#items.findIndex(({ startedAt }) => startedAt <= item.startedAt);
    const place = before === -1 ? this.#items.length : before;
    this.#items.splice(place, 0, item);
    if (place > this.#made) return true;
    const next = this.#items[place + 1];
    const card = this.#make(item);
    const nextCard = next === undefined ? undefined : this.#cards.get(next.id)?.element;
    (nextCard ?? this.#end).before(card.element);
    this.#made += 1;
    return true;
  }

  /** Scrolls its card into view if necessary. */
  reveal(id: string): void {
    this.#cards.get(id)?.element.scrollIntoView({ block: 'nearest' });
  }

  remove(id: string): void {
    const at = this.#items.findIndex((item) => item.id === id);
    if (at === -1) return;
    this.#items.splice(at, 1);
    const card = this.#cards.get(id);
    if (card === undefined) return;
    this.#heir = (this.#items[at] ?? this.#items[at - 1])?.id;
    this.#nearCards.unobserve(card.element);
    card.dispose();
    card.element.remove();
    this.#cards.delete(id);
    this.#made -= 1;
    this.#more();
  }

  /** @returns whether the card exists and now has the focus */
  focus(id: string | undefined): boolean {
    const card = id === undefined ? undefined : this.#cards.get(id);
    card?.focus();
    return card !== undefined;
  }

  /** Moves the focus from a card that is gone to the one in its place, otherwise to the first. */
  focusHeir(): boolean {
    return this.focus(this.#heir) || this.focus(this.#items[0]?.id);
  }

  #more(): void {
    const wanted = Math.min(this.#items.length, Math.max(this.#made + batch, batch));
    for (const item of this.#items.slice(this.#made, wanted)) this.#end.before(this.#make(item).element);
    this.#made = wanted;
    // Observed again, because an end that stays in view is only reported once.
    this.#nearEnd.unobserve(this.#end);
    if (this.#made < this.#items.length) this.#nearEnd.observe(this.#end);
  }

  #make(item: MediaItemView): ItemCard {
    const card = new ItemCard(item, this.#acts, this.#ticker);
    this.#cards.set(item.id, card);
    this.#nearCards.observe(card.element);
    return card;
  }
}
