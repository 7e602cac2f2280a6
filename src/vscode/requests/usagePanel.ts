import * as v from 'valibot';
import * as vscode from 'vscode';
import { usageView } from '../../core/requests/usageView.ts';
import type { UsageToHost, UsageToPage } from '../../shared/protocol/usageProtocol.ts';
import { panelTypes } from '../settings/contributions.ts';
import { DisposableSlot } from '../platform/disposables.ts';
import { type MidnightClock, Midnights } from '../platform/timers/midnights.ts';
import { type PageLog, PagePort } from '../platform/pages/pagePort.ts';
import { showPage } from '../platform/pages/pageHtml.ts';
import { tabIcon } from '../platform/pages/tabIcon.ts';
import { localDay } from '../platform/localDay.ts';
import type { Services } from '../service/services.ts';
import type { Setting } from '../settings/setting.ts';
import { serviceBudgets } from './dailyBudget.ts';
import type { RequestHistory } from './requestHistory.ts';

const shownDays = 30;

const usageMessageSchema: v.GenericSchema<unknown, UsageToHost> = v.object({ type: v.literal('ready') });

export interface UsagePanelDeps extends MidnightClock {
  readonly extensionUri: vscode.Uri;
  readonly history: RequestHistory;
  /** Currency units per day; null for none. */
  readonly budget: Setting<number | null>;
  readonly services: Pick<Services, 'all' | 'onDidChange'>;
  readonly onError: (error: unknown) => void;
  readonly pageLog: PageLog;
}

/** The only tab with the usage page, which is updated while it's open. */
export class UsagePanel implements vscode.Disposable {
  readonly #deps: UsagePanelDeps;
  readonly #panel = new DisposableSlot<vscode.WebviewPanel>();

  constructor(deps: UsagePanelDeps) {
    this.#deps = deps;
  }

  show(): void {
    const open = this.#panel.value;
    if (open !== undefined) return open.reveal();
    const { extensionUri, history, services, budget, onError, pageLog } = this.#deps;
    const title = vscode.l10n.t('Usage');
    const panel = vscode.window.createWebviewPanel(panelTypes.usage, title, vscode.ViewColumn.Active);
    this.#panel.set(panel);
    panel.iconPath = tabIcon(extensionUri, 'usage');
    const port = new PagePort<UsageToPage, UsageToHost>(panel.webview, pageLog);
    const send = () => this.#send(panel, port).catch(onError);
    const midnights = new Midnights(() => void send(), this.#deps);
    const changes = [
      ...[history, services, budget].map((source) => source.onDidChange(() => void send())),
      midnights,
      vscode.window.onDidChangeWindowState(() => midnights.check()),
    ];
    port.onMessage(usageMessageSchema, () => void send());
    panel.onDidDispose(() => {
      for (const each of changes) each.dispose();
      if (this.#panel.value === panel) this.#panel.set(undefined);
    });
    showPage(panel, { extensionUri }, 'usage');
  }

  dispose(): void {
    this.#panel.dispose();
  }

  async #send(panel: vscode.WebviewPanel, port: PagePort<UsageToPage, UsageToHost>): Promise<void> {
    const usage = usageView(
      await this.#deps.history.digest(),
      lastDays(shownDays, this.#deps.now?.() ?? Date.now()),
      this.#deps.budget.value,
      serviceBudgets(this.#deps.services),
    );
    if (this.#panel.value === panel) port.post({ type: 'usage', usage });
  }
}

/** Oldest first, today last. By the calendar, because not every day has 24 hours. */
function lastDays(count: number, now: number): readonly string[] {
  return Array.from({ length: count }, (_, index) => {
    const date = new Date(now);
    date.setHours(12);
    date.setDate(date.getDate() - (count - 1 - index));
    return localDay(date.getTime());
  });
}
