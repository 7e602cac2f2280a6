import type { SummaryView } from '../../../shared/protocol/chatProtocol.ts';
import { element } from '../../kit/element.ts';
import type { OfferedLength } from './lengthOffer.ts';
import type { LongChatActs, LongChatBars } from './longChatBars.ts';

/** The place above the message box for the bars about a long conversation. They're loaded with the first one. */
export class LateLength {
  readonly element = element('div', {});
  readonly #acts: LongChatActs;
  readonly #appeared: () => void;
  #offered: OfferedLength | undefined;
  #summary: SummaryView | undefined;
  #bars: LongChatBars | undefined;
  #isLoading = false;

  /** @param appeared called when there are new buttons */
  constructor(acts: LongChatActs, appeared: () => void) {
    this.#acts = acts;
    this.#appeared = appeared;
  }

  /** @param offered undefined hides the offer */
  offer(offered: OfferedLength | undefined): void {
    this.#offered = offered;
    if (this.#bars !== undefined) this.#bars.offer.show(offered);
    else if (offered !== undefined) void this.#load();
  }

  summarize(summary: SummaryView | undefined): void {
    this.#summary = summary;
    if (this.#bars !== undefined) this.#bars.summary.show(summary);
    else if (summary !== undefined) void this.#load();
  }

  async #load(): Promise<void> {
    if (this.#isLoading) return;
    this.#isLoading = true;
    const { LongChatBars: Bars } = await import('./longChatBars.ts');
    this.#bars = new Bars(this.#acts);
    const { offer, summary } = this.#bars;
    this.element.append(offer.element, summary.element);
    offer.show(this.#offered);
    summary.show(this.#summary);
    this.#appeared();
  }
}
