import type { ApiFailure } from '../shared/apiFailure.ts';
import type { ToolCall } from './toolTypes.ts';

/** Where requests are sent and what they carry. Read for each request, never stored. */
export interface Endpoint {
  /** OpenAI-compatible base URL, `…/v1`, without a trailing slash. */
  readonly baseUrl: URL;
  /** Native base URL, `…/api`, without a trailing slash. */
  readonly nativeUrl: URL;
  /** The native URL leads to another service of the user: nothing is sent to it. */
  readonly isNativeElsewhere?: boolean;
  /** Undefined if the service needs none. Nothing is sent then. */
  readonly apiKey: string | undefined;
  /** Those of the endpoint's own origins that the user allowed the key for; all of them if absent. */
  readonly keyOrigins?: readonly string[];
  /** Hosts that the key was saved for, to show to the user. */
  readonly keyHosts?: string;
  /** The service's own name in native paths; `svcai` if absent. */
  readonly nativeSegment?: string;
  /** The older host's form of `baseUrl` (spec, Versioning), used if the current host can't be reached. */
  readonly fallbackBaseUrl?: URL;
  /** The user's own headers, in lower case; never a secret. Parlance's own headers take precedence. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** The two forms of the service's host. */
export type HostForm = 'current' | 'legacy';

/** The two APIs of the service: the OpenAI-compatible one under `baseUrl`, and the native one. */
export type ApiForm = 'compatible' | 'native';

/** `auto`: the native API, or the compatible one if the service lacks the native path. */
export type ApiChoice = ApiForm | 'auto';

/** Spec, Usage. */
export interface Usage {
  readonly promptTokens?: number;
  readonly completionTokens?: number;
  readonly totalTokens?: number;
  /** Tokens of the prompt that were in the service's cache. Most services include them in `promptTokens`. */
  readonly cachedTokens?: number;
  /** Tokens of the reply that were reasoning. `completionTokens` includes them. */
  readonly reasoningTokens?: number;
}

/** Spec, Metrics (`x_metrics`). */
export interface ServiceMetrics {
  readonly ttftSeconds?: number;
  readonly tokensPerSecond?: number;
  readonly totalTimeSeconds?: number;
}

/**
 * What a chat completion yields, in order. Both response forms, streamed and whole, produce the same events. `usage`
 * and `metrics` can repeat: the last one wins.
 */
export type ChatEvent =
  | AttemptEvent
  /** The response headers have arrived. */
  | { readonly type: 'opened'; readonly requestId?: string }
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'reasoning'; readonly text: string }
  /** Complete calls, so after all text. Only if the request has tools. */
  | { readonly type: 'toolCall'; readonly call: ToolCall }
  | { readonly type: 'finish'; readonly reason: string }
  | { readonly type: 'usage'; readonly usage: Usage }
  | { readonly type: 'metrics'; readonly metrics: ServiceMetrics }
  /**
   * Before the end: what the service sent besides the choices, with the last value of each field. `model` is the one
   * that replied, if the service names it.
   */
  | {
      readonly type: 'response';
      readonly model?: string;
      readonly fields: Readonly<Record<string, unknown>>;
    }
  /**
   * Always last on success. `complete` is false if the stream ended with neither `[DONE]` nor a finish reason, or with
   * a finish reason that doesn't mean a finished reply: nothing should use the text as if it were whole. `deltas` is
   * the number of text pieces, most often one token each; only set if the service didn't count tokens.
   */
  | { readonly type: 'end'; readonly complete: boolean; readonly deltas?: number };

/** The progress of a call until its response. */
export type AttemptEvent =
  /** An attempt starts. Counted from 1. */
  | { readonly type: 'attempt'; readonly attempt: number }
  /** An attempt failed before any output. The next one, number `attempt`, starts after the delay. */
  | { readonly type: 'retrying'; readonly attempt: number; readonly delayMs: number; readonly failure: ApiFailure };
