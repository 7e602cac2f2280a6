import type { ModelRef } from '../../shared/modelRef.ts';
import * as vscode from 'vscode';
import { ApiError } from '../../api/apiError.ts';
import type { CallOptions } from '../../api/callOptions.ts';
import type { InferenceCalls } from '../../core/requests/inferenceCalls.ts';
import { type ChatRequest, chatCompletion } from '../../api/operations/chatCompletion.ts';
import { chatBody } from '../../core/chat/chatRequest.ts';
import { ReplyClock } from '../../core/chat/replyMetrics.ts';
import type { ReplyMetrics } from '../../shared/chat.ts';
import type { ApiFailure } from '../../shared/apiFailure.ts';
import type { Problem } from '../../shared/problem.ts';
import type { Circumstances, Explainer } from '../problems/explainer.ts';
import { plainWindow } from '../platform/plainWindow.ts';

export interface TestPrompt {
  readonly model: ModelRef;
  readonly prompt: string;
  readonly maxTokens: number;
}

export type Outcome<T> =
  | { readonly type: 'ok'; readonly value: T }
  | { readonly type: 'canceled' }
  | { readonly type: 'problem'; readonly problem: Problem; readonly failure?: ApiFailure };

/** Runs with a progress notification whose button aborts it. */
export function cancellably<T>(title: string, run: (signal: AbortSignal) => Promise<T>): Thenable<T> {
  return plainWindow.withProgress(
    { location: vscode.ProgressLocation.Notification, title: title, cancellable: true },
    async (_progress, cancellation) => {
      const abort = new AbortController();
      const subscription = cancellation.onCancellationRequested(() => abort.abort());
      try {
        return await run(abort.signal);
      } finally {
        subscription.dispose();
      }
    },
  );
}

/** Sends the request, and returns its outcome as a value. */
export async function attempt<T>(
  explainer: Explainer,
  circumstances: Circumstances,
  signal: AbortSignal,
  run: () => Promise<T>,
): Promise<Outcome<T>> {
  try {
    return { type: 'ok', value: await run() };
  } catch (error) {
    if (signal.aborted) {
      return { type: 'canceled' };
    }
    const problem = explainer.problemOfError(error, circumstances);
    return { type: 'problem', problem, ...(error instanceof ApiError ? { failure: error.failure } : {}) };
  }
}

/** Asks for a reply and discards its text. */
export async function askOnce(service: InferenceCalls, test: TestPrompt, options: CallOptions): Promise<ReplyMetrics> {
  const clock = new ReplyClock(performance.now());
  const { model, prompt, maxTokens } = test;
  const request: ChatRequest = chatBody(model, { maxTokens, stream: true }, [{ role: 'user', content: prompt }]);
  for await (const event of service.stream({ ...chatCompletion(request), ownFields: ['max_tokens'] }, options))
    clock.heard(event, performance.now());
  return clock.metrics(performance.now(), true);
}
