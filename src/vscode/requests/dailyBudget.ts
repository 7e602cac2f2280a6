import * as vscode from 'vscode';
import { usageOn } from '../../core/requests/usageView.ts';
import { commandIds } from '../settings/contributions.ts';
import type { Notifier } from '../platform/notify.ts';
import { localDay } from '../platform/localDay.ts';
import type { RequestHistory } from './requestHistory.ts';
import { amountText } from '../../words/amount.ts';
import { costOfSum } from '../../words/usageSum.ts';

const warnedOn = 'requests.budgetWarnedOn';

export interface DailyBudgetDeps {
  readonly history: Pick<RequestHistory, 'digest' | 'onDidEndWithCost'>;
  /** Currency units per day; null for none. */
  readonly budget: () => number | null;
  /** Shared by all windows, so that only one warns. */
  readonly state: { get(key: string): unknown; update(key: string, value: unknown): PromiseLike<void> };
  readonly notifier: Pick<Notifier, 'warning'>;
  readonly onError: (error: unknown) => void;
}

/** Warns once a day when the known spending exceeds the user's limit. It stops nothing. */
export function watchDailyBudget(deps: DailyBudgetDeps): vscode.Disposable {
  const { history, budget, state, notifier, onError } = deps;
  return history.onDidEndWithCost(() => {
    check().catch(onError);
  });

  async function check(): Promise<void> {
    const limit = budget();
    const today = localDay(Date.now());
    if (limit === null || state.get(warnedOn) === today) return;
    const sum = usageOn(await history.digest(), today);
    if (sum.cost <= limit || state.get(warnedOn) === today) return;
    await state.update(warnedOn, today);
    notifier.warning(
      vscode.l10n.t(
        "Today's requests cost {0}, more than your daily budget of {1}.",
        costOfSum(sum),
        amountText(limit),
      ),
      [{ label: vscode.l10n.t('Show Usage'), run: async () => vscode.commands.executeCommand(commandIds.showUsage) }],
    );
  }
}
