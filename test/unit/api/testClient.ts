import { ApiError } from '../../../src/api/apiError.ts';
import type { Clock } from '../../../src/api/clock.ts';
import { InferenceClient, type Exchange, type HostSwitch, type TraceSink } from '../../../src/api/inferenceClient.ts';
import type { FactStore } from '../../../src/api/service/serviceFacts.ts';
import type { Timeouts } from '../../../src/api/transport/timeouts.ts';
import { createTransport } from '../../../src/api/transport/createTransport.ts';
import type { TransportSettings } from '../../../src/api/transport/transportSettings.ts';
import type { ApiForm, ChatEvent, ServiceMetrics, Usage } from '../../../src/api/types.ts';
import type { ChatRequest } from '../../../src/api/operations/chatCompletion.ts';
import type { ApiFailure } from '../../../src/shared/apiFailure.ts';
import { withoutSecondRequest } from './sentTwice.ts';

export const testKey = 'sk-canary-7f3a';

export const plainSettings: TransportSettings = {
  proxySupport: 'override',
  proxy: '',
  noProxy: [],
  systemCertificates: false,
  env: {},
};

export const hello: ChatRequest = {
  model: 'local/echo',
  messages: [{ role: 'user', content: 'Hello' }],
  stream: true,
};

/** A clock whose waits end immediately and are recorded. */
export function instantClock(): Clock & { readonly slept: readonly number[] } {
  const slept: number[] = [];
  let nowMs = Date.UTC(2030, 0, 1);
  return {
    slept,
    now: () => nowMs,
    random: () => 0.5,
    sleep: (ms, signal) => {
      signal?.throwIfAborted();
      slept.push(ms);
      nowMs += ms;
      return Promise.resolve();
    },
  };
}

export interface TestClient {
  readonly client: InferenceClient;
  readonly exchanges: readonly Exchange[];
  readonly switches: readonly HostSwitch[];
  readonly dispose: () => void;
}

export function testClient(
  origin: string,
  options: {
    readonly settings?: () => TransportSettings;
    readonly hostFetch?: typeof fetch;
    readonly timeouts?: Partial<Timeouts>;
    readonly clock?: Clock;
    /** Null for a service without a key. */
    readonly apiKey?: string | null;
    readonly keyOrigins?: readonly string[];
    readonly nativeOrigin?: string;
    readonly legacyOrigin?: string;
    readonly nativeSegment?: string;
    readonly trace?: () => TraceSink | undefined;
    readonly facts?: FactStore;
    readonly firstByteMs?: number;
    readonly chatApi?: ApiForm;
    readonly mediaApi?: ApiForm;
  } = {},
): TestClient {
  const exchanges: Exchange[] = [];
  const switches: HostSwitch[] = [];
  const { legacyOrigin, nativeSegment } = options;
  const transport = createTransport({
    settings: options.settings ?? (() => plainSettings),
    ...(options.hostFetch === undefined ? {} : { hostFetch: options.hostFetch }),
    ...(options.timeouts === undefined ? {} : { timeouts: options.timeouts }),
    ...(options.firstByteMs === undefined ? {} : { firstByteMs: () => options.firstByteMs }),
  });
  const own = new InferenceClient({
    endpoint: () =>
      Promise.resolve({
        baseUrl: new URL('/v1', origin),
        nativeUrl: new URL('/api', options.nativeOrigin ?? origin),
        apiKey: options.apiKey === null ? undefined : (options.apiKey ?? testKey),
        ...(options.keyOrigins === undefined ? {} : { keyOrigins: options.keyOrigins }),
        ...(legacyOrigin === undefined ? {} : { fallbackBaseUrl: new URL('/v1', legacyOrigin) }),
        ...(nativeSegment === undefined ? {} : { nativeSegment }),
      }),
    transport,
    clock: options.clock ?? instantClock(),
    onExchange: (exchange) => exchanges.push(exchange),
    onHostSwitched: (change) => switches.push(change),
    ...(options.trace === undefined ? {} : { trace: options.trace }),
    ...(options.facts === undefined ? {} : { facts: options.facts }),
    ...(options.chatApi === undefined ? {} : { chatApi: () => options.chatApi ?? 'compatible' }),
    ...(options.mediaApi === undefined ? {} : { mediaApi: () => options.mediaApi ?? 'auto' }),
  });
  return { client: withoutSecondRequest(own), exchanges, switches, dispose: () => own.dispose() };
}

/** The content of a reply, however its events were cut. */
export interface Outcome {
  readonly text: string;
  readonly reasoning: string;
  readonly finish?: string;
  readonly usage?: Usage;
  readonly metrics?: ServiceMetrics;
  readonly complete?: boolean;
  readonly failure?: ApiFailure;
}

export async function outcomeOf(events: AsyncIterable<ChatEvent>): Promise<Outcome> {
  const outcome: { -readonly [K in keyof Outcome]: Outcome[K] } = { text: '', reasoning: '' };
  try {
    for await (const event of events) {
      if (outcome.complete !== undefined) throw new Error(`${event.type} after the end`);
      if (event.type === 'text') outcome.text += event.text;
      if (event.type === 'reasoning') outcome.reasoning += event.text;
      if (event.type === 'finish') outcome.finish = event.reason;
      if (event.type === 'usage') outcome.usage = event.usage;
      if (event.type === 'metrics') outcome.metrics = event.metrics;
      if (event.type === 'end') outcome.complete = event.complete;
    }
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    outcome.failure = error.failure;
  }
  return outcome;
}

export async function allOf<T>(items: AsyncIterable<T>): Promise<readonly T[]> {
  const all: T[] = [];
  for await (const item of items) all.push(item);
  return all;
}

/** The error that a promise rejects with. */
export async function failureOf(promise: Promise<unknown>): Promise<ApiFailure> {
  try {
    await promise;
  } catch (error) {
    if (error instanceof ApiError) return error.failure;
    throw error;
  }
  throw new Error('it did not fail');
}
