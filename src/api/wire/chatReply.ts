import { ApiError } from '../apiError.ts';
import { AnswerReader, type AnswerDecoder, type ExchangeDeps } from '../calls/answerReader.ts';
import { ChatDecoder } from './chatDecoder.ts';
import { notTheService } from './errorBody.ts';
import { EventStream } from './eventStream.ts';
import { LeadingThoughts } from './leadingThoughts.ts';
import type { Attempt } from '../calls/attempt.ts';
import { requestIdOf } from './requestId.ts';
import { sampleOf } from './sample.ts';
import { isWholeEnding } from '../../shared/replyEnding.ts';
import type { ResponseHead } from '../transport/transport.ts';
import type { ChatEvent, Usage } from '../types.ts';

const mebibyte = 1024 * 1024;
/** As large as a whole reply, because some services send all of it in one event. */
const eventBytes = 8 * mebibyte;
const replyBytes = 16 * mebibyte;
const wholeBytes = 8 * mebibyte;
/** Including framing: a long reply in small deltas is mostly framing. */
const streamBytes = 64 * mebibyte;
/** With more unread characters than this, the reader is too slow, and the service has to wait. */
const queueLimit = mebibyte;

/** One attempt at a chat reply, in batches of one read each. */
export class ChatReply implements Attempt<ChatEvent>, AnswerDecoder {
  readonly #host: string;
  readonly #answer: AnswerReader;
  readonly #onEnd: ((hasUsage: boolean) => void) | undefined;
  readonly #onText: ((atMs: number) => void) | undefined;
  #head: ResponseHead | undefined;
  #stream: EventStream | undefined;
  #decoder = new ChatDecoder(replyBytes, undefined);
  readonly #thoughts = new LeadingThoughts();
  #queue: ChatEvent[] = [];
  #queuedChars = 0;
  #isPaused = false;
  #end: { readonly error?: unknown } | undefined;
  #wake: (() => void) | undefined;
  #hasOutput = false;
  /** What had arrived when the time limit for the rest was last set. */
  #settledBytes: number | undefined;
  #eventCount = 0;
  #usage: Usage | undefined;
  /** When the last bytes arrived. */
  #readAtMs: number | undefined;
  #toldAtMs: number | undefined;

  /** @param deps.onEnd called at the end of a complete reply, with whether the service counted its tokens. */
  constructor(deps: ExchangeDeps & { readonly onEnd?: (hasUsage: boolean) => void }) {
    this.#onEnd = deps.onEnd;
    this.#onText = deps.onText;
    this.#host = deps.request.url.host;
    this.#answer = new AnswerReader({ ...deps, decoder: this });
    this.#answer.start();
  }

  get hasOutput(): boolean {
    return this.#hasOutput;
  }

  get eventCount(): number {
    return this.#eventCount;
  }

  get usage(): Usage | undefined {
    return this.#usage;
  }

