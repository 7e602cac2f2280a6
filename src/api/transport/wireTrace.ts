import type { ApiFailure } from '../../shared/apiFailure.ts';
import { openHeaders } from './openHeaders.ts';
import type { ResponseHead, TransportRequest } from './transport.ts';

/** Where the wire trace is shown. */
export interface TraceSink {
  /** A line, without a line end. */
  line(text: string): void;
  /** Whether bodies are shown too: they contain what the user and the model wrote. */
  readonly bodies: boolean;
}

/** Limit per body, because people read a trace. */
const bodyChars = 256 * 1024;
const secretHeader = /cookie|auth|key|token|secret/i;

/**
 * Shows one exchange as it happens. The key can't be in it: the `authorization` header isn't among its headers, and the
 * key is removed from everything else, even from a response that quotes it in two pieces.
 */
export class WireTrace {
  readonly #sink: TraceSink;
  readonly #request: TransportRequest;
  readonly #name: string;
  /** The forms in which it can occur in a text, longest first. */
  readonly #keyForms: readonly string[] = [];
  readonly #decoder = new TextDecoder();
  #showsBody = false;
  #shownChars = 0;
  #bytes = 0;
  /** Text that might be the beginning of the key. */
  #held = '';

  /** @param number distinguishes the lines of exchanges that run at the same time. */
  constructor(sink: TraceSink, request: TransportRequest, number: number) {
    this.#sink = sink;
    this.#request = request;
    const { apiKey } = request.endpoint;
    // A key can contain quotes, and bodies are JSON.
    if (apiKey !== undefined && apiKey !== '') this.#keyForms = [JSON.stringify(apiKey).slice(1, -1), apiKey];
    this.#name = `#${number}`;
  }

  request(): void {
    const { method, url, body } = this.#request;
    this.#line(`> ${method} ${url.origin}${url.pathname}`);
    this.#headers('>', Object.entries(openHeaders(this.#request)));
    if (body === undefined) return;
    const { content } = body;
    this.#line(`> ${typeof content === 'string' ? Buffer.byteLength(content) : content.length} bytes`);
    if (this.#sink.bodies && typeof content === 'string') this.#body('>', content);
    this.#shownChars = 0;
  }

  head(head: ResponseHead, afterMs: number): void {
    this.#line(`< ${head.status}${head.via === 'host' ? ' over the host' : ''} after ${Math.round(afterMs)} ms`);
    this.#headers('<', head.allHeaders());
    // Images and other binary content aren't text.
    this.#showsBody = this.#sink.bodies && /^$|text|json|xml/i.test(head.header('content-type') ?? '');
  }

  data(chunk: Uint8Array): void {
    this.#bytes += chunk.length;
    if (!this.#showsBody || this.#shownChars >= bodyChars) return;
    const text = this.#redacted(this.#held + this.#decoder.decode(chunk, { stream: true }));
    const showable = Math.max(0, text.length - (this.#keyForms[0]?.length ?? 1) + 1);
    this.#held = text.slice(showable);
    this.#body('<', text.slice(0, showable));
  }

  over(outcome: string, failure: ApiFailure | undefined, eventCount: number | undefined): void {
    if (this.#held !== '') this.#body('<', this.#held);
    const events = eventCount === undefined ? '' : `, ${eventCount} events`;
    // A failure might quote the service.
    const why = failure === undefined ? '' : `: ${this.#sink.bodies ? JSON.stringify(failure) : failure.kind}`;
    this.#line(`= ${outcome}, ${this.#bytes} bytes${events}${why}`);
  }

  #headers(direction: string, headers: Iterable<readonly [string, string]>): void {
    for (const [name, value] of headers) {
      this.#line(`${direction} ${name}: ${secretHeader.test(name) ? '(hidden)' : value}`);
    }
  }

  /** Quoted, so that it stays on its line and can't pass for another one. */
  #body(direction: string, text: string): void {
    const shown = text.slice(0, bodyChars - this.#shownChars);
    this.#shownChars += shown.length;
    if (shown !== '') this.#line(`${direction} ${JSON.stringify(this.#redacted(shown))}`);
    if (this.#shownChars >= bodyChars) this.#line(`${direction} (the rest is not shown)`);
  }

  #line(text: string): void {
    this.#sink.line(`${this.#name} ${this.#redacted(text)}`);
  }

  #redacted(text: string): string {
    return this.#keyForms.reduce((rest, form) => rest.replaceAll(form, '(key)'), text);
  }
}
