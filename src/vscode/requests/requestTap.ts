import type { AnswerOptions, CallOptions } from '../../api/callOptions.ts';
import { type ChatOperation } from '../../api/operations/chatCompletion.ts';
import type { WholeOperation } from '../../api/operations/operation.ts';
import type { ChatEvent } from '../../api/types.ts';
import type { ModelInfo } from '../../api/wire/decodeModels.ts';
import type { InferenceCalls } from '../../core/requests/inferenceCalls.ts';
import type { RequestOperation } from '../../core/requests/requestOperations.ts';
import type { RequestOrigin } from '../../core/requests/requestRecord.ts';
import { type ModelRef, refParts } from '../../shared/modelRef.ts';
import { type RequestTapDeps, type Sender, TappedCall, TappedStream } from './tappedCall.ts';

/** The way to each service, with request history. Every part of Parlance uses this. */
export class RequestTap {
  readonly #callsOf: (service: string) => InferenceCalls;
  readonly #deps: RequestTapDeps;
  readonly #sender: Sender;

  /** @param callsOf a service's own calls, by its ID; throws an {@link ApiError} for one that isn't there */
  constructor(
    callsOf: (service: string) => InferenceCalls,
    deps: RequestTapDeps,
    sender: Sender = { origin: { kind: 'other' } },
  ) {
    this.#callsOf = callsOf;
    this.#deps = deps;
    this.#sender = sender;
  }

  /**
   * The same services, with calls recorded as sent from there.
   * @param stop called if the user stops one of these calls from the request history
   * @param started called with the ID of each call's request in the history
   */
  from(origin: RequestOrigin, stop?: () => void, started?: Sender['started']): RequestTap {
    return new RequestTap(this.#callsOf, this.#deps, { origin, ...(stop && { stop }), ...(started && { started }) });
  }

  /** @param service its ID */
  to(service: string): TappedService {
    return new TappedService(() => this.#callsOf(service), service, this.#deps, this.#sender);
  }

  /** The service that has the model. */
  forModel(model: ModelRef): TappedService {
    return this.to(refParts(model).service);
  }

  /**
   * The same history, for a service that isn't in the user's list. Its models have the prices of its own list, if that
   * was fetched.
   */
  through(calls: InferenceCalls, service: string): TappedService {
    let listed: ReadonlyMap<string, ModelInfo> = new Map();
    const deps: RequestTapDeps = {
      ...this.#deps,
      answered: () => undefined,
      chatEnded: () => undefined,
      priceOf: (model) => listed.get(refParts(model).model),
      modelsListed: (models) => (listed = new Map(models.map((model) => [model.id, model]))),
    };
    return new TappedService(() => calls, service, deps, this.#sender);
  }
}

/** A service whose calls are recorded in request history. */
export class TappedService implements InferenceCalls {
  readonly #calls: () => InferenceCalls;
  readonly #service: string;
  readonly #deps: RequestTapDeps;
  readonly #sender: Sender;

  constructor(calls: () => InferenceCalls, service: string, deps: RequestTapDeps, sender: Sender) {
    this.#calls = calls;
    this.#service = service;
    this.#deps = deps;
    this.#sender = sender;
  }

  stream(operation: ChatOperation, options: CallOptions = {}): AsyncIterable<ChatEvent> {
    return {
      [Symbol.asyncIterator]: () => {
        const calls = this.#calls();
        const call = new TappedCall(operation, this.#service, this.#sender, this.#deps, options.observer);
        return new TappedStream(call, calls.stream(operation, { ...options, observer: call }), options.signal);
      },
    };
  }

  async ask<Answer>(operation: WholeOperation<Answer, RequestOperation>, options: AnswerOptions = {}): Promise<Answer> {
    const calls = this.#calls();
    const call = new TappedCall(operation, this.#service, this.#sender, this.#deps, options.observer);
    try {
      const answer = await calls.ask(operation, {
        ...options,
        observer: call,
        onAttempt: (event) => {
          call.event(event);
          options.onAttempt?.(event);
        },
      });
      call.answered(operation.kept(answer), requestIdIn(answer));
      const models = operation.modelsIn?.(answer);
      if (models !== undefined) this.#deps.modelsListed(models, this.#service);
      return answer;
    } catch (error) {
      call.failed(error, options.signal);
      throw error;
    }
  }
}

function requestIdIn(answer: unknown): string | undefined {
  const isKnown = typeof answer === 'object' && answer !== null && 'requestId' in answer;
  return isKnown && typeof answer.requestId === 'string' ? answer.requestId : undefined;
}
