import { ApiError } from '../apiError.ts';
import { decodeMetrics, decodeUsage, isObject, type JsonObject } from './decode.ts';
import { type ChoicePart, decodeChoice } from './decodeChoice.ts';
import { decodeErrorEnvelope, errorInside, hasError } from './errorEnvelope.ts';
import { jobFailureOf } from './jobAnswer.ts';
import { parseJson } from './parseJson.ts';
import { ResponseFields } from './responseFields.ts';
import { isWholeEnding } from '../../shared/replyEnding.ts';
import { metricsOfTimings, usageOfTimings } from './llamaTimings.ts';
import { sampleOf } from './sample.ts';
import { ToolCallPieces } from './toolCallPieces.ts';
import type { ChatEvent, ServiceMetrics, Usage } from '../types.ts';

/**
 * Turns the JSON texts of a reply, streamed or whole, into chat events. Texts that follow each
 * other in one read become one event; `usage` and `metrics` are given once a read.
 */
export class ChatDecoder {
  readonly #requestId: string | undefined;
  readonly #replyBytes: number;
  #events: ChatEvent[] = [];
  #run: { type: 'text' | 'reasoning'; text: string } | undefined;
  #usage: Usage | undefined;
  #metrics: ServiceMetrics | undefined;
  #finishReason: string | undefined;
  #hasDelta = false;
  readonly #calls = new ToolCallPieces();
  #textBytes = 0;
  #deltas = 0;
  /** The first JSON that could not be a reply, until one comes that could. */
  #stranger: JsonObject | undefined;
  #hasReply = false;
  /** Of the choice that the reply began with: any other is not what was asked for. */
  #choiceIndex: number | undefined;
  #hasRefused = false;
  #lastUsage: Usage = {};
  readonly #fields = new ResponseFields();

  /** @param replyBytes cap on the text and reasoning of one reply, in bytes of UTF-8. */
  constructor(replyBytes: number, requestId: string | undefined) {
    this.#replyBytes = replyBytes;
    this.#requestId = requestId;
  }

  /** Undefined until the service has named one. */
  get finishReason(): string | undefined {
    return this.#finishReason;
  }

  /** Of text, reasoning and tool calls so far. */
  get textBytes(): number {
    return this.#textBytes;
  }

  /** Pieces of text and reasoning so far; a reply that came as one `message` has none. */
  get deltas(): number {
    return this.#deltas;
  }

  /** A tool call has begun: it is given when it is whole. */
  get hasBegunCall(): boolean {
    return !this.#calls.isEmpty;
  }

  /** @throws {ApiError} `streamError`, `malformed`, `tooLarge`. */
  decode(data: string, name: string | undefined): void {
    const json = parseJson(data);
    if (name === 'error') throw this.#serviceError(json ?? data);
    if (isAside(name, json)) return;
    // Google's services send lists of one.
    const parts: readonly unknown[] = Array.isArray(json) ? json : [json];
    if (parts.length === 0 || !parts.every(isObject)) throw this.#malformed('event', data);
    for (const part of parts) this.#part(part);
  }

  #part(json: JsonObject): void {
    if (hasError(json)) throw this.#serviceError(json);

