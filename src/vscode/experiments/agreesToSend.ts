import * as vscode from 'vscode';
import { needsConsent } from '../../core/experiments/needsConsent.ts';
import type { MeasureEstimate } from '../../shared/measuring.ts';
import { costText } from '../../words/amount.ts';
import { numberText } from '../../words/numberText.ts';
import { roughTokensText } from '../../words/tokens.ts';
import { plainWindow } from '../platform/plainWindow.ts';

/**
 * Asks before many or costly requests are sent.
 * @param above currency units; null asks about the number of requests only
 */
export async function agreesToSend(estimate: MeasureEstimate, above: number | null): Promise<boolean> {
  if (!needsConsent(estimate, above)) return true;
  const { requests, tokens, cost, isCostAtLeast } = estimate;
  const needs = [roughTokensText(tokens), costText(cost, { isEstimate: cost > 0, isPartial: isCostAtLeast })] as const;
  const question =
    requests === 1 ? vscode.l10n.t('Send 1 request?') : vscode.l10n.t('Send {0} requests?', numberText(requests));
  const detail =
    requests === 1
      ? vscode.l10n.t(
          'It takes {0} and costs {1} if the reply is as long as usual. You can stop at any time.',
          ...needs,
        )
      : vscode.l10n.t(
          'They take {0} and cost {1} if replies are as long as usual. You can stop at any time.',
          ...needs,
        );
  const yes = vscode.l10n.t('Send');
  return (await plainWindow.ask(question, { isQuestion: true, detail }, yes)) === yes;
}
