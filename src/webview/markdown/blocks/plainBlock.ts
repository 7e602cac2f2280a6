/** Characters per box, because a browser lays out a paragraph as a whole. */
const CHUNK_CHARS = 2000;

/** A block that is too large to be read as Markdown, in independent pieces. */
export class PlainBlock {
  readonly element = document.createElement('div');
  #last: HTMLElement | undefined;
  #lastChars = 0;

  constructor() {
    this.element.className = 'md-plain';
  }

  add(text: string): void {
    let start = 0;
    while (start < text.length) {
      if (this.#last === undefined || this.#lastChars >= CHUNK_CHARS) {
        this.#last = document.createElement('div');
        this.#last.className = 'md-plain-chunk';
        this.#lastChars = 0;
        this.element.append(this.#last);
      }
      let end = Math.min(text.length, start + CHUNK_CHARS - this.#lastChars);
      if (isBetweenSurrogates(text, end)) end += 1;
      this.#last.append(text.slice(start, end));
      this.#lastChars += end - start;
      start = end;
    }
  }
}

function isBetweenSurrogates(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  return at > 0 && at < text.length && code >= 0xdc00 && code <= 0xdfff;
}
