import { LengthOffer, type OfferActs } from './lengthOffer.ts';
import { type SummaryActs, SummaryCard } from './summaryCard.ts';

export type LongChatActs = OfferActs & SummaryActs;

/** What helps with a long conversation: the offer, and the summary for a new chat. */
export class LongChatBars {
  readonly offer: LengthOffer;
  readonly summary: SummaryCard;

  constructor(acts: LongChatActs) {
    this.offer = new LengthOffer(acts);
    this.summary = new SummaryCard(acts);
  }
}
