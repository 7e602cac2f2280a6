import type { ApiFailure } from '../../shared/apiFailure.ts';
import type { ExchangeDeps } from './answerReader.ts';
import { ApiError } from '../apiError.ts';
import type { SentRequest } from '../callObserver.ts';
import type { Clock } from '../clock.ts';
import type { Exchange } from '../exchange.ts';
import type { HostChoice } from '../service/hostChoice.ts';
import { isUnsent, mayHaveBeenMade } from './mayHaveBeenMade.ts';
import type { Operation } from '../operations/operation.ts';
import { orCanceled } from './orCanceled.ts';
import type { Attempt } from './attempt.ts';
import { RetryBucket, retryDelayMs, type RetriedCall } from './retry.ts';
import type { Transport, TransportRequest } from '../transport/transport.ts';
import type { ApiForm, AttemptEvent, Endpoint, HostForm } from '../types.ts';
import type { CallOptions } from '../callOptions.ts';
import { unexpectedError } from '../unexpectedError.ts';
import { WireTrace, type TraceSink } from '../transport/wireTrace.ts';
import { operationUrl } from '../service/baseUrl.ts';
import { baseOf, isDowngrade } from '../service/hostForms.ts';
import { authorizationFor } from '../transport/authorization.ts';

/** Starts one exchange. */
export type Begin<Event> = (deps: ExchangeDeps) => Attempt<Event>;

interface CallRunnerDeps {
  readonly endpoint: () => Promise<Endpoint>;
  readonly transport: Transport;
  readonly clock: Clock;
  readonly hosts: HostChoice;
  readonly onExchange: ((exchange: Exchange) => void) | undefined;
  readonly trace: (() => TraceSink | undefined) | undefined;
}

/** Runs calls: attempts, the waits between them, and the other form of the host. The same for every operation. */
export class CallRunner {
  readonly #deps: CallRunnerDeps;
  readonly #retries: RetryBucket;
  #exchangeCount = 0;

  constructor(deps: CallRunnerDeps) {
    this.#deps = deps;
    this.#retries = new RetryBucket(10, 10_000, () => this.#deps.clock.now());
  }

  /** @throws {ApiError}, or the signal's reason on a cancel. Leaving the loop early aborts the exchange. */
  async *run<Event>(
    operation: Operation,
    api: ApiForm,
    begin: Begin<Event>,
    options: CallOptions,
  ): AsyncGenerator<AttemptEvent | Event, void, undefined> {
    const { signal } = options;
    const errors: ApiError[] = [];
    let waitedMs = 0;
    for (;;) {
      const attempt = errors.length + 1;
      let reply: Attempt<Event> | undefined;
      try {
        yield { type: 'attempt', attempt };
        const reached = await this.#reach(operation, api, begin, options);
        reply = reached.reply;
        for (let { batch } = reached; batch !== undefined; batch = await reply.nextBatch()) {
          // Anything that arrived after the cancel is unwanted.
          signal?.throwIfAborted();
          for (const event of batch) yield event;
        }
        signal?.throwIfAborted();
        return;
      } catch (error) {
        signal?.throwIfAborted();
        if (!(error instanceof ApiError)) throw unexpectedError(error);
        if (reply?.hasOutput !== true && operation.corrects?.(error.failure) === true) continue;
        errors.push(error);
        const delayMs = reply?.hasOutput === true ? undefined : this.#delayMs(operation.retried, errors, waitedMs);
        if (delayMs === undefined) throw tellingError(errors);
        yield { type: 'retrying', attempt: attempt + 1, delayMs, failure: error.failure };
        await this.#deps.clock.sleep(delayMs, signal);
        waitedMs += delayMs;
      } finally {
        reply?.abandon();
      }
    }
  }

