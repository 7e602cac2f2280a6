import { ApiError } from '../../api/apiError.ts';
import type { CallObserver, SentRequest } from '../../api/callObserver.ts';
import type { Exchange } from '../../api/exchange.ts';
import { type ChatAnswer, type ChatOperation, keptReply } from '../../api/operations/chatCompletion.ts';
import type { KeptBody, Operation, WholeOperation } from '../../api/operations/operation.ts';
import type { ChatEvent } from '../../api/types.ts';
import type { ModelInfo } from '../../api/wire/decodeModels.ts';
import { askedWords } from '../../core/requests/askedWords.ts';
import { ReplyClock } from '../../core/chat/replyMetrics.ts';
import { messagesTokens, sentAtLeast } from '../../core/chat/messagesTokens.ts';
import type { EndedChat } from '../../core/requests/windowLesson.ts';
import { type ModelPrices, requestCost } from '../../core/requests/requestCost.ts';
import type { RequestOperation } from '../../core/requests/requestOperations.ts';
import { withoutUniquePrefix } from '../../core/experiments/uniquePrefix.ts';
import type { RequestEnd, RequestOrigin, RequestStart } from '../../core/requests/requestRecord.ts';
import { sentBody } from '../../core/requests/sentBody.ts';
import { mainServiceId, type ModelRef, modelRef } from '../../shared/modelRef.ts';
import type { ApiFailure } from '../../shared/apiFailure.ts';
import type { ReplyMetrics } from '../../shared/chat.ts';
import type { RequestHistory, RunningRequest } from './requestHistory.ts';

/** Who sends a request. */
export interface Sender extends Pick<RunningRequest, 'stop'> {
  readonly origin: RequestOrigin;
  /** Called with the ID of each request in the history. */
  readonly started?: (id: string) => void;
}

export interface RequestTapDeps {
  readonly history: Pick<RequestHistory, 'started' | 'sent' | 'changed' | 'ended' | 'dropped'>;
  /** A request was sent: its price is needed when it ends. */
  readonly onSent: () => unknown;
  /** Whether requests and responses are saved, and not only their facts. */
  readonly keepsBodies: () => boolean;
  readonly priceOf: (model: ModelRef) => ModelPrices | undefined;
  /** A model has responded, to any kind of request. */
  readonly answered: (model: ModelRef, operation: RequestOperation) => void;
  /** A chat has ended, and wasn't stopped. */
  readonly chatEnded: (ended: EndedChat, model: ModelRef, origin: RequestOrigin) => void;
  /** A model list arrived, with its prices. */
  readonly modelsListed: (models: readonly ModelInfo[], service: string) => void;
  /** Removes the key from everything that is stored: a user might have typed it, and a service might quote it. */
  readonly clean: <T>(data: T) => T;
  /** The same for a body, whose text otherwise stays unchanged, because it might be sent again. */
  readonly cleanBody: <T>(data: T) => T;
  readonly writer: string;
}

/**
 * Observes a reply on its way to the caller. The service's own stream is passed on, because a wrapper would cost every
 * token a turn.
 */
export class TappedStream implements AsyncIterator<ChatEvent> {
  readonly #call: TappedCall;
  readonly #signal: AbortSignal | undefined;
  readonly #events: AsyncIterator<ChatEvent>;

  constructor(call: TappedCall, events: AsyncIterable<ChatEvent>, signal: AbortSignal | undefined) {
    this.#call = call;
    this.#signal = signal;
    this.#events = events[Symbol.asyncIterator]();
  }

  next(): Promise<IteratorResult<ChatEvent>> {
    const step = this.#events.next();
    step.then(this.#took, this.#failed);
    return step;
  }

  async return(): Promise<IteratorResult<ChatEvent>> {
    this.#call.left();
    await this.#events.return?.();
    return { done: true, value: undefined };
  }

  readonly #took = (step: IteratorResult<ChatEvent>): void => {
    if (step.done === true) this.#call.finished();
    else this.#call.event(step.value);
  };

  readonly #failed = (error: unknown): void => this.#call.failed(error, this.#signal);
}

/** A reply, or a response in one piece. */
type TappedOperation = Operation<RequestOperation> &
  Partial<Pick<ChatOperation, 'request'>> &
  Partial<Pick<WholeOperation<unknown>, 'keptForm' | 'made'>>;

