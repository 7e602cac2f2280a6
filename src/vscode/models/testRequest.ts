import * as vscode from 'vscode';
import { ApiError } from '../../api/apiError.ts';
import type { CallOptions } from '../../api/callOptions.ts';
import type { InferenceCalls } from '../../core/requests/inferenceCalls.ts';
import { type ChatRequest, chatCompletion } from '../../api/operations/chatCompletion.ts';
import type { ServiceMetrics, Usage } from '../../api/types.ts';
import { chatBody } from '../../core/chat/chatRequest.ts';
import { tokenRate } from '../../core/chat/replyMetrics.ts';
import type { ApiFailure } from '../../shared/apiFailure.ts';
import { numberText } from '../../words/numberText.ts';
import type { Problem } from '../../shared/problem.ts';
import type { Circumstances, Explainer } from '../problems/explainer.ts';
import { plainWindow } from '../platform/plainWindow.ts';

/** A test that went well. */
export interface TestAnswer {
  readonly usage?: Usage;
  readonly metrics?: ServiceMetrics;
  readonly measuredMs: number;
  /** Absent where no text came. */
  readonly firstTextMs?: number;
}

export interface TestPrompt {
  readonly model: string;
  readonly prompt: string;
  readonly maxTokens: number;
}

export type Outcome<T> =
  | { readonly type: 'ok'; readonly value: T }
  | { readonly type: 'cancelled' }
  | { readonly type: 'problem'; readonly problem: Problem; readonly failure?: ApiFailure };

/** Runs with a notification that says what goes on, and whose button aborts it. */
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

/** Asks the service, and takes what comes of it as a value. */
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
      return { type: 'cancelled' };
    }
    const problem = explainer.problemOfError(error, circumstances);
    return { type: 'problem', problem, ...(error instanceof ApiError ? { failure: error.failure } : {}) };
  }
}

export async function askOnce(service: InferenceCalls, test: TestPrompt, options: CallOptions): Promise<TestAnswer> {
  const startedAt = performance.now();
  let firstTextMs: number | undefined;
  let usage: Usage | undefined;
  let metrics: ServiceMetrics | undefined;
  const { model, prompt, maxTokens } = test;
  const request: ChatRequest = chatBody(model, { maxTokens, stream: true }, [{ role: 'user', content: prompt }]);
  for await (const event of service.stream(chatCompletion(request), options)) {
    if (event.type === 'usage') {
      ({ usage } = event);
    } else if (event.type === 'metrics') {
      ({ metrics } = event);
    } else if (event.type === 'text') {
      firstTextMs ??= performance.now() - startedAt;
    }
  }
  return {
    measuredMs: performance.now() - startedAt,
    ...(firstTextMs === undefined ? {} : { firstTextMs }),
    ...(usage === undefined ? {} : { usage }),
    ...(metrics === undefined ? {} : { metrics }),
  };
}

/** The figures of a test, for a notification. VS Code cuts that at its end, so they come first there. */
export function answerFigures(answer: TestAnswer, { withSpeed }: { readonly withSpeed: boolean }): string {
  const { metrics, usage, measuredMs, firstTextMs } = answer;
  const seconds = metrics?.totalTimeSeconds ?? measuredMs / 1000;
  const first = metrics?.ttftSeconds ?? (withSpeed && firstTextMs !== undefined ? firstTextMs / 1000 : undefined);
  const { promptTokens, completionTokens } = usage ?? {};
  const facts = [vscode.l10n.t('{0} s', numberText(seconds, 2))];
  if (first !== undefined) {
    facts.push(vscode.l10n.t('first token after {0} s', numberText(first, 2)));
  }
  const speed = metrics?.tokensPerSecond ?? tokenRate(completionTokens, seconds - (first ?? 0));
  if (withSpeed && speed !== undefined) {
    facts.push(vscode.l10n.t('{0} tok/s', numberText(speed, speed < 10 ? 1 : 0)));
  }
  if (promptTokens !== undefined && completionTokens !== undefined) {
    facts.push(vscode.l10n.t('{0} → {1} tokens', numberText(promptTokens), numberText(completionTokens)));
  }
  return facts.join(' · ');
}
