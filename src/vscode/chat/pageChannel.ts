import type { ToPage } from '../../shared/protocol/chatProtocol.ts';
import type { Unnumbered } from '../../shared/protocol/pageMessage.ts';

const FRAME_MS = 16;

export type PageFact = Unnumbered<ToPage>;

interface Numbered {
  readonly type: string;
  readonly seq: number;
}

interface ChannelPort<Message> {
  post(message: Message): void;
  skipped(message: Pick<Numbered, 'type'>): void;
}

interface Growth {
  readonly replyId: string;
  readonly part: 'text' | 'reasoning';
  readonly offset: number;
  text: string;
  pieces: number;
}

/**
 * The channel from the host to one page. It numbers every message, and collects growing text so that at most one
 * message per frame and reply is posted. The first growth after a pause is posted at once.
 * @typeParam Message what the page accepts, including `replyGrew`
 */
export class PageChannel<Message extends Numbered = ToPage> {
  readonly #port: ChannelPort<Message>;
  #seq = 0;
  #growths: Growth[] = [];
  #timer: NodeJS.Timeout | undefined;
  #hasPage = false;
  #open = false;
  readonly #waiting: Unnumbered<Message>[] = [];

  constructor(port: ChannelPort<Message>) {
    this.#port = port;
  }

  /** Whether there's a page that has received everything. */
  get isOpen(): boolean {
    return this.#open;
  }

  /** A page has sent `ready`. */
  arrived(): void {
    this.#hasPage = true;
  }

  /**
   * The page gets everything, and from then on what is new.
   * @returns false if there's no page, or it was hidden meanwhile: the next one will ask for everything itself
   */
  start(snapshot: Extract<Unnumbered<Message>, { type: 'snapshot' }>): boolean {
    if (!this.#hasPage) return false;
    this.#growths = [];
    this.#open = true;
    this.#send(snapshot);
    for (const fact of this.#waiting.splice(0)) this.post(fact);
    return true;
  }

  /** The page is gone or hidden. It sends `ready` when it's back. */
  pause(): void {
    this.#hasPage = false;
    this.#open = false;
    this.#growths = [];
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  post(fact: Unnumbered<Message>): void {
    if (!this.#open) return this.#port.skipped(fact);
    this.#flush();
    this.#send(fact);
  }

  /**
   * Posts what no snapshot includes: now, or right after the snapshot of a page that's still loading, or opened later. As
   * in an open page, all of it arrives, in order.
   */
  postWhenOpen(fact: Unnumbered<Message>): void {
    if (this.#open) this.post(fact);
    else this.#waiting.push(fact);
  }

  /** A page that opens later gets this text with its snapshot. @param offset length of the part before `text` */
  grow(replyId: string, part: 'text' | 'reasoning', offset: number, text: string): void {
    if (!this.#open) return;
    const last = this.#growths.findLast((growth) => growth.replyId === replyId);
    if (last?.part === part) {
      last.text += text;
      last.pieces += 1;
    } else this.#growths.push({ replyId, part, offset, text, pieces: 1 });
    if (this.#timer !== undefined) return;
    this.#flush();
    this.#timer = setTimeout(() => this.#frame(), FRAME_MS);
  }

  #frame(): void {
    this.#timer = undefined;
    if (this.#growths.length === 0) return;
    this.#flush();
    this.#timer = setTimeout(() => this.#frame(), FRAME_MS);
  }

  #flush(): void {
    const growths = this.#growths;
    this.#growths = [];
    for (const { pieces, ...growth } of growths) {
      this.#send({ type: 'replyGrew', ...growth, ...(pieces > 1 && { pieces }) });
    }
  }

  #send(fact: Pick<Numbered, 'type'>): void {
    this.#seq += 1;
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a fact with its number, or growth, which every page with a channel takes
    this.#port.post({ ...fact, seq: this.#seq } as unknown as Message);
  }
}
