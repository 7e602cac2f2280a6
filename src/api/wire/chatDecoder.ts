import { ApiError } from '../apiError.ts';
import { decodeMetrics, decodeUsage, type JsonObject, amount } from './decode.ts';
import { type ChoicePart, decodeChoice } from './decodeChoice.ts';
import { decodeErrorEnvelope, errorInside, hasError } from './errorEnvelope.ts';
import { jobFailureOf } from './jobAnswer.ts';
import { parseJson } from './parseJson.ts';
import { ReasoningDetails } from './reasoningDetails.ts';
import { ResponseFields } from './responseFields.ts';
import { isWholeEnding } from '../../shared/replyEnding.ts';
import { sampleOf } from './sample.ts';
import { ToolCallPieces } from './toolCallPieces.ts';
import type { ReasoningContext } from '../toolTypes.ts';
import type { ChatEvent, ServiceMetrics, Usage } from '../types.ts';
import { isRecord } from '../../shared/isRecord.ts';

/**
 * Turns the JSON texts of a reply, streamed or whole, into chat events. Texts from the same read become one event;
 * `usage` and `metrics` are emitted once per read.
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
  #reasoningContent: string | undefined;
  readonly #reasoningDetails = new ReasoningDetails();
  #textBytes = 0;
  #deltas = 0;
  /** The first JSON that couldn't be a reply, until some arrives that could. */
  #stranger: JsonObject | undefined;
  #hasReply = false;
  /** Index of the choice that the reply started with. Any other one wasn't requested. */
  #choiceIndex: number | undefined;
  #hasRefused = false;
  #lastUsage: Usage = {};
  readonly #fields = new ResponseFields();

  /** @param replyBytes limit for the text and reasoning of one reply, in bytes of UTF-8. */
  constructor(replyBytes: number, requestId: string | undefined) {
    this.#replyBytes = replyBytes;
    this.#requestId = requestId;
  }

  /** Undefined until the service has sent one. */
  get finishReason(): string | undefined {
    return this.#finishReason;
  }

  /** Bytes of text, reasoning, and tool calls so far. */
  get textBytes(): number {
    return this.#textBytes;
  }

  /** Pieces of text and reasoning so far. 0 for a reply that arrived as a single `message`. */
  get deltas(): number {
    return this.#deltas;
  }

  /** A tool call has started. It's emitted when it's complete. */
  get hasBegunCall(): boolean {
    return !this.#calls.isEmpty;
  }

  /** @throws {ApiError} `streamError`, `malformed`, `tooLarge`. */
  decode(data: string, name: string | undefined): void {
    const json = parseJson(data);
    if (name === 'error') throw this.#serviceError(json ?? data);
    if (isAside(name, json)) return;
    if (isRecord(json)) return this.#part(json);
    // Google's services send lists with one element.
    const parts: readonly unknown[] = Array.isArray(json) ? json : [];
    if (parts.length === 0 || !parts.every(isRecord)) throw this.#malformed('event', data);
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
      // Some services repeat the whole reply as `message` after its deltas.
      if (!choice.isMessage || !this.#hasDelta) {
        if (!choice.isMessage && (choice.text !== '' || choice.reasoning !== '')) this.#deltas += 1;
        this.#append('reasoning', choice.reasoning);
        this.#append('text', choice.text);
        if (choice.reasoningContent !== undefined) {
          this.#reasoningContent = (this.#reasoningContent ?? '') + choice.reasoningContent;
        }
        this.#grow(this.#reasoningDetails.add(choice.reasoningDetails) + this.#calls.add(choice.toolCalls));
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

  get #reasoning(): ReasoningContext {
    const { all: reasoningDetails } = this.#reasoningDetails;
    return {
      ...(this.#reasoningContent !== undefined && { reasoningContent: this.#reasoningContent }),
      ...(reasoningDetails !== undefined && { reasoningDetails }),
    };
  }

  /** The reply has ended, so its tool calls are complete. @throws {ApiError} `malformed` */
  endCalls(): void {
    if (this.#calls.isEmpty) return;
    this.#closeRun();
    let cut: string | undefined;
    const calls = this.#calls.take(this.#reasoning, (text) => (cut ??= text));
    for (const call of calls) this.#events.push({ type: 'toolCall', call });
    // A cut-off reply reports that itself.
    if (cut !== undefined && isWholeEnding(this.#finishReason)) throw this.#malformed('event', cut);
  }

  /** What the service sent besides the text, once the reply has ended. */
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

  /** What's wrong with a body that has ended, if anything. */
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

  /** A job to poll, an error in an unusual form, or nothing recognizable. */
  #strangerError(json: JsonObject): ApiError {
    const job = jobFailureOf(json, this.#requestId);
    if (job !== undefined) return new ApiError(job);
    const error = this.#serviceError(json);
    const hasWords = error.failure.kind === 'streamError' && error.failure.message !== '';
    return hasWords ? error : this.#malformed('body', JSON.stringify(json).slice(0, 1024));
  }

  #append(type: 'text' | 'reasoning', text: string): void {
    if (text === '') return;
    this.#grow(utf8Bytes(text));
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

  /** A refusal ends with `stop`, but isn't a finished reply. */
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

/** An object with none of these fields isn't a ChatResponse (spec), although each of them is optional. */
const replyFields = ['choices', 'id', 'object', 'created', 'model', 'usage', 'x_metrics'];

/** Where services that send `usage` usually put it, and where a few of them do. */
function usageIn(json: JsonObject, choice: ChoicePart | undefined): Usage | undefined {
  const { usage, x_groq: groq, timings } = json;
  const ofGroq = isRecord(groq) ? groq['usage'] : undefined;
  return decodeUsage(usage) ?? decodeUsage(choice?.usage) ?? decodeUsage(ofGroq) ?? usageOfTimings(timings);
}

/** Pieces of a reply are mostly short ASCII, which is counted here faster than a call of Node takes. */
function utf8Bytes(text: string): number {
  if (text.length > 32) return Buffer.byteLength(text);
  for (let at = 0; at < text.length; at += 1) if (text.charCodeAt(at) > 0x7f) return Buffer.byteLength(text);
  return text.length;
}

/** An event with another name, for example `ping`, isn't part of the reply unless it looks like it. */
function isAside(name: string | undefined, json: unknown): boolean {
  if (name === undefined || name === '' || name === 'message') return false;
  return !isRecord(json) || !('choices' in json);
}

/**
 * Some services count the input at the start of a reply and the output at its end, so the last value of each figure
 * counts. But a zero, which some send at the end of every stream, doesn't replace a figure, and neither does a total
 * that doesn't match.
 */
function withoutLoss(known: Usage, last: Usage): Usage {
  const { totalTokens, ...parts } = known;
  const isNews = Object.entries(last).some(([field, count]) => field !== 'totalTokens' && count !== 0);
  const kept = isNews || totalTokens === undefined ? parts : known;
  const said = Object.entries(last).filter(([field, count]) => count !== 0 || !Object.hasOwn(kept, field));
  return { ...kept, ...Object.fromEntries(said) };
}

/** llama.cpp always counts and measures each reply, and sends the result as `timings` in the last chunk. */
function usageOfTimings(value: unknown): Usage | undefined {
  if (!isRecord(value)) return undefined;
  const completionTokens = amount(value['predicted_n']);
  const promptTokens = amount(value['prompt_n']);
  if (completionTokens === undefined) return undefined;
  // Only the part of the prompt that wasn't in its cache counts as processed.
  const cached = amount(value['cache_n']) ?? 0;
  return { completionTokens, ...(promptTokens === undefined ? {} : { promptTokens: promptTokens + cached }) };
}

/** Only its speed: its times don't include the queue and the network. */
function metricsOfTimings(value: unknown): ServiceMetrics | undefined {
  const tokensPerSecond = isRecord(value) ? amount(value['predicted_per_second']) : undefined;
  return tokensPerSecond === undefined ? undefined : { tokensPerSecond };
}
