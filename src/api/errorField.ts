const asEvent = 'event: error\ndata:';
const field = 'error:';
/** Whole lines, which is known only once they end. */
const names = ['event: error', 'event:error'];

/**
 * llama.cpp's server reports an error inside a stream as a field of its own, `error: {…}`, where the format has an
 * event of that name; others send that event without any data. Every parser ignores fields it doesn't know and events
 * without data: both are rewritten before they are parsed.
 */
export class ErrorField {
  #isLineStart = true;
  /** The end of the text so far, where it may be the beginning of the field. */
  #held = '';

  rewritten(more: string): string {
    const text = this.#held + more;
    const start = this.#isLineStart ? '' : ' ';
    const lineStart = Math.max(text.lastIndexOf('\n'), text.lastIndexOf('\r')) + 1;
    const tail = text.slice(lineStart);
    const isWholeLineKnown = lineStart > 0 || this.#isLineStart;
    this.#held = isWholeLineKnown && mayBecomeError(tail) ? tail : '';
    if (this.#held === '' || text.length > this.#held.length) {
      this.#isLineStart = lineStart === text.length - this.#held.length && isWholeLineKnown;
    }
    const known = text.slice(0, text.length - this.#held.length);
    if (!known.includes('error')) return known;
    return `${start}${known}`
      .replace(/(^|[\r\n])error:/g, `$1${asEvent}`)
      .replace(/(^|[\r\n])event: ?error(?=[\r\n])/g, `$1${asEvent}`)
      .slice(start.length);
  }

  /** What was held back, at the end of the stream. */
  held(): string {
    return names.includes(this.#held) ? asEvent : this.#held;
  }
}

function mayBecomeError(line: string): boolean {
  return (line !== field && field.startsWith(line)) || names.some((name) => name.startsWith(line));
}
