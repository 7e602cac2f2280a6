import type { Chunking } from './chunkings.ts';
import type { Outcome } from './testClient.ts';

export const errorEvent = {
  error: { message: 'The backend broke.', type: 'server_error', code: 'backend_error', request_id: 'req_9' },
};
export const streamError = {
  kind: 'streamError',
  message: 'The backend broke.',
  type: 'server_error',
  code: 'backend_error',
  requestId: 'req_9',
} as const;

export interface Row {
  readonly input: string;
  readonly body: string | Uint8Array;
  readonly result: Outcome;
  readonly headers?: Readonly<Record<string, string>>;
  readonly status?: number;
  /** After the body: a clean end by default. */
  readonly ending?: 'end' | 'reset' | 'stayOpen';
  /** Without HTTP chunks: the response, including its head, is cut between pieces written to the socket. */
  readonly isUnframed?: boolean;
  /** Over TLS, with this certificate. */
  readonly certificate?: string;
  /** Replaces the four chunkings that cut every row of the table, for variations of a row. */
  readonly chunkings?: readonly Chunking[];
}

export const hi: Outcome = { text: 'Hi', reasoning: '', complete: true };
export const json = { 'content-type': 'application/json' };
export const mebibyte = 1024 * 1024;
export const whole = {
  id: 'c1',
  object: 'chat.completion',
  choices: [{ index: 0, message: { role: 'assistant', content: 'Hi' }, finish_reason: 'stop' }],
  usage: { prompt_tokens: 1, completion_tokens: 2, total_tokens: 3 },
  x_metrics: { ttft_seconds: 0.5, tps: 40, total_time_seconds: 2 },
};
export const wholeOutcome: Outcome = {
  ...hi,
  finish: 'stop',
  usage: { promptTokens: 1, completionTokens: 2, totalTokens: 3 },
  metrics: { ttftSeconds: 0.5, tokensPerSecond: 40, totalTimeSeconds: 2 },
};
export const page =
  '<!DOCTYPE html><html><head><title>Sign in</title></head><body>Welcome\u0007 to the portal</body></html>';
