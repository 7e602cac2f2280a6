import type { MessageView } from '../../../shared/chat.ts';
import type { FoundMessage, ToHost } from '../../../shared/chatProtocol.ts';
import { findText } from '../../../shared/findText.ts';
import { FindBar } from './findBar.ts';
import { FoundMessages, type FoundPlace } from './foundMessages.ts';
import { textRanges } from './textRanges.ts';

/** The parts of the transcript that finding needs. */
export interface SearchedTranscript {
  /** Brings a loaded message into the page. */
  reveal(id: string): void;
  /** The element with a message's text, if it's in the page. */
  textOf(id: string): Element | undefined;
}

/** What the find bar needs from the page. */
export interface FindFrame {
  readonly transcript: SearchedTranscript;
  /** The loaded messages, oldest first. */
  readonly messages: () => readonly MessageView[];
  readonly hasOlder: () => boolean;
  /** True while something is still being drawn. */
  readonly isDrawing: () => boolean;
  readonly post: (message: ToHost) => void;
  readonly closed: () => void;
}

const FOUND = 'parlance-found';
const CURRENT = 'parlance-found-current';
/** More marks than anyone looks at would slow down the page. */
const MAX_MARKS = 5000;
/** A reply that is being written changes with every frame. */
const SETTLE_MS = 200;

/**
 * Finds text in the whole conversation: in rendered messages by their rendered text, in other loaded ones by their
 * source, and in the rest by asking the host. Matches are marked with the browser's highlights, which change no
 * element.
 */
export class ConversationFind {
  readonly bar: FindBar;
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
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(frame: FindFrame) {
    this.#frame = frame;
    this.bar = new FindBar({
      search: () => this.#search(),
      next: (step) => this.#go(step),
      close: () => this.close(),
    });
  }

  get isOpen(): boolean {
    return !this.bar.element.hidden;
  }

  open(): void {
    this.bar.open();
    this.#search();
  }

  close(): void {
    if (!this.isOpen) return;
    clearTimeout(this.#timer);
    this.#wanted = undefined;
    this.bar.close();
    CSS.highlights.delete(FOUND);
    CSS.highlights.delete(CURRENT);
    this.#frame.closed();
  }

  /** What the host found in messages that aren't loaded. */
  foundOlder(request: number, older: readonly FoundMessage[]): void {
    if (request !== this.#request) return;
    this.#older = older;
    this.#refresh();
  }

  /** Messages arrived, changed, or were rendered. */
  changed(): void {
    if (!this.isOpen) return;
    clearTimeout(this.#timer);
    if (this.#wanted === undefined) this.#timer = setTimeout(() => this.#refresh(), SETTLE_MS);
    else this.#refresh();
  }

  #search(): void {
    this.#found.goTo(undefined);
    this.#wanted = undefined;
    this.#older = [];
    this.#asked = '';
    this.#refresh();
  }

  #go(step: 1 | -1): void {
    this.#step = step;
    this.#wanted = this.#found.next(step);
    this.#refresh();
  }

  #refresh(): void {
    const { query } = this.bar;
    const messages = this.#frame.messages();
    this.#askHost(query, messages[0]?.id);
    if (this.#wanted !== undefined) this.#bringIn(this.#wanted);
    const loaded = new Set(messages.map(({ id }) => id));
    const ranges = new Map<string, readonly Range[]>();
    const counts = messages.map(({ id, text }) => {
      const root = this.#frame.transcript.textOf(id);
      if (root === undefined || this.#frame.isDrawing()) return { id, count: findText(text, query).length };
      const inMessage = textRanges(root, query);
      ranges.set(id, inMessage);
      return { id, count: inMessage.length };
    });
    this.#found.set([...this.#older.filter(({ id }) => !loaded.has(id)), ...counts]);
    this.#arrive(ranges);
    this.#mark(ranges);
    this.bar.show(this.#found.position, this.#found.total);
  }

  /** Once for each search text, and for each start of the loaded messages. */
  #askHost(query: string, beforeId: string | undefined): void {
    const asked = `${beforeId} ${query}`;
    if (query === '' || beforeId === undefined || !this.#frame.hasOlder() || asked === this.#asked) return;
    this.#asked = asked;
    this.#request += 1;
    this.#frame.post({ type: 'find', request: this.#request, query, beforeId });
  }

  #bringIn({ id }: FoundPlace): void {
    const messages = this.#frame.messages();
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

  /** Goes to the wanted match once it's rendered, or past it if the page doesn't show that part of the source. */
  #arrive(ranges: ReadonlyMap<string, readonly Range[]>): void {
    if (this.#wanted === undefined) return;
    const inMessage = ranges.get(this.#wanted.id);
    if (inMessage === undefined) return;
    if (inMessage.length === 0) {
      this.#wanted = this.#found.next(this.#step);
      if (this.#wanted !== undefined) queueMicrotask(() => this.#refresh());
      return;
    }
    const { current = this.#wanted } = this.#found;
    const range = inMessage[Math.min(current.index, inMessage.length - 1)];
    this.#wanted = undefined;
    const at = range?.startContainer.parentElement;
    if (!at) return;
    const fold = at.closest('details');
    if (fold !== null) fold.open = true;
    at.scrollIntoView({ block: 'center', inline: 'nearest' });
  }

  #mark(ranges: ReadonlyMap<string, readonly Range[]>): void {
    const { current } = this.#found;
    const now = current === undefined ? undefined : ranges.get(current.id)?.[current.index];
    const others = [...ranges.values()].flat().filter((range) => range !== now);
    CSS.highlights.set(FOUND, new Highlight(...others.slice(0, MAX_MARKS)));
    CSS.highlights.set(CURRENT, new Highlight(...(now === undefined ? [] : [now])));
  }
}
