import * as vscode from 'vscode';
import type { PlannedChecks } from '../../core/checks/checkPlan.ts';
import { checksForecast } from '../../core/checks/checksForecast.ts';
import type { ForecastDeps } from '../../core/experiments/experimentForecast.ts';
import { costText } from '../../words/amount.ts';
import { tokensText } from '../../words/tokens.ts';
import { numberText } from '../../words/numberText.ts';
import { maySend } from '../attachments/secretFile.ts';
import { plainWindow } from '../platform/plainWindow.ts';
import { maySendHidden } from '../prompts/run/runQuestions.ts';
import type { CheckLeaf } from './checkTree.ts';

/** Above these limits, the user is asked; null means never. They come from user settings: a workspace could set them too high. */
export interface RunLimits {
  readonly requests: number | null;
  /** Currency units. */
  readonly cost: number | null;
}

/**
 * Asks about everything that ordinary prompts ask about too: files that might contain secrets, and invisible
 * characters. Also about many requests, or a high price.
 */
export async function mayRunChecks(
  leaves: readonly CheckLeaf[],
  plans: readonly PlannedChecks[],
  forecast: ForecastDeps,
  limits: RunLimits,
): Promise<boolean> {
  const sources = new Map(leaves.flatMap(({ loaded }) => loaded.sources.map((uri) => [uri.toString(), uri])));
  for (const uri of sources.values()) if (!(await maySend(uri))) return false;
  const rubrics = leaves.flatMap(({ checks: { file }, loaded: { check }, model }) =>
    check.expectations.flatMap((expectation) =>
      expectation.kind === 'llm-rubric' ? [{ expectation, model, repeat: file.repeat }] : [],
    ),
  );
  const texts = plans.map(({ experiment: { prompts } }) => ({
    title: prompts[0]?.title ?? '',
    parts: prompts.flatMap(({ messages }) => messages.map(({ content }) => contentText(content))),
  }));
  // A judge gets these too.
  const judged = new Set(rubrics.map(({ expectation }) => String(expectation.value)));
  texts.push({ title: leaves[0]?.loaded.check.name ?? '', parts: [...judged] });
  for (const { title, parts } of texts) if (!(await maySendHidden(title, parts.join('\n')))) return false;
  const sums = checksForecast(plans, rubrics, forecast);
  const { requests, cost, maxCost, isCostAtLeast: isPartial } = sums;
  // The expected price. The maximum, with replies as long as the model allows, is never realistic.
  if (requests <= (limits.requests ?? Infinity) && cost <= (limits.cost ?? Infinity)) return true;
  const models = new Set(leaves.map(({ model }) => model.id)).size;
  const tokens = sums.promptTokens + sums.replyTokens;
  const price = costText(cost, { isEstimate: true, isPartial });
  const detail =
    maxCost === undefined
      ? vscode.l10n.t('{0}, cost {1}.', tokensText(tokens, true), price)
      : vscode.l10n.t('{0}, cost {1}, no more than {2}.', tokensText(tokens, true), price, costText(maxCost));
  const send = vscode.l10n.t('Send');
  const question = sendQuestion(requests, models);
  return (await plainWindow.ask(question, { detail, isQuestion: true }, send)) === send;
}

function contentText(content: string | readonly object[]): string {
  return typeof content === 'string' ? content : JSON.stringify(content);
}

function sendQuestion(requests: number, models: number): string {
  if (requests === 1) return vscode.l10n.t('Send 1 request?');
  return models === 1
    ? vscode.l10n.t('Send {0} requests to 1 model?', requests)
    : vscode.l10n.t('Send {0} requests to {1} models?', requests, numberText(models));
}
