import { ApiError } from '../../api/apiError.ts';
import type { CallObserver, SentRequest } from '../../api/callObserver.ts';
import type { Exchange } from '../../api/exchange.ts';
import type { ToolCall } from '../../api/toolTypes.ts';
import type { AttemptEvent, ChatEvent, ModelInfo, ServiceMetrics, Usage } from '../../api/types.ts';
import { mediaPrice, type PricedRun } from '../../core/media/mediaPrice.ts';
import { ReplyClock } from '../../core/chat/replyMetrics.ts';
import type { ReceivedBody, SentBody } from '../../core/requests/requestBody.ts';
import type { RequestEnd, RequestOperation, RequestOrigin, RequestStart } from '../../core/requests/requestRecord.ts';
import { chatBody, withoutFiles } from '../../core/requests/wireBody.ts';
import type { ApiFailure } from '../../shared/apiFailure.ts';
import type { ReplyMetrics } from '../../shared/chat.ts';

/** Currency units per million tokens. */
export interface ModelPrices extends Partial<Pick<ModelInfo, 'raw'>> {
  readonly inputPricePerMillion?: number;
  readonly outputPricePerMillion?: number;
}

export interface RecorderDeps {
  readonly history: {
    /** @param figures what was measured of it so far. */
    started(record: RequestStart, figures: () => ReplyMetrics): void;
    sent(record: RequestStart, request: SentBody): void;
    ended(record: RequestEnd, response: ReceivedBody | undefined): void;
    /** It came to nothing before anything was sent. */
    dropped(id: string): void;
  };
  /** Whether requests and responses are kept, not only their facts. */
  readonly keepsBodies: () => boolean;
  readonly priceOf: (model: string) => ModelPrices | undefined;
  /** A model has answered, whatever it was asked. */
  readonly answered: (model: string, operation: RequestOperation) => void;
  /** A catalogue came, with its prices. */
  readonly modelsListed: (models: readonly ModelInfo[]) => void;
  /** Takes the key out of everything that is kept: a person may have typed it, a service may quote it. */
  readonly clean: <T>(data: T) => T;
  /** The same for a body, whose words stay as they are otherwise: it may be sent again. */
  readonly cleanBody: <T>(data: T) => T;
  readonly writer: string;
}

/** What is being asked. */
export interface RecordedAsk {
  readonly operation: RequestOperation;
  readonly origin: RequestOrigin;
  readonly model?: string;
  readonly streamed: boolean;
  /** What is paid for by the piece, not by tokens. */
  readonly made?: PricedRun;
  /** Stands for a body that is not JSON. */
  readonly form?: Readonly<Record<string, unknown>>;
}

/** Makes the log's records of one call. What it is told costs next to nothing; it works when the call begins and ends. */
export class CallRecord implements CallObserver {
  readonly #deps: RecorderDeps;
  readonly #ask: RecordedAsk;
  readonly #observer: CallObserver | undefined;
  readonly #start: RequestStart;
  readonly #clock = new ReplyClock(performance.now());
  readonly #keeps: boolean;
  #isSent = false;
  #isOver = false;
  #attempts: number | undefined;
  #exchange: Exchange | undefined;
  #requestId: string | undefined;
  #finishReason: string | undefined;
  #isComplete = true;
  #isAtEnd = false;
  #usage: Usage | undefined;
  #metrics: ServiceMetrics | undefined;
  #response: Extract<ChatEvent, { type: 'response' }> | undefined;
  readonly #text: string[] = [];
  readonly #reasoning: string[] = [];
  readonly #toolCalls: ToolCall[] = [];

  constructor(ask: RecordedAsk, deps: RecorderDeps, observer: CallObserver | undefined) {
    this.#ask = ask;
    this.#deps = deps;
    this.#observer = observer;
    this.#keeps = deps.keepsBodies();
    const { operation, origin, model } = ask;
    this.#start = {
      type: 'started',
      id: crypto.randomUUID(),
      writer: deps.writer,
      pid: process.pid,
      at: Date.now(),
      operation,
      origin,
      ...(model !== undefined && { model: deps.clean(model) }),
    };
    deps.history.started(this.#start, () => this.#clock.metrics(performance.now(), ask.streamed));
  }

