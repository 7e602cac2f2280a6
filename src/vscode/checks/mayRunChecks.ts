import * as vscode from 'vscode';
import type { PlannedChecks } from '../../core/checks/checkPlan.ts';
import { experimentForecast, type ForecastDeps } from '../../core/experiments/experimentForecast.ts';
import { costText } from '../../words/amount.ts';
import { tokensText } from '../../words/tokens.ts';
import { maySend } from '../attachments/secretFile.ts';
import { plainWindow } from '../platform/plainWindow.ts';
import { maySendHidden } from '../prompts/run/runQuestions.ts';
import type { CheckLeaf } from './checkTree.ts';

/**
 * Above these limits, the user is asked. They aren't workspace settings, because a workspace could set them too high.
 */
const MOST_REQUESTS = 50;
const MOST_COST = 0.1;

/**
 * Asks about everything that ordinary prompts ask about too: files that might contain secrets, and invisible
 * characters. Also about many requests, or a high price.
 */
export async function mayRunChecks(
  leaves: readonly CheckLeaf[],
  plans: readonly PlannedChecks[],
  forecast: ForecastDeps,
): Promise<boolean> {
  const sources = new Map(leaves.flatMap(({ loaded }) => loaded.sources.map((uri) => [uri.toString(), uri])));
  for (const uri of sources.values()) if (!(await maySend(uri))) return false;
  for (const { experiment } of plans) {
    const text = experiment.prompts
      .flatMap(({ messages }) => messages.map(({ content }) => contentText(content)))
      .join('\n');
    if (!(await maySendHidden(experiment.prompts[0]?.title ?? '', text))) return false;
  }
  const sums = plans.map(({ experiment }) => experimentForecast(experiment, forecast));
  const judged = leaves.reduce(
    (sum, { loaded, checks }) =>
      sum + checks.file.repeat * loaded.check.expectations.filter(({ kind }) => kind === 'llm-rubric').length,
    0,
  );
  const requests = sums.reduce((sum, each) => sum + each.requests, judged);
  const cost = sums.reduce((sum, each) => sum + each.cost, 0);
  const most = sums.every(({ maxCost }) => maxCost !== undefined)
    ? sums.reduce((sum, { maxCost = 0 }) => sum + maxCost, 0)
    : undefined;
  // The usual price. The maximum, with replies as long as the model allows, is never realistic.
  if (requests <= MOST_REQUESTS && cost <= MOST_COST) return true;
  const models = new Set(leaves.map(({ model }) => model.id)).size;
  const tokens = sums.reduce((sum, each) => sum + each.promptTokens + each.replyTokens, 0);
  const isPartial = judged > 0 || sums.some(({ isCostAtLeast }) => isCostAtLeast);
  const price = costText(cost, { isEstimate: true, isPartial });
  const detail =
    most === undefined
      ? vscode.l10n.t('{0}, cost {1}.', tokensText(tokens, true), price)
      : vscode.l10n.t(
          '{0}, cost {1}, no more than {2}.',
          tokensText(tokens, true),
          price,
          costText(most, { isPartial }),
        );
  const send = vscode.l10n.t('Send');
  const question = vscode.l10n.t('Send {0} requests to {1} models?', requests, models);
  return (await plainWindow.ask(question, { detail, isQuestion: true }, send)) === send;
}

function contentText(content: string | readonly object[]): string {
  return typeof content === 'string' ? content : JSON.stringify(content);
}
