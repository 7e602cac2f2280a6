import { setTimeout } from 'node:timers/promises';
import { type ChatRequest, parseChatRequest } from './chatRequest.ts';
import { ChunkWriter, doneEvent, wholeResponse, type WireFigures } from './chunks.ts';
import type { CreditBalance } from './creditBalance.ts';
import type { Exchange } from './exchange.ts';
import { playModelFault } from './faults/playModelFault.ts';
import { findModel, unable } from './models/findModel.ts';
import type { ModelDefinition, ReplyPart, Writing } from './models/modelDefinition.ts';
import { paceTokens } from './pacer.ts';
import { readJsonBody } from './readJsonBody.ts';
import { readPictures } from './pictures/readPictures.ts';
import { type Figures, ReplyMeter } from './replyMeter.ts';
import { invalid } from './requestFields.ts';
import { ServiceError } from './serviceError.ts';
import type { ServiceSettings } from './serviceSettings.ts';
import { countTokens, tokensOf } from './tokenizer.ts';
import { writeOut } from './writeOut.ts';

/** The tokens of an image in the prompt, whatever its size. */
const tokensPerPicture = 256;

/** Create chat completion (spec), on the compatible and on the native path. */
export function answerChat(exchange: Exchange, settings: ServiceSettings): Promise<void> {
  return answer(exchange, settings, { needsSight: false });
}

/** Multimodal chat (spec, native paths): the same, for models with image input. */
export function answerMultimodalChat(exchange: Exchange, settings: ServiceSettings): Promise<void> {
  return answer(exchange, settings, { needsSight: true });
}

async function answer(
  exchange: Exchange,
  settings: ServiceSettings,
  { needsSight }: { readonly needsSight: boolean },
): Promise<void> {
  const body = await readJsonBody(exchange.request);
  exchange.record({ requestBody: body });
  const sent = parseChatRequest(body);
  exchange.record({ model: sent.model, stream: sent.stream, promptTokens: countPrompt(sent) });

  const model = findModel(settings.models, sent.model);
  const { request, promptTokens } = readBy(model, sent);
  const { behavior } = model;
  if (behavior.type !== 'breaking') {
    if (behavior.type !== 'writing') throw unable(model, 'chat');
    if (needsSight && !behavior.sees) throw unable(model, 'see pictures');
    if (!behavior.sees) refusePictures(request);
  }
  model.gate?.(request);
  const balance = model.balance ?? settings.account;
  balance.check();
  checkSize(request, model, promptTokens);

  if (behavior.type === 'breaking') {
    await playModelFault(exchange, model.id, behavior.fault, settings, promptTokens);
    return;
  }
  const seen = { ...request, pictures: await readPictures(request, exchange.signal) };
  await new Reply(exchange, seen, { model, writing: behavior, promptTokens, balance, settings }).run();
}

/** What the model gets of a request. One that drops what doesn't fit keeps system messages and the last one. */
function readBy(
  { contextWindow, dropsBeginning = false }: ModelDefinition,
  request: ChatRequest,
): { readonly request: ChatRequest; readonly promptTokens: number } {
  const { messages } = request;
  const shorter = !dropsBeginning
    ? []
    : messages.map((_, from) => ({
        ...request,
        messages: messages.filter(({ role }, index) => index >= from || role === 'system'),
      }));
  const read = shorter.find((each) => countPrompt(each) <= contextWindow) ?? shorter.at(-1) ?? request;
  const counted = countPrompt(read);
  // A last message that is too long is cut to half of the window, and two tokens.
  return { request: read, promptTokens: dropsBeginning && counted > contextWindow ? contextWindow / 2 + 2 : counted };
}

function countPrompt(request: ChatRequest): number {
  return request.messages.reduce(
    (sum, { content, pictures = [] }) => sum + countTokens(content) + tokensPerPicture * pictures.length,
    0,
  );
}

function refusePictures({ model, messages }: ChatRequest): void {
  const index = messages.findIndex(({ pictures }) => pictures !== undefined);
  if (index >= 0) throw invalid(`messages[${index}].content`, `must be a string: ${model} takes nothing but text.`);
}

function checkSize(request: ChatRequest, model: ModelDefinition, promptTokens: number): void {
  if (promptTokens > model.contextWindow) {
    throw new ServiceError(
      413,
      `The input has ${promptTokens} tokens; the context window of ${model.id} holds ${model.contextWindow}.`,
    );
  }
  if (request.maxTokens > model.maxOutputTokens && request.maxTokens !== defaultMaxTokens) {
    throw new ServiceError(400, `max_tokens must be at most ${model.maxOutputTokens} for ${model.id}.`, {
      param: 'max_tokens',
    });
  }
}

/** The default is never an error: a model with less context ends earlier. */
const defaultMaxTokens = 4096;

