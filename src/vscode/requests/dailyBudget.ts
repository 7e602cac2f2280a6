import * as vscode from 'vscode';
import { type BudgetOfService, usageOn } from '../../core/requests/usageView.ts';
import { isRecord } from '../../shared/isRecord.ts';
import type { UsageSum } from '../../shared/usage.ts';
import { hasSeveralServices, serviceName } from '../../words/modelLabel.ts';
import type { Services } from '../service/services.ts';
import { commandIds } from '../settings/contributions.ts';
import type { Notifier } from '../platform/notify.ts';
import { localDay } from '../platform/localDay.ts';
import type { RequestHistory } from './requestHistory.ts';
import { amountText } from '../../words/amount.ts';
import { costOfSum } from '../../words/usageSum.ts';

const warnedKey = 'requests.budgetWarned';

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

interface Limit extends Pick<BudgetOfService, 'budget'> {
  /** Its ID; undefined for all services together. */
  readonly service: string | undefined;
}

/** What was warned about last. */
interface Warned {
  readonly day: string;
  readonly budget: number;
}

/** Warns once a day when the known spending exceeds the user's limit, and again if that was raised. It stops nothing. */
export function watchDailyBudget(deps: DailyBudgetDeps): vscode.Disposable {
  const { history, budget, services, state, notifier, onError } = deps;
  return history.onDidLearnCost(() => {
    check().catch(onError);
  });

  async function check(): Promise<void> {
    const today = localDay(Date.now());
    const limit = budget();
    const limits: readonly Limit[] = [
      ...(limit === null ? [] : [{ service: undefined, budget: limit }]),
      ...serviceBudgets(services),
    ];
    const waiting = limits.filter((each) => !isWarned(each, today));
    if (waiting.length === 0) return;
    const digest = await history.digest();
    for (const each of waiting) {
      const { service, budget: most } = each;
      const sum = usageOn(digest, today, service);
      if (sum.cost <= most || isWarned(each, today)) continue;
      const warned: Warned = { day: today, budget: most };
      await state.update(keyOf(service), warned);
      notifier.warning(overBudgetText(service, sum, most), [
        { label: vscode.l10n.t('Show Usage'), run: async () => vscode.commands.executeCommand(commandIds.showUsage) },
      ]);
    }
  }

  function isWarned({ service, budget: most }: Limit, today: string): boolean {
    const warned = state.get(keyOf(service));
    return isRecord(warned) && warned['day'] === today && Number(warned['budget']) >= most;
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
  return service === undefined ? warnedKey : `${warnedKey}.${service}`;
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