    if (!this.#hasReply) this.#meet(json);
    this.#fields.take(json);
    const choice = decodeChoice(json, this.#choiceIndex);
    if (choice !== undefined) {
      this.#choiceIndex = choice.index;
      this.#hasRefused ||= choice.isRefusal;
      // Some services repeat the whole reply as `message` at the end of its deltas.
      if (!choice.isMessage || !this.#hasDelta) {
        if (!choice.isMessage && choice.text + choice.reasoning !== '') this.#deltas += 1;
        this.#append('reasoning', choice.reasoning);
        this.#append('text', choice.text);
        this.#grow(this.#calls.add(choice.toolCalls));
      }
      if (!choice.isMessage && (choice.text !== '' || !this.#calls.isEmpty)) this.#hasDelta = true;
    }
    const error = errorInside(json);
    if (error !== undefined) throw this.#serviceError(error);
    if (choice?.finishReason !== undefined) this.#finish(choice.finishReason);
    const usage = usageIn(json, choice);
    if (usage !== undefined) this.#usage = this.#lastUsage = withoutLoss(this.#lastUsage, usage);
    this.#metrics = decodeMetrics(json['x_metrics']) ?? metricsOfTimings(json['timings']) ?? this.#metrics;
  }

  /** The reply is over: what was called is whole. @throws {ApiError} `malformed` */
  endCalls(): void {
    if (this.#calls.isEmpty) return;
    this.#closeRun();
    let cut: string | undefined;
    for (const call of this.#calls.take((text) => (cut ??= text))) this.#events.push({ type: 'toolCall', call });
    // A reply that was cut says so itself.
    if (cut !== undefined && isWholeEnding(this.#finishReason)) throw this.#malformed('event', cut);
  }

  /** What the service sent beside the text, once the reply is over. */
  response(): ChatEvent | undefined {
    if (!this.#hasReply) return undefined;
    const { model } = this.#fields;
    return { type: 'response', ...(model === undefined ? {} : { model }), fields: this.#fields.all() };
  }

  /** The events since the last call. */
  take(): readonly ChatEvent[] {
    this.#closeRun();
    if (this.#usage !== undefined) this.#events.push({ type: 'usage', usage: this.#usage });
    if (this.#metrics !== undefined) this.#events.push({ type: 'metrics', metrics: this.#metrics });
    this.#usage = undefined;
    this.#metrics = undefined;
    const taken = this.#events;
    this.#events = [];
    return taken;
  }

  /** What is wrong with a body that ended, if anything is. */
  endFailure(status: number): ApiError | undefined {
    if (this.#hasReply) return undefined;
    if (this.#stranger !== undefined) return this.#strangerError(this.#stranger);
    const requestId = this.#requestId === undefined ? {} : { requestId: this.#requestId };
    return new ApiError({ kind: 'emptyAnswer', status, ...requestId });
  }

  #meet(json: JsonObject): void {
    this.#hasReply = replyFields.some((field) => field in json) && jobFailureOf(json, undefined) === undefined;
    if (!this.#hasReply) this.#stranger ??= json;
  }

  /** A job to ask for later, a complaint in a form of its own, or nothing that could be told. */
  #strangerError(json: JsonObject): ApiError {
    const job = jobFailureOf(json, this.#requestId);
    if (job !== undefined) return new ApiError(job);
    const error = this.#serviceError(json);
    const hasWords = error.failure.kind === 'streamError' && error.failure.message !== '';
    return hasWords ? error : this.#malformed('body', JSON.stringify(json).slice(0, 1024));
  }

  #append(type: 'text' | 'reasoning', text: string): void {
    if (text === '') return;
    this.#grow(Buffer.byteLength(text));
    if (this.#run?.type === type) {
      this.#run.text += text;
      return;
    }
    this.#closeRun();
    this.#run = { type, text };
  }

  #grow(bytes: number): void {
    this.#textBytes += bytes;
    if (this.#textBytes > this.#replyBytes) {
      throw new ApiError({ kind: 'tooLarge', what: 'reply', limitBytes: this.#replyBytes });
    }
  }

  #closeRun(): void {
    if (this.#run !== undefined) this.#events.push(this.#run);
    this.#run = undefined;
  }

  /** A refusal ends with `stop`, and is not what was asked for. */
  #finish(sent: string): void {
    const reason = this.#hasRefused && isWholeEnding(sent) ? 'refusal' : sent;
    if (reason === this.#finishReason) return;
    this.#finishReason = reason;
    this.#closeRun();
    this.#events.push({ type: 'finish', reason });
  }

  #serviceError(body: unknown): ApiError {
    return new ApiError({ kind: 'streamError', ...decodeErrorEnvelope(body, this.#requestId) });
  }

  #malformed(where: 'event' | 'body', data: string): ApiError {
    const requestId = this.#requestId === undefined ? {} : { requestId: this.#requestId };
    return new ApiError({ kind: 'malformed', where, sample: sampleOf(data), ...requestId });
  }
}

/** An object with none of these is not a ChatResponse (spec), though each of them is optional. */
const replyFields = ['choices', 'id', 'object', 'created', 'model', 'usage', 'x_metrics'];

/** Where it stands at every service that has `usage` at all, and where single ones have it. */
function usageIn(json: JsonObject, choice: ChoicePart | undefined): Usage | undefined {
  const { usage, x_groq: groq, timings } = json;
  const ofGroq = isObject(groq) ? groq['usage'] : undefined;
  return decodeUsage(usage) ?? decodeUsage(choice?.usage) ?? decodeUsage(ofGroq) ?? usageOfTimings(timings);
}

/** An event of another name, such as `ping`, is none of the reply's unless it looks like one. */
function isAside(name: string | undefined, json: unknown): boolean {
  if (name === undefined || name === '' || name === 'message') return false;
  return !isObject(json) || !('choices' in json);
}

/**
 * Some services count the input at the start of a reply and the output at its end: the last word on each figure
 * counts. But no zero in place of a figure, with which some end every stream, and no total of other figures.
 */
function withoutLoss(known: Usage, last: Usage): Usage {
  const { totalTokens, ...parts } = known;
  const isNews = Object.entries(last).some(([field, count]) => field !== 'totalTokens' && count !== 0);
  const kept = isNews || totalTokens === undefined ? parts : known;
  const said = Object.entries(last).filter(([field, count]) => count !== 0 || !Object.hasOwn(kept, field));
  return { ...kept, ...Object.fromEntries(said) };
}