/**
 * Writes the history's records of one call. Its methods cost next to nothing during the call; the work is done when it
 * starts and ends.
 */
export class TappedCall implements CallObserver {
  readonly #deps: RequestTapDeps;
  readonly #operation: TappedOperation;
  readonly #service: string;
  readonly #observer: CallObserver | undefined;
  readonly #start: RequestStart;
  readonly #clock = new ReplyClock(performance.now());
  readonly #keeps: boolean;
  /** The last request that was recorded. */
  #sent: Pick<SentRequest, 'url' | 'text'> | undefined;
  #isOver = false;
  #attempts: number | undefined;
  #exchange: Exchange | undefined;
  #requestId: string | undefined;
  #isComplete = true;
  #isAtEnd = false;
  #answeredBy: string | undefined;
  /** The reply so far. */
  readonly #reply: { -readonly [Field in keyof ChatAnswer]: ChatAnswer[Field] } = { text: '', reasoning: '' };

  constructor(
    operation: TappedOperation,
    service: string,
    { origin, stop, started }: Sender,
    deps: RequestTapDeps,
    observer: CallObserver | undefined,
  ) {
    this.#operation = operation;
    this.#service = service;
    this.#deps = deps;
    this.#observer = observer;
    this.textArrived = observer?.textArrived;
    this.#keeps = deps.keepsBodies();
    const { name, model } = operation;
    const { asked: sent } = operation;
    const asked =
      this.#keeps && sent !== undefined ? askedWords(withoutUniquePrefix(sent, origin.experiment?.attempt)) : undefined;
    this.#start = {
      type: 'started',
      id: crypto.randomUUID(),
      writer: deps.writer,
      pid: process.pid,
      at: Date.now(),
      operation: name,
      origin,
      ...(service !== mainServiceId && { service }),
      ...(model !== undefined && { model: deps.clean(model) }),
      ...(asked !== undefined && { asked: deps.clean(asked) }),
    };
    deps.history.started(this.#start, {
      figures: () => this.#figures(),
      received: () => (this.#hasText ? keptReply(this.#reply) : undefined),
      ...(stop && { stop }),
    });
    started?.(this.#start.id);
  }

  /**
   * By now the key is known, and nothing that contains it is written to disk. If the service lacks the path or refuses a
   * field, the next request is another one, which the response belongs to.
   */
  readonly sending = (request: SentRequest): void => {
    this.#observer?.sending?.(request);
    const before = this.#sent;
    if (before?.url.href === request.url.href && before.text === request.text) return;
    this.#sent = request;
    const body = this.#deps.cleanBody(sentBody(request, this.#keeps, this.#operation.keptForm));
    if (before !== undefined) return this.#deps.history.changed(this.#start.id, body);
    this.#deps.history.sent(this.#start, body);
    this.#deps.onSent();
  };

  readonly onWire = (): void => this.#observer?.onWire?.();

  /** Absent if nobody measures, because then a reply is decoded at once. */
  readonly textArrived: CallObserver['textArrived'];

  readonly exchanged = (exchange: Exchange): void => {
    this.#observer?.exchanged?.(exchange);
    this.#exchange = exchange;
  };

