import type { SummaryView } from '../../../shared/protocol/chatProtocol.ts';
import { LengthOffer, type OfferActs, type OfferedLength } from './lengthOffer.ts';
import { type SummaryActs, SummaryCard } from './summaryCard.ts';

export type LongChatActs = OfferActs & SummaryActs;

/** What helps with a long conversation: the offer, and the summary for a new chat. */
export class LongChatBars {
  readonly #offer: LengthOffer;
  readonly #summary: SummaryCard;

  constructor(acts: LongChatActs) {
    this.#offer = new LengthOffer(acts);
    this.#summary = new SummaryCard(acts);
  }

  get elements(): readonly HTMLElement[] {
    return [this.#offer.element, this.#summary.element];
  }

  offer(offered: OfferedLength | undefined): void {
    if (offered === undefined) this.#offer.hide();
    else this.#offer.show(offered);
  }

  summarize(summary: SummaryView | undefined): void {
    this.#summary.show(summary);
  }
}
