import * as vscode from 'vscode';
import { type BudgetOfService, usageOn } from '../../core/requests/usageView.ts';
import type { UsageSum } from '../../shared/usage.ts';
import { hasSeveralServices, serviceName } from '../../words/modelLabel.ts';
import type { Services } from '../service/services.ts';
import { commandIds } from '../settings/contributions.ts';
import type { Notifier } from '../platform/notify.ts';
import { localDay } from '../platform/localDay.ts';
import type { RequestHistory } from './requestHistory.ts';
import { amountText } from '../../words/amount.ts';
import { costOfSum } from '../../words/usageSum.ts';

const warnedOn = 'requests.budgetWarnedOn';

export interface DailyBudgetDeps {
  readonly history: Pick<RequestHistory, 'digest' | 'onDidLearnCost'>;
  /** Currency units per day; null for none. */
  readonly budget: () => number | null;
  readonly services: Pick<Services, 'all'>;
  /** Shared by all windows, so that only one warns. */
  readonly state: { get(key: string): unknown; update(key: string, value: unknown): PromiseLike<void> };
  readonly notifier: Pick<Notifier, 'warning'>;
  readonly onError: (error: unknown) => void;
}

/** Warns once a day when the known spending exceeds the user's limit. It stops nothing. */
export function watchDailyBudget(deps: DailyBudgetDeps): vscode.Disposable {
  const { history, budget, services, state, notifier, onError } = deps;
  return history.onDidLearnCost(() => {
    check().catch(onError);
  });

  async function check(): Promise<void> {
    const today = localDay(Date.now());
    const limit = budget();
    const limits = [...(limit === null ? [] : [{ service: undefined, budget: limit }]), ...serviceBudgets(services)];
    const waiting = limits.filter(({ service }) => state.get(keyOf(service)) !== today);
    if (waiting.length === 0) return;
    const digest = await history.digest();
    for (const { service, budget: most } of waiting) {
      const sum = usageOn(digest, today, service);
      if (sum.cost <= most || state.get(keyOf(service)) === today) continue;
      await state.update(keyOf(service), today);
      notifier.warning(overBudgetText(service, sum, most), [
        { label: vscode.l10n.t('Show Usage'), run: async () => vscode.commands.executeCommand(commandIds.showUsage) },
      ]);
    }
  }
}

/** The services with their own budget. */
export function serviceBudgets({ all }: Pick<Services, 'all'>): readonly BudgetOfService[] {
  return all.flatMap(({ id, entry }) => {
    const { dailyBudget } = entry.value;
    return dailyBudget === null ? [] : [{ service: id, budget: dailyBudget }];
  });
}

function keyOf(service: string | undefined): string {
  return service === undefined ? warnedOn : `${warnedOn}.${service}`;
}

function overBudgetText(service: string | undefined, sum: UsageSum, budget: number): string {
  return service === undefined || !hasSeveralServices()
    ? vscode.l10n.t(
        "Today's requests cost {0}, more than your daily budget of {1}.",
        costOfSum(sum),
        amountText(budget),
      )
    : vscode.l10n.t(
        "Today's requests to {0} cost {1}, more than your daily budget of {2}.",
        serviceName(service),
        costOfSum(sum),
        amountText(budget),
      );
}