  async nextBatch(): Promise<readonly ChatEvent[] | undefined> {
    while (this.#queue.length === 0) {
      if (this.#end !== undefined) {
        if ('error' in this.#end) throw this.#end.error;
        return undefined;
      }
      await new Promise<void>((resolve) => (this.#wake = resolve));
    }
    const batch = this.#queue;
    this.#queue = [];
    this.#queuedChars = 0;
    if (this.#isPaused) {
      this.#isPaused = false;
      this.#answer.resume();
    }
    return batch;
  }

  abandon(): void {
    this.#answer.abandon();
  }

  open(head: ResponseHead): void {
    this.#head = head;
    const requestId = requestIdOf(head.header);
    this.#decoder = new ChatDecoder(replyBytes, requestId);
    this.#push([{ type: 'opened', ...(requestId === undefined ? {} : { requestId }) }]);
    this.#stream = new EventStream(
      head.header('content-type') ?? '',
      {
        event: (data, name, isCut) => this.#event(data, name, isCut, head),
        done: () => this.#finish(),
        foreign: (text) => {
          throw foreignAnswer(head, text);
        },
      },
      { eventBytes, wholeBytes, streamBytes },
    );
  }

  data(chunk: Uint8Array, atMs?: number): void {
    this.#readAtMs = atMs;
    try {
      this.#stream?.push(chunk);
    } finally {
      // Text that arrived before an error is kept.
      if (this.#end === undefined) this.#push(this.#decoder.take());
    }
    if (this.#queuedChars > queueLimit && !this.#isPaused && this.#end === undefined) {
      this.#isPaused = true;
      this.#answer.pause();
    }
  }

  end(): void {
    if (this.#end !== undefined) return;
    try {
      const isOneText = this.#stream?.end() ?? false;
      if (this.#end !== undefined) return;
      this.#complete(isOneText || this.#decoder.finishReason !== undefined);
    } finally {
      if (this.#end === undefined) this.#push(this.#decoder.take());
    }
  }

  failed(error: unknown): void {
    if (this.#end === undefined) this.#push(this.#thoughts.rest());
    this.#end ??= { error };
    this.#wakeUp();
  }

  #event(data: string, name: string | undefined, isCut: boolean, head: ResponseHead): void {
    this.#eventCount += 1;
    try {
      this.#decoder.decode(data, name);
      // Only usage can still follow.
      if (this.#decoder.finishReason !== undefined) this.#settle();
    } catch (error) {
      const isBroken = error instanceof ApiError && error.failure.kind === 'malformed';
      if (isBroken && this.#decoder.finishReason !== undefined) return;
      // Half an event at the end of a body without a length means a broken connection.
      if (!isCut || !isBroken) throw error;
      const requestId = requestIdOf(head.header);
      const lost = { kind: 'connectionLost', host: this.#host, code: 'ENDED_IN_EVENT' } as const;
      throw new ApiError({ ...lost, ...(requestId === undefined ? {} : { requestId }) }, error);
    }
  }

  /** Restarted if text arrives after the finish reason, because such a service isn't done. */
  #settle(): void {
    const { textBytes } = this.#decoder;
    if (this.#settledBytes === textBytes) return;
    this.#settledBytes = textBytes;
    this.#answer.settle();
  }

  #finish(): void {
    this.#complete(true);
    this.#answer.finish();
  }

  /**
   * @param hasEnded the service marked the end in some way, instead of just closing the connection.
   * @throws {ApiError} if none of it was a reply.
   */
  #complete(hasEnded: boolean): void {
    const failure = this.#decoder.endFailure(this.#head?.status ?? 0);
    if (failure !== undefined) throw failure;
    if (hasEnded) this.#decoder.endCalls();
    const complete = hasEnded && isWholeEnding(this.#decoder.finishReason);
    const response = this.#decoder.response();
    const last = response === undefined ? [] : [response];
    this.#push([...this.#decoder.take(), ...last]);
    const hasCount = this.#usage?.completionTokens !== undefined;
    const { deltas } = this.#decoder;
    this.#push([{ type: 'end', complete, ...(!hasCount && deltas > 0 && { deltas }) }]);
    this.#end = {};
    if (hasEnded) this.#onEnd?.(hasCount);
    this.#wakeUp();
  }

  #push(read: readonly ChatEvent[]): void {
    if (this.#decoder.hasBegunCall) this.#hasOutput = true;
    const events = this.#thoughts.split(read);
    if (events.length === 0) return;
    for (const event of events) {
      this.#queue.push(event);
      if (event.type === 'usage') this.#usage = event.usage;
      if (event.type === 'toolCall') this.#hasOutput = true;
      if (event.type !== 'text' && event.type !== 'reasoning') continue;
      this.#hasOutput = true;
      this.#queuedChars += event.text.length;
      if (event.text !== '') this.#tellText();
    }
    this.#wakeUp();
  }

  /** Once for everything that arrived in one read. */
  #tellText(): void {
    if (this.#readAtMs === undefined || this.#readAtMs === this.#toldAtMs) return;
    this.#toldAtMs = this.#readAtMs;
    this.#onText?.(this.#readAtMs);
  }

  #wakeUp(): void {
    this.#wake?.();
    this.#wake = undefined;
  }
}

/** JSON in an unexpected form is the service's fault. Anything else is someone else's page. */
function foreignAnswer(head: ResponseHead, text: string): ApiError {
  const saysJson = /\bjson\b/i.test(head.header('content-type') ?? '');
  const isHtml = text.trimStart().startsWith('<');
  if (!saysJson || isHtml) return new ApiError(notTheService({ status: head.status, header: head.header, text }));
  const requestId = requestIdOf(head.header);
  const malformed = { kind: 'malformed', where: 'body', sample: sampleOf(text) } as const;
  return new ApiError({ ...malformed, ...(requestId === undefined ? {} : { requestId }) });
}