  event(event: ChatEvent): void {
    this.#clock.heard(event, performance.now());
    switch (event.type) {
      case 'text':
      case 'reasoning':
        if (this.#keeps) this.#reply[event.type] += event.text;
        return;
      case 'toolCall':
        this.#clock.grew(JSON.stringify(event.call.input).length, performance.now());
        if (this.#keeps) this.#reply.toolCalls = [...(this.#reply.toolCalls ?? []), event.call];
        return;
      case 'attempt':
        this.#attempts = event.attempt;
        return;
      case 'retrying':
        return;
      case 'opened':
        this.#requestId = event.requestId;
        return;
      case 'finish':
        this.#reply.finishReason = event.reason;
        return;
      case 'usage':
        this.#reply.usage = { ...this.#reply.usage, ...event.usage };
        return;
      case 'metrics':
        this.#reply.metrics = { ...this.#reply.metrics, ...event.metrics };
        return;
      case 'response':
        this.#answeredBy = event.model;
        this.#reply.fields = event.fields;
        return;
      case 'end':
        this.#isComplete = event.complete;
        this.#isAtEnd = true;
        return;
    }
  }

  /** A chat has ended. */
  finished(): void {
    this.#end(this.#isComplete ? 'done' : 'incomplete', keptReply(this.#reply));
  }

  /** The caller stopped reading: at the end, or early, which stopped the reply. */
  left(): void {
    if (this.#isAtEnd) this.finished();
    else this.#stopped();
  }

  /** A response in one piece arrived. */
  answered(response: KeptBody, requestId: string | undefined): void {
    this.#requestId = requestId;
    this.#end('done', response);
  }

  /** @param signal the one that canceled the call, if any. */
  failed(error: unknown, signal: AbortSignal | undefined): void {
    if (signal?.aborted === true) {
      this.#stopped();
      return;
    }
    const failure: ApiFailure =
      error instanceof ApiError ? error.failure : { kind: 'unexpected', message: String(error) };
    const response = { ...(this.#hasText && keptReply(this.#reply)), error: this.#deps.clean(failure) };
    if ('requestId' in failure && failure.requestId !== undefined) this.#requestId = failure.requestId;
    this.#end('failed', response, failure);
  }

  #stopped(): void {
    this.#end('stopped', this.#hasText ? keptReply(this.#reply) : undefined);
  }

  get #hasText(): boolean {
    const { text, reasoning, toolCalls = [] } = this.#reply;
    return text !== '' || reasoning !== '' || toolCalls.length > 0;
  }

  #end(outcome: RequestEnd['outcome'], response: KeptBody | undefined, failure?: ApiFailure): void {
    if (this.#isOver) return;
    this.#isOver = true;
    if (this.#sent === undefined) {
      this.#deps.history.dropped(this.#start.id);
      return;
    }
    const metrics = this.#figures();
    const { finishReason } = this.#reply;
    const { model, made } = this.#operation;
    const prices = model === undefined ? undefined : this.#deps.priceOf(modelRef(this.#service, model));
    const cost = prices && requestCost(prices, made, outcome, metrics);
    const status = this.#exchange?.status;
    const requestId = this.#requestId ?? this.#exchange?.requestId;
    const end: RequestEnd = {
      type: 'ended',
      id: this.#start.id,
      writer: this.#deps.writer,
      at: Date.now(),
      outcome,
      metrics,
      ...(finishReason !== undefined && { finishReason }),
      ...(requestId !== undefined && { requestId }),
      ...(this.#answeredBy !== undefined && { answeredBy: this.#answeredBy }),
      ...(this.#attempts !== undefined && this.#attempts > 1 && { attempts: this.#attempts }),
      ...(status !== undefined && { status }),
      ...(failure !== undefined && { failure }),
      ...(cost !== undefined && { cost }),
    };
    const { clean, cleanBody, history, answered } = this.#deps;
    history.ended(clean(end), this.#keeps && response !== undefined ? cleanBody(response) : undefined);
    const hasAnswered = outcome === 'done' || outcome === 'incomplete';
    if (hasAnswered && this.#start.model !== undefined)
      answered(modelRef(this.#service, this.#start.model), this.#start.operation);
    if (outcome !== 'stopped') this.#chatEnded(metrics, failure);
  }

  #chatEnded(metrics: ReplyMetrics, failure: ApiFailure | undefined): void {
    const { model, request } = this.#operation;
    if (model === undefined || request === undefined) return;
    const hasBegun = metrics.completionTokens !== undefined;
    const sentTokens = () => messagesTokens(request.messages);
    // The chat knows better how much it sent.
    const least =
      this.#start.origin.kind === 'chat' ? undefined : sentAtLeast(request.messages, this.#clock.countedPrompt);
    const ended = {
      metrics,
      hasBegun,
      sentTokens,
      ...(least !== undefined && { sentAtLeast: least }),
      ...(failure !== undefined && { failure }),
    };
    this.#deps.chatEnded(ended, modelRef(this.#service, model), this.#start.origin);
  }

  #figures(): ReplyMetrics {
    return this.#clock.metrics(performance.now(), this.#operation.request?.stream === true);
  }
}
