import { createParser, type EventSourceParser } from 'eventsource-parser';
import { ApiError } from '../apiError.ts';
import { LenientLines } from './lenientLines.ts';
import { parseJson } from './parseJson.ts';

/** Limits in bytes, after any content decoding. */
export interface StreamLimits {
  /** One event or line. */
  readonly eventBytes: number;
  /** A reply that arrived as one JSON text. */
  readonly wholeBytes: number;
  /** The whole stream, including framing. */
  readonly streamBytes: number;
}

export interface EventStreamHandler {
  /**
   * The data of one event, one line of JSON, or a whole body that is one JSON text. `isCut` if the stream ended before
   * the event did.
   */
  event(data: string, name: string | undefined, isCut: boolean): void;
  /** `[DONE]`. Nothing follows it. */
  done(): void;
  /** The body is something else, perhaps HTML. `text` is its beginning. */
  foreign(text: string): void;
}

/** Enough of a foreign body for a quote of 200 characters, even if it starts with white space. */
const foreignChars = 1024;

type Form = 'unknown' | 'events' | 'json' | 'lines' | 'foreign';

/**
 * Turns the bytes of a response body into events, in the same turn. The first characters decide what the body is:
 * server-sent events, lines of JSON, one JSON text, or something else. The content type only decides if they don't.
 *
 * `push` and `end` throw {@link ApiError} `tooLarge`, and pass on what the handler throws.
 */
export class EventStream {
  readonly #decoder = new TextDecoder();
  readonly #handler: EventStreamHandler;
  readonly #limits: StreamLimits;
  readonly #saysEvents: boolean;
  #form: Form = 'unknown';
  #parser: EventSourceParser | undefined;
  /** Not consumed yet. Kept in pieces, because joining them with each read would take quadratic time. */
  #pending: string[] = [];
  #pendingChars = 0;
  #bytes = 0;
  #lineCount = 0;
  #isOneText = false;
  #isDone = false;
  #isEnding = false;
  readonly #repair = new LenientLines();

  constructor(contentType: string, handler: EventStreamHandler, limits: StreamLimits) {
    this.#handler = handler;
    this.#limits = limits;
    this.#saysEvents = /^\s*text\/event-stream\b/i.test(contentType);
  }

