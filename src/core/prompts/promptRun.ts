import { ApiError } from '../../api/apiError.ts';
import type { InferenceCalls } from '../requests/inferenceCalls.ts';
import { type ChatRequest, chatCompletion } from '../../api/operations/chatCompletion.ts';
import type { ApiFailure } from '../../shared/apiFailure.ts';
import type { ReplyMetrics } from '../../shared/chat.ts';
import { splitUnopenedThoughts } from '../../shared/text/unopenedThoughts.ts';
import { ReplyClock } from '../chat/replyMetrics.ts';

export interface PromptRunDeps {
  readonly client: InferenceCalls;
  /** Milliseconds of a monotonic clock. */
  readonly ticks: () => number;
  /** Called with all of the text so far whenever it grows. */
  readonly onText: (text: string) => void;
  /** Called before a wait for another attempt, in milliseconds. */
  readonly onRetry: (delayMs: number) => void;
}

/** How a run ended. Its text is never lost. */
export interface PromptRunEnd {
  readonly outcome: 'done' | 'incomplete' | 'stopped' | 'failed';
  readonly text: string;
  readonly metrics: ReplyMetrics;
  readonly finishReason?: string;
  readonly requestId?: string;
  readonly attempts?: number;
  /** For a failed run; includes `error` if it's a bug in Parlance. */
  readonly failure?: ApiFailure;
  readonly error?: unknown;
}

/** Runs one request outside of a conversation. Never rejects: a failure is one of the outcomes. */
export async function runPrompt(request: ChatRequest, signal: AbortSignal, deps: PromptRunDeps): Promise<PromptRunEnd> {
  const clock = new ReplyClock(deps.ticks());
  const facts: { finishReason?: string; requestId?: string; attempts?: number } = {};
  let text = '';
  const end = (outcome: PromptRunEnd['outcome']): PromptRunEnd => ({
    outcome,
    text: splitUnopenedThoughts(text).text,
    metrics: clock.metrics(deps.ticks(), request.stream),
    ...facts,
  });
  try {
    let isComplete = false;
    for await (const event of deps.client.stream(chatCompletion(request), { signal })) {
      clock.heard(event, deps.ticks());
      switch (event.type) {
        case 'text':
          text += event.text;
          deps.onText(text);
          break;
        case 'attempt':
          facts.attempts = event.attempt;
          break;
        case 'retrying':
          deps.onRetry(event.delayMs);
          break;
        case 'opened':
          if (event.requestId !== undefined) facts.requestId = event.requestId;
          break;
        case 'finish':
          facts.finishReason = event.reason;
          break;
        case 'end':
          isComplete = event.complete;
          break;
        default:
          // The clock handles these. Tool calls are never requested here.
          break;
      }
    }
    return end(isComplete ? 'done' : 'incomplete');
  } catch (error) {
    if (signal.aborted) return end('stopped');
    if (!(error instanceof ApiError)) {
      return { ...end('failed'), failure: { kind: 'unexpected', message: String(error) }, error };
    }
    return { ...end('failed'), failure: error.failure };
  }
}
