import type { ApiFailure } from '../shared/apiFailure.ts';
import type { ToolCall } from './toolTypes.ts';

/** Where requests go and what they carry. Read anew for each request, never kept. */
export interface Endpoint {
  /** OpenAI-compatible base, `…/v1`, no trailing slash. */
  readonly baseUrl: URL;
  /** Native base, `…/api`, no trailing slash. */
  readonly nativeUrl: URL;
  /** Undefined where the service needs none: nothing is sent then. */
  readonly apiKey: string | undefined;
  /** Of the endpoint's own origins those that the user allowed the key for; all of them where absent. */
  readonly keyOrigins?: readonly string[];
  /** Hosts the key was saved for, to tell the user. */
  readonly keyHosts?: string;
  /** The service's own name in native paths; `svcai` where absent. */
  readonly nativeSegment?: string;
  /** The older host's form of `baseUrl` (spec, Versioning), asked where the current host cannot be reached. */
  readonly fallbackBaseUrl?: URL;
  /** The user's own headers, in lower case; never a secret. Parlance's own come before them. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** The two forms of the service's host. */
export type HostForm = 'current' | 'legacy';

/** The two APIs of the service: the OpenAI-compatible one under `baseUrl`, and the native one. */
export type ApiForm = 'compatible' | 'native';

/** `auto`: the native API, and where the service lacks the path, the compatible one. */
export type ApiChoice = ApiForm | 'auto';

/** Spec, Usage. */
export interface Usage {
  readonly promptTokens?: number;
  readonly completionTokens?: number;
  readonly totalTokens?: number;
}

/** Spec, Metrics (`x_metrics`). */
export interface ServiceMetrics {
  readonly ttftSeconds?: number;
  readonly tokensPerSecond?: number;
  readonly totalTimeSeconds?: number;
}

/**
 * What a chat completion yields, in the order it happened. Both response forms, streamed and whole,
 * give the same events. `usage` and `metrics` may repeat: the last one wins.
 */
export type ChatEvent =
  | AttemptEvent
  /** The answer's headers came. */
  | { readonly type: 'opened'; readonly requestId?: string }
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'reasoning'; readonly text: string }
  /** Whole, and so after all text; only where the request holds tools. */
  | { readonly type: 'toolCall'; readonly call: ToolCall }
  | { readonly type: 'finish'; readonly reason: string }
  | { readonly type: 'usage'; readonly usage: Usage }
  | { readonly type: 'metrics'; readonly metrics: ServiceMetrics }
  /**
   * Before the end: what the service sent beside the choices, the last word of each field. `model` is the one that
   * replied, where the service names it.
   */
  | {
      readonly type: 'response';
      readonly model?: string;
      readonly fields: Readonly<Record<string, unknown>>;
    }
  /**
   * Always last on success. `complete` is false when the stream ended with neither `[DONE]` nor a finish reason, and
   * when the finish reason isn't one of a finished reply: nothing may use the text as if it were whole.
   * `deltas`: pieces of text that came, most often a token each; only where the service counted no tokens.
   */
  | { readonly type: 'end'; readonly complete: boolean; readonly deltas?: number };

/** How a call fares on its way to an answer. */
export type AttemptEvent =
  /** An attempt starts, counted from 1. */
  | { readonly type: 'attempt'; readonly attempt: number }
  /** An attempt failed before any output, and the next, `attempt`, starts after the delay. */
  | { readonly type: 'retrying'; readonly attempt: number; readonly delayMs: number; readonly failure: ApiFailure };