  push(chunk: Uint8Array): void {
    if (this.#isDone) return;
    this.#bytes += chunk.length;
    if (this.#bytes > this.#limits.streamBytes) throw tooLarge('reply', this.#limits.streamBytes);
    this.#take(this.#decoder.decode(chunk, { stream: true }));
  }

  /**
   * The body ended cleanly.
   * @returns true if all of it was a single JSON text.
   */
  end(): boolean {
    this.#take(this.#decoder.decode());
    if (this.#isDone) return false;
    this.#isEnding = true;
    switch (this.#form) {
      case 'events':
        // The parser drops an event without its blank line. Here it was simply the last one.
        this.#parser?.feed(`${this.#repair.rest()}\n\n`);
        return false;
      case 'lines': {
        this.#line(this.#drain());
        return this.#lineCount === 1;
      }
      case 'json':
        this.#handler.event(this.#drain(), undefined, false);
        return true;
      case 'unknown':
      case 'foreign': {
        const text = this.#drain();
        if (text.trim() !== '') this.#handler.foreign(text);
        return false;
      }
    }
  }

  #take(text: string): void {
    if (text === '' || this.#isDone) return;
    switch (this.#form) {
      case 'events':
        this.#parser?.feed(this.#repair.repaired(text));
        return;
      case 'json':
        this.#takeJson(text);
        return;
      case 'lines':
        this.#takeLines(text);
        return;
      case 'foreign':
        this.#keep(text);
        if (this.#pendingChars < foreignChars) return;
        this.#isDone = true;
        this.#handler.foreign(this.#drain().slice(0, foreignChars));
        return;
      case 'unknown':
        this.#recognize(text);
        return;
    }
  }

  #recognize(text: string): void {
    const start = (this.#drain() + text).replace(/^[\r\n]+/, '');
    const form = streamForm(start, this.#saysEvents);
    if (form === 'unknown') {
      this.#keep(start);
      return;
    }
    this.#form = form;
    if (form === 'events') this.#parser = this.#createParser();
    this.#take(start);
  }

  #createParser(): EventSourceParser {
    const { eventBytes } = this.#limits;
    return createParser({
      // That limit includes the field's name, and this one doesn't.
      maxBufferSize: eventBytes + 16,
      onEvent: ({ data, event }) => {
        this.#checkEvent(data);
        this.#event(data, event);
      },
      onError: (error) => {
        if (error.type === 'max-buffer-size-exceeded') throw tooLarge('event', eventBytes);
      },
    });
  }

  #checkEvent(data: string): void {
    const { eventBytes } = this.#limits;
    // A character is at most three bytes, so most events don't need to be counted.
    if (data.length * 3 > eventBytes && Buffer.byteLength(data) > eventBytes) throw tooLarge('event', eventBytes);
  }

  #event(data: string, name: string | undefined): void {
    if (this.#isDone) return;
    const word = wordOf(data);
    // An error without a message is still an error.
    if (name === 'error') return this.#handler.event(word === undefined ? data : '', name, this.#isEnding);
    switch (word) {
      case 'blank':
      case 'keepAlive':
        return;
      case 'done':
        this.#isDone = true;
        this.#handler.done();
        return;
      case undefined: {
        const several = eventsIn(data);
        if (several === undefined) return this.#handler.event(data, name, this.#isEnding);
        for (const each of several) this.#event(each, name);
      }
    }
  }

  #line(line: string): void {
    if (line.trim() === '') return;
    // The first one might turn out to be the whole body, which has another limit.
    if (this.#lineCount > 0) this.#checkEvent(line);
    this.#lineCount += 1;
    this.#event(line, undefined);
  }

  /** One JSON text, or JSON lines if the first line is valid JSON on its own. */
  #takeJson(text: string): void {
    const { wholeBytes } = this.#limits;
    if (this.#bytes > wholeBytes) throw tooLarge('body', wholeBytes);
    this.#keep(text);
    if (this.#isOneText || !/[\r\n]/.test(text)) return;
    const all = this.#drain();
    const firstLine = /^[^\r\n]*/.exec(all)?.[0] ?? '';
    if (parseJson(firstLine) === undefined) {
      this.#isOneText = true;
      this.#keep(all);
      return;
    }
    this.#form = 'lines';
    this.#line(firstLine);
    this.#takeLines(all.slice(firstLine.length));
  }

  #takeLines(text: string): void {
    this.#keep(text);
    if (/[\r\n]/.test(text)) {
      const lines = this.#drain().split(/[\r\n]+/);
      this.#keep(lines.pop() ?? '');
      for (const line of lines) this.#line(line);
    }
    if (this.#pendingChars > this.#limits.eventBytes) throw tooLarge('event', this.#limits.eventBytes);
  }

  #keep(text: string): void {
    if (text === '') return;
    this.#pending.push(text);
    this.#pendingChars += text.length;
  }

  #drain(): string {
    const all = this.#pending.length === 1 ? (this.#pending[0] ?? '') : this.#pending.join('');
    this.#pending = [];
    this.#pendingChars = 0;
    return all;
  }
}

const fieldStart = /^(?:(?:data|event|id|retry|error)[:\r\n]|:)/;
const longestField = 'event:'.length;

/** `unknown` while the characters so far could still become one or the other. */
function streamForm(start: string, saysEvents: boolean): Form {
  const first = start.trimStart().charAt(0);
  if (first === '') return start.length < foreignChars ? 'unknown' : 'foreign';
  if (first === '{' || first === '[' || first === '"') return 'json';
  if (first === '<') return 'foreign';
  if (saysEvents || fieldStart.test(start)) return 'events';
  return start.length < longestField && !/[\r\n]/.test(start) ? 'unknown' : 'foreign';
}

/** `[DONE]`, also quoted, in lower case, or without the brackets. */
const doneMark = /^"?\[? ?done ?\]?"?[,;.}]?$/i;

/** What some gateways send to keep the connection open, although the format has comments for that. */
const keepAliveWord = /^"?(?:ping|keep[-_ ]?alive|heartbeat)"?$/i;

/** Quickly rules out the many events that are none of these, because they're longer. */
function wordOf(data: string): 'blank' | 'done' | 'keepAlive' | undefined {
  if (data.length > 64) return undefined;
  const text = data.trim();
  if (text === '') return 'blank';
  if (doneMark.test(text)) return 'done';
  return keepAliveWord.test(text) ? 'keepAlive' : undefined;
}

/**
 * Some servers leave out the blank line between events, so that their data looks like one event with several lines.
 * Undefined if it's one event.
 */
function eventsIn(data: string): readonly string[] | undefined {
  if (!data.includes('\n') || parseJson(data) !== undefined) return undefined;
  const lines = data.split('\n');
  // The last one might be cut off or broken. Those before it aren't.
  const isEach = lines.slice(0, -1).every((line) => wordOf(line) !== undefined || parseJson(line) !== undefined);
  return isEach ? lines : undefined;
}

function tooLarge(what: 'event' | 'reply' | 'body', limitBytes: number): ApiError {
  return new ApiError({ kind: 'tooLarge', what, limitBytes });
}
