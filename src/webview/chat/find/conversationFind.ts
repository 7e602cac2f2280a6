import type { FoundMessage, ToHost } from '../../../shared/protocol/chatProtocol.ts';
import { findText } from '../../../shared/text/findText.ts';
import { type Pace, Paced } from '../../../shared/paced.ts';
import type { FrameLoop } from '../../kit/frameLoop.ts';
import type { PageState } from '../page/pageState.ts';
import type { FindBar } from './findBar.ts';
import { FoundMessages, type FoundPlace } from './foundMessages.ts';
import { showRange } from './showRange.ts';
import { textRanges } from './textRanges.ts';

/** The parts of the transcript that finding needs. */
export interface SearchedTranscript {
  /** Brings a loaded message into the page. */
  reveal(id: string): void;
  /** The element with a message's text, if it's in the page. */
  textOf(id: string): Element | undefined;
}

/** What a search needs from the page. */
export interface FindFrame {
  readonly transcript: SearchedTranscript;
  /** With the loaded messages. */
  readonly state: Pick<PageState, 'now'>;
  /** Which draws the messages. */
  readonly frames: Pick<FrameLoop, 'isBusyIn'>;
  readonly post: (message: ToHost) => void;
}

const FOUND = 'parlance-found';
const CURRENT = 'parlance-found-current';
/** More marks than anyone looks at would slow down the page. */
const MAX_MARKS = 5000;
/** A reply that is being written changes with every frame, and a long conversation takes a while to search. */
const PACE: Pace = { leastMs: 200, share: 0.1 };

/**
 * Finds text in the whole conversation: in rendered messages by their rendered text, in other loaded ones by their
 * source, and in the rest by asking the host. Matches are marked with the browser's highlights, which change no
 * element.
 */
export class ConversationFind {
  readonly #bar: Pick<FindBar, 'query' | 'show'>;
  readonly #frame: FindFrame;
  readonly #found = new FoundMessages();
  #older: readonly FoundMessage[] = [];
  /** The match to go to, until it's loaded and rendered. */
  #wanted: FoundPlace | undefined;
  #step: 1 | -1 = 1;
  #request = 0;
  #asked = '';
  /** What the host was last asked to load, so that it's only asked once. */
  #loading = '';
  /** Ends the scrolling to a match. */
  #endShowing: (() => void) | undefined;
  readonly #pace = new Paced(() => this.#refresh(), PACE, globalThis);

  constructor(frame: FindFrame, bar: Pick<FindBar, 'query' | 'show'>) {
    this.#frame = frame;
    this.#bar = bar;
  }

  /** The search text has changed. */
  search(): void {
    this.#endShowing?.();
    this.#found.goTo(undefined);
    this.#wanted = undefined;
    this.#older = [];
    this.#asked = '';
    this.#refresh();
  }

  /** Goes to the next match, or to the one before. */
  go(step: 1 | -1): void {
    this.#step = step;
    this.#wanted = this.#found.next(step);
    this.#refresh();
  }

  end(): void {
    this.#endShowing?.();
    this.#pace.stop();
    this.#wanted = undefined;
    CSS.highlights.delete(FOUND);
    CSS.highlights.delete(CURRENT);
  }

  /** What the host found in messages that aren't loaded. */
  foundOlder(request: number, older: readonly FoundMessage[]): void {
    if (request !== this.#request) return;
    this.#older = older;
    this.#refresh();
  }

  /** Messages arrived, changed, or were rendered. */
  changed(): void {
    if (this.#wanted === undefined) this.#pace.soon();
    else this.#refresh();
  }

  #refresh(): void {
    const { query } = this.#bar;
    const { messages } = this.#frame.state.now;
    this.#askHost(query, messages[0]?.id);
    if (this.#wanted !== undefined) this.#bringIn(this.#wanted);
    const loaded = new Set(messages.map(({ id }) => id));
    const ranges = new Map<string, readonly Range[]>();
    const drawn = new Set<string>();
    const counts = messages.map(({ id, text }) => {
      const root = this.#frame.transcript.textOf(id);
      const inMessage = root === undefined ? [] : textRanges(root, query);
      if (root !== undefined) ranges.set(id, inMessage);
      if (root === undefined || this.#frame.frames.isBusyIn(root)) return { id, count: findText(text, query).length };
      drawn.add(id);
      return { id, count: inMessage.length };
    });
    const all = [...this.#older.filter(({ id }) => !loaded.has(id)), ...counts];
    // On the way to a match, a message that turns out to show none is skipped.
    this.#found.set(all, this.#wanted && this.#step);
    if (this.#wanted !== undefined && drawn.has(this.#wanted.id)) this.#arrive(this.#wanted, ranges);
    this.#mark(ranges);
    this.#bar.show(this.#found.position, this.#found.total);
  }

  /** Once for each search text, and for each start of the loaded messages. */
  #askHost(query: string, beforeId: string | undefined): void {
    const asked = `${beforeId} ${query}`;
    if (query === '' || beforeId === undefined || !this.#frame.state.now.hasOlder || asked === this.#asked) return;
    this.#asked = asked;
    this.#request += 1;
    this.#frame.post({ type: 'find', request: this.#request, query, beforeId });
  }

  #bringIn({ id }: FoundPlace): void {
    const { messages } = this.#frame.state.now;
    const first = messages[0];
    if (messages.some((message) => message.id === id)) {
      this.#frame.transcript.reveal(id);
      return;
    }
    const loading = `${first?.id} ${id}`;
    if (first === undefined || loading === this.#loading) return;
    this.#loading = loading;
    this.#frame.post({ type: 'loadOlder', beforeId: first.id, throughId: id });
  }

  /** Goes to the wanted match, which is rendered, or past it if the page doesn't show that part of the source. */
  #arrive(wanted: FoundPlace, ranges: ReadonlyMap<string, readonly Range[]>): void {
    const { current } = this.#found;
    const inMessage = ranges.get(wanted.id) ?? [];
    if (inMessage.length === 0) {
      this.#wanted = current;
      if (current !== undefined) queueMicrotask(() => this.#refresh());
      return;
    }
    const { index } = current ?? wanted;
    const range = inMessage[Math.min(index, inMessage.length - 1)];
    this.#wanted = undefined;
    const at = range?.startContainer.parentElement;
    if (!at) return;
    const fold = at.closest('details');
    if (fold !== null) fold.open = true;
    // What is collapsed listens to it, as to the browser's own search.
    at.dispatchEvent(new Event('beforematch', { bubbles: true }));
    this.#endShowing?.();
    this.#endShowing = showRange(range, at);
  }

  #mark(ranges: ReadonlyMap<string, readonly Range[]>): void {
    const { current } = this.#found;
    const now = current === undefined ? undefined : ranges.get(current.id)?.[current.index];
    const others = [...ranges.values()].flat().filter((range) => range !== now);
    CSS.highlights.set(FOUND, new Highlight(...others.slice(0, MAX_MARKS)));
    CSS.highlights.set(CURRENT, new Highlight(...(now === undefined ? [] : [now])));
  }
}