  /** The first response, or the first failure that says more than "no connection". */
  async #reach<Event>(operation: Operation, api: ApiForm, begin: Begin<Event>, options: CallOptions) {
    const { hostForm, signal } = options;
    const endpoint = await orCanceled(this.#deps.endpoint, signal);
    const forms = hostForm === undefined ? this.#deps.hosts.forms(endpoint, api) : [hostForm];
    const unreachable: HostForm[] = [];
    let firstError: ApiError | undefined;
    for (const form of forms) {
      const reply = begin(this.#exchange(requestFor(operation, api, endpoint, form), options));
      try {
        const batch = await reply.nextBatch();
        this.#deps.hosts.reached(endpoint, api, form, unreachable);
        return { reply, batch };
      } catch (error) {
        reply.abandon();
        if (signal?.aborted === true || !(error instanceof ApiError)) throw error;
        if (isFromAfar(error.failure)) {
          this.#deps.hosts.reached(endpoint, api, form, unreachable);
          throw error;
        }
        // If neither host can be used, report the one that should have been used.
        firstError ??= error;
        if (!isUnsent(error.failure)) break;
        unreachable.push(form);
      }
    }
    throw firstError ?? new Error('there was no host to send the request to');
  }

  #exchange(request: TransportRequest, { signal, observer }: CallOptions): ExchangeDeps {
    const sink = this.#deps.trace?.();
    this.#exchangeCount += 1;
    observer?.sending?.(sentRequest(request));
    return {
      transport: this.#deps.transport,
      request,
      clock: this.#deps.clock,
      onWire: observer?.onWire,
      onText: observer?.textArrived,
      onExchange: (exchange) => {
        this.#deps.onExchange?.(exchange);
        observer?.exchanged?.(exchange);
      },
      trace: sink === undefined ? undefined : new WireTrace(sink, request, this.#exchangeCount),
      signal,
    };
  }

  #delayMs(call: RetriedCall, errors: readonly ApiError[], waitedMs: number): number | undefined {
    const failures = errors.map(({ failure }) => failure);
    const delayMs = retryDelayMs(call, { failures, waitedMs }, this.#deps.clock.random());
    if (delayMs === undefined) return undefined;
    // Waiting for a model to load is slow enough not to cause a storm.
    return failures.at(-1)?.kind === 'notReady' || this.#retries.take() ? delayMs : undefined;
  }
}

/**
 * The error to report after the last attempt. If attempts failed in different ways, that's the first one with the
 * service's own message, but never a failure that certainly cost nothing instead of one that might have been charged.
 */
function tellingError(errors: readonly ApiError[]): ApiError {
  const last = errors.at(-1);
  if (last === undefined) throw new Error('no attempt was made');
  if (errors.every(({ failure }) => failure.kind === last.failure.kind)) return last;
  const mayCost = mayHaveBeenMade(last.failure);
  return errors.find(({ failure }) => hasMessage(failure) && (!mayCost || mayHaveBeenMade(failure))) ?? last;
}

function hasMessage(failure: ApiFailure): boolean {
  return 'message' in failure && failure.message !== '';
}

function sentRequest({ method, url, body, endpoint }: TransportRequest): SentRequest {
  const address = { method, url, ...(endpoint.apiKey === undefined && { isKeyless: true }) };
  if (body === undefined) return address;
  const { contentType, content } = body;
  return { ...address, contentType, ...(typeof content === 'string' && { text: content }) };
}

/** The request was sent over a connection to the host. */
function isFromAfar(failure: ApiFailure): boolean {
  switch (failure.kind) {
    case 'proxyAuthRequired':
    case 'tls':
    case 'setup':
    case 'unexpected':
      return false;
    default:
      return !isUnsent(failure);
  }
}

/** @throws {ApiError} `setup` if the endpoint has no such form of the host, its native URL is another service's, or the key isn't allowed there. */
function requestFor(operation: Operation, api: ApiForm, endpoint: Endpoint, form: HostForm): TransportRequest {
  const path = operation.paths[api];
  if (path === undefined) throw new Error(`The ${api} API has no ${operation.name}`);
  if (api === 'native' && endpoint.isNativeElsewhere === true) {
    throw new ApiError({ kind: 'setup', missing: 'otherNativeUrl', found: endpoint.nativeUrl.href });
  }
  const base = baseOf(endpoint, api, form);
  if (base === undefined) throw legacyObstacle(endpoint);
  const segment = encodeURIComponent(endpoint.nativeSegment ?? 'svcai');
  const url = operationUrl(base, path.replace('{segment}', segment));
  // Before anything is reported about a request that won't be made.
  authorizationFor(endpoint, url);
  const { body } = operation;
  return {
    endpoint,
    url,
    method: operation.method,
    accept: operation.accept,
    patience: operation.patience,
    ...(operation.hasImages === true && { hasImages: true }),
    ...(body !== undefined && { body: body(api, endpoint.baseUrl.href) }),
  };
}

function legacyObstacle(endpoint: Endpoint): ApiError {
  const { fallbackBaseUrl, keyHosts } = endpoint;
  if (fallbackBaseUrl === undefined) return new ApiError({ kind: 'setup', missing: 'baseUrl' });
  const { origin } = fallbackBaseUrl;
  if (isDowngrade(endpoint, fallbackBaseUrl)) {
    return new ApiError({ kind: 'setup', missing: 'encryptedLegacyUrl', found: origin });
  }
  const found = keyHosts === undefined ? {} : { found: keyHosts };
  return new ApiError({ kind: 'setup', missing: 'apiKeyForThisHost', ...found, target: origin });
}
