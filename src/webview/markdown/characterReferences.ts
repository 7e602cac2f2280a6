const REFERENCE = /&(?:#(\d{1,7})|#[xX]([\da-fA-F]{1,6})|([A-Za-z][A-Za-z\d]{1,31}));/g;
const REPLACEMENT = '\u{FFFD}';

/**
 * Replaces character references, for example `&amp;` and `&#8212;`. Unknown ones stay unchanged. `decodeName` gets a
 * name, for example `amp`, and returns undefined if it's unknown.
 */
export function decodeReferences(text: string, decodeName: (name: string) => string | undefined): string {
  if (!text.includes('&')) return text;
  return text.replace(REFERENCE, (reference: string, decimal?: string, hex?: string, name?: string) => {
    if (name !== undefined) return decodeName(name) ?? reference;
    return codePoint(decimal === undefined ? Number.parseInt(hex ?? '0', 16) : Number.parseInt(decimal, 10));
  });
}

function codePoint(code: number): string {
  const isSurrogate = code >= 0xd800 && code <= 0xdfff;
  return code === 0 || code > 0x10ffff || isSurrogate ? REPLACEMENT : String.fromCodePoint(code);
}

/**
 * The browser's own table of the 2,125 HTML names, read through a parser whose document is never shown and runs
 * nothing. Its input is only letters and digits.
 */
export class ReferenceNames {
  readonly #known = new Map<string, string | undefined>();
  #parser: DOMParser | undefined;

  readonly decode = (name: string): string | undefined => {
    if (!this.#known.has(name)) this.#known.set(name, this.#read(name));
    return this.#known.get(name);
  };

  #read(name: string): string | undefined {
    if (!/^[A-Za-z\d]+$/.test(name)) return undefined;
    this.#parser ??= new DOMParser();
    // The parser drops white space at the start of a body, which includes `&Tab;` and `&NewLine;`.
    const text = this.#parser.parseFromString(`.&${name};`, 'text/html').body.textContent.slice(1);
    // HTML also reads the beginning of `&notit;` as `&not`, but Markdown doesn't.
    return text.length > 1 && text.endsWith(';') ? undefined : text;
  }
}
