import { parseJson } from './parseJson.ts';
import { isRecord } from '../../shared/isRecord.ts';

const errorEvent = 'event: error\ndata:';
/** Longer lines that might need a repair are passed on unchanged. */
const longestHeld = 64 * 1024;
const field = /^[ \t]*(data|event|id|retry|error)[ \t]*:(.*)$/is;

/**
 * Repairs lines that the standard tells every parser to ignore, but that servers have been seen to send. Without this,
 * a reply's error was lost, and half a reply passed for a whole one. llama.cpp sends errors as a field of their own,
 * `error: {…}`; others send `event: error` without any data, spaces around a field's name, or JSON without a field.
 */
export class LenientLines {
  /** The current line, until it's clear that it needs no repair. */
  #held: string[] = [];
  #heldChars = 0;
  #start = '';
  #isPassing = false;

  repaired(text: string): string {
    let out = '';
    let unread = 0;
    let newline = text.indexOf('\n');
    let carriageReturn = text.indexOf('\r');
    for (let at = 0; at < text.length;) {
      if (newline !== -1 && newline < at) newline = text.indexOf('\n', at);
      if (carriageReturn !== -1 && carriageReturn < at) carriageReturn = text.indexOf('\r', at);
      const end = firstOf(newline, carriageReturn);
      const passes = this.#isPassing || (this.#heldChars === 0 && isGoodAt(text, at));
      if (!passes) {
        out += text.slice(unread, at);
        this.#hold(text.slice(at, end === -1 ? undefined : end));
        if (end === -1 && this.#heldChars <= longestHeld && !isGoodAt(this.#start, 0)) return out;
        out += end === -1 ? this.#take() : repairedLine(this.#take());
        unread = end === -1 ? text.length : end;
      }
      this.#isPassing = end === -1;
      if (end === -1) break;
      at = end + 1;
    }
    return unread === 0 && out === '' ? text : out + text.slice(unread);
  }

  /** What was held back, at the end of the stream. */
  rest(): string {
    return repairedLine(this.#take());
  }

  #hold(piece: string): void {
    if (piece === '') return;
    this.#held.push(piece);
    this.#heldChars += piece.length;
    if (this.#start.length < 'retry:'.length) this.#start += piece.slice(0, 'retry:'.length);
  }

  #take(): string {
    const line = this.#held.length === 1 ? (this.#held[0] ?? '') : this.#held.join('');
    this.#held = [];
    this.#heldChars = 0;
    this.#start = '';
    return line;
  }
}

/**
 * Whether the line that starts there is empty, a comment, or a field that needs no repair. A stream can have millions
 * of them.
 */
function isGoodAt(text: string, at: number): boolean {
  switch (text.charAt(at)) {
    case ':':
    case '\n':
    case '\r':
      return true;
    case 'd':
      return text.startsWith('data:', at);
    case 'i':
      return text.startsWith('id:', at);
    case 'r':
      return text.startsWith('retry:', at);
    default:
      return false;
  }
}

/** The lower of two indexes; -1 for none. */
function firstOf(one: number, other: number): number {
  if (one === -1) return other;
  return other === -1 ? one : Math.min(one, other);
}

function repairedLine(line: string): string {
  if (line === '' || isGoodAt(line, 0)) return line;
  const [, name, value = ''] = field.exec(line) ?? [];
  switch (name?.toLowerCase()) {
    case undefined:
      return isJsonObject(line) ? `data: ${line}` : line;
    case 'error':
      return errorEvent + value;
    case 'event':
      // An event without data would be dropped, but this one says enough.
      return value.trim().toLowerCase() === 'error' ? errorEvent : `event:${value}`;
    default:
      return `${name?.toLowerCase()}:${value}`;
  }
}

function isJsonObject(line: string): boolean {
  return line.trimStart().startsWith('{') && isRecord(parseJson(line));
}