  /** By now the key is known, and nothing with the key in it goes to disk. */
  readonly sending = (request: SentRequest): void => {
    this.#observer?.sending?.(request);
    if (this.#isSent) return;
    this.#isSent = true;
    this.#deps.history.sent(this.#start, this.#deps.cleanBody(this.#sentBody(request)));
  };

  readonly exchanged = (exchange: Exchange): void => {
    this.#observer?.exchanged?.(exchange);
    this.#exchange = exchange;
  };

  attempt(event: AttemptEvent): void {
    if (event.type !== 'attempt') return;
    this.#attempts = event.attempt;
    this.#clock.restarted(performance.now());
  }

  event(event: ChatEvent): void {
    switch (event.type) {
      case 'text':
      case 'reasoning':
        this.#clock.grew(event.text.length, performance.now());
        if (this.#keeps) (event.type === 'text' ? this.#text : this.#reasoning).push(event.text);
        return;
      case 'toolCall':
        this.#clock.grew(JSON.stringify(event.call.input).length, performance.now());
        if (this.#keeps) this.#toolCalls.push(event.call);
        return;
      case 'attempt':
      case 'retrying':
        this.attempt(event);
        return;
      case 'opened':
        this.#requestId = event.requestId;
        return;
      case 'finish':
        this.#finishReason = event.reason;
        return;
      case 'usage':
        this.#usage = { ...this.#usage, ...event.usage };
        this.#clock.usage(event.usage);
        return;
      case 'metrics':
        this.#metrics = { ...this.#metrics, ...event.metrics };
        this.#clock.service(event.metrics);
        return;
      case 'response':
        this.#response = event;
        return;
      case 'end':
        this.#isComplete = event.complete;
        this.#isAtEnd = true;
        this.#clock.counted(event.deltas);
        return;
    }
  }

  /** A chat came to its end. */
  finished(): void {
    this.#end(this.#isComplete ? 'done' : 'incomplete', this.#chatBody());
  }

  /** Whoever asked has left: with all that there was, or early, which has stopped the reply. */
  left(): void {
    if (this.#isAtEnd) this.finished();
    else this.stopped();
  }

  /** An answer in one piece came. */
  answered(response: ReceivedBody, requestId: string | undefined): void {
    this.#requestId = requestId;
    this.#end('done', response);
  }

  stopped(): void {
    this.#end('stopped', this.#hasText ? this.#chatBody() : undefined);
  }

  failed(error: unknown): void {
    const failure: ApiFailure =
      error instanceof ApiError ? error.failure : { kind: 'unexpected', message: String(error) };
    const response = { ...(this.#hasText && this.#chatBody()), error: this.#deps.clean(failure) };
    if ('requestId' in failure && failure.requestId !== undefined) this.#requestId = failure.requestId;
    this.#end('failed', response, failure);
  }

  get #hasText(): boolean {
    return this.#text.length > 0 || this.#reasoning.length > 0 || this.#toolCalls.length > 0;
  }

  #end(outcome: RequestEnd['outcome'], response: ReceivedBody | undefined, failure?: ApiFailure): void {
    if (this.#isOver) return;
    this.#isOver = true;
    if (!this.#isSent) {
      this.#deps.history.dropped(this.#start.id);
      return;
    }
    const metrics = this.#clock.metrics(performance.now(), this.#ask.streamed);
    const cost =
      this.#ask.made === undefined
        ? this.#cost(metrics.promptTokens?.value, metrics.completionTokens?.value)
        : this.#costOf(this.#ask.made, outcome);
    const status = this.#exchange?.status;
    const requestId = this.#requestId ?? this.#exchange?.requestId;
    const end: RequestEnd = {
      type: 'ended',
      id: this.#start.id,
      writer: this.#deps.writer,
      at: Date.now(),
      outcome,
      metrics,
      ...(this.#finishReason !== undefined && { finishReason: this.#finishReason }),
      ...(requestId !== undefined && { requestId }),
      ...(this.#response?.model !== undefined && { answeredBy: this.#response.model }),
      ...(this.#attempts !== undefined && this.#attempts > 1 && { attempts: this.#attempts }),
      ...(status !== undefined && { status }),
      ...(failure !== undefined && { failure }),
      ...(cost !== undefined && { cost }),
    };
    const { clean, cleanBody, history, answered } = this.#deps;
    history.ended(clean(end), this.#keeps && response !== undefined ? cleanBody(response) : undefined);
    const hasAnswered = outcome === 'done' || outcome === 'incomplete';
    if (hasAnswered && this.#start.model !== undefined) answered(this.#start.model, this.#start.operation);
  }

  #cost(promptTokens: number | undefined, completionTokens: number | undefined): number | undefined {
    const prices = this.#ask.model === undefined ? undefined : this.#deps.priceOf(this.#ask.model);
    const { inputPricePerMillion: input, outputPricePerMillion: output } = prices ?? {};
    if (input === undefined || output === undefined || promptTokens === undefined || completionTokens === undefined) {
      return undefined;
    }
    return (promptTokens * input + completionTokens * output) / 1_000_000;
  }

  /** Of what was stopped or failed nobody knows whether it was charged. */
  #costOf(made: PricedRun, outcome: RequestEnd['outcome']): number | undefined {
    const raw = this.#ask.model === undefined ? undefined : this.#deps.priceOf(this.#ask.model)?.raw;
    return raw === undefined || outcome !== 'done' ? undefined : mediaPrice({ raw }, made);
  }

  #chatBody(): ReceivedBody {
    return chatBody({
      text: this.#text.join(''),
      reasoning: this.#reasoning.join(''),
      toolCalls: this.#toolCalls,
      finishReason: this.#finishReason,
      usage: this.#usage,
      metrics: this.#metrics,
      fields: this.#response?.fields,
    });
  }

  #sentBody({ method, url, text, isKeyless }: SentRequest): SentBody {
    const address = { method, url: url.href, ...(isKeyless === true && { isKeyless }) };
    if (!this.#keeps) return address;
    const { form } = this.#ask;
    if (form !== undefined) return { ...address, body: form };
    if (text === undefined) return address;
    const { body, isWhole } = withoutFiles(JSON.parse(text));
    return { ...address, body, ...(!isWhole && { isPartial: true }) };
  }
}