interface ReplyParts {
  readonly model: ModelDefinition;
  readonly writing: Writing;
  readonly promptTokens: number;
  readonly balance: CreditBalance;
  readonly settings: ServiceSettings;
}

/** One reply being written. */
class Reply {
  readonly #exchange: Exchange;
  readonly #request: ChatRequest;
  readonly #parts: ReplyParts;
  readonly #meter: ReplyMeter;
  #finishReason = 'stop';

  constructor(exchange: Exchange, request: ChatRequest, parts: ReplyParts) {
    this.#exchange = exchange;
    this.#request = request;
    this.#parts = parts;
    this.#meter = new ReplyMeter(exchange.arrivedAt);
  }

  async run(): Promise<void> {
    try {
      await (this.#request.stream ? this.#stream() : this.#whole());
    } catch (error) {
      // What was written is charged, even if the client left.
      this.#pay();
      throw error;
    }
  }

  async #stream(): Promise<void> {
    const { response, signal } = this.#exchange;
    const chunks = new ChunkWriter(this.#head());
    this.#exchange.record({ status: 200 });
    response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8', 'cache-control': 'no-cache' });
    await writeOut(response, chunks.role(), signal);
    await this.#write(async (batch) => {
      const written = writeOut(response, batch.map((token) => chunks.delta(token)).join(''), signal);
      this.#count(batch.length);
      await written;
    });
    const figures = this.#finish();
    response.end(chunks.finish(this.#finishReason, figures) + doneEvent);
  }

  async #whole(): Promise<void> {
    const said = { text: '', reasoning: '' };
    const calls = new Map<string, { readonly name: string; text: string }>();
    await this.#write((batch) => {
      for (const token of batch) {
        if (token.part !== 'toolCall') said[token.part] += token.text;
        else calls.set(token.id, { name: token.name, text: (calls.get(token.id)?.text ?? '') + token.text });
      }
      this.#count(batch.length);
    });
    const figures = this.#finish();
    const reply = { ...said, calls, finishReason: this.#finishReason };
    this.#exchange.sendJson(200, wholeResponse(this.#head(), reply, figures));
  }

  async #write(deliver: (batch: readonly ReplyPart[]) => void | Promise<void>): Promise<void> {
    const { writing, settings } = this.#parts;
    const { signal } = this.#exchange;
    const delayMs = writing.firstTokenDelayMs ?? settings.firstTokenDelayMs;
    if (delayMs > 0) await setTimeout(delayMs, undefined, { signal });
    const pace = {
      signal,
      get tokensPerSecond() {
        return writing.tokensPerSecond ?? settings.tokensPerSecond;
      },
    };
    await paceTokens(this.#tokens(), pace, deliver);
  }

  /** The model's tokens, up to what the request and the context window allow. */
  *#tokens(): Generator<ReplyPart, void, undefined> {
    const { model, writing, promptTokens } = this.#parts;
    const most = Math.min(this.#request.maxTokens, model.maxOutputTokens, model.contextWindow - promptTokens);
    let written = 0;
    for (const part of writing.reply(this.#request)) {
      if (part.part === 'toolCall') this.#finishReason = 'tool_calls';
      for (const token of tokensOf(part.text)) {
        if (written >= most) {
          this.#finishReason = 'length';
          return;
        }
        written += 1;
        yield { ...part, text: token };
      }
    }
  }

  #count(tokens: number): void {
    this.#meter.count(tokens);
    this.#exchange.record({ completionTokens: this.#meter.tokens });
  }

  /** Settles the cost of a finished reply; returns the figures for its end. */
  #finish(): WireFigures {
    const { writing, promptTokens } = this.#parts;
    const { ttftSeconds, tps, totalSeconds } = this.#pay();
    this.#exchange.settle('done', { finishReason: this.#finishReason });
    if (!writing.sendsFigures) return {};
    const completionTokens = this.#meter.tokens;
    return {
      usage: {
        prompt_tokens: promptTokens,
        completion_tokens: completionTokens,
        total_tokens: promptTokens + completionTokens,
      },
      x_metrics: { ttft_seconds: ttftSeconds, tps, total_time_seconds: totalSeconds },
    };
  }

  #pay(): Figures {
    const { model, promptTokens, balance } = this.#parts;
    const { perPromptToken, perCompletionToken, perRequest } = model.price;
    const cost = perRequest + promptTokens * perPromptToken + this.#meter.tokens * perCompletionToken;
    balance.charge(cost);
    const figures = this.#meter.read();
    this.#exchange.record({ cost, completionTokens: this.#meter.tokens, ...figures });
    return figures;
  }

  #head(): { readonly id: string; readonly created: number; readonly model: string } {
    return {
      id: `chatcmpl-${this.#exchange.id.slice('req_'.length)}`,
      created: Math.floor(this.#parts.settings.now() / 1000),
      model: this.#request.model,
    };
  }
}
