import * as vscode from 'vscode';
import { serviceFaultText } from '../../core/problems/serviceFaultText.ts';
import { contextKeys } from '../settings/contributions.ts';
import { settings } from '../settings/settingList.ts';
import type { Notifier } from '../platform/notify.ts';
import type { Services } from '../service/services.ts';
import { setContext } from '../platform/setContext.ts';

/** Reports errors in the list of services, each once per window, and which web pages exist for commands. */
export function watchServices(
  services: Pick<Services, 'all' | 'faults' | 'onDidChange'>,
  notifier: Pick<Notifier, 'warning'>,
): vscode.Disposable {
  let told = new Set<string>();
  const look = (): void => {
    setContext(contextKeys.hasSeveralServices, services.all.length > 1);
    const pages = services.all.map((service) => service.pages());
    setContext(
      contextKeys.hasKeysPage,
      pages.some(({ keys }) => keys !== undefined),
    );
    setContext(
      contextKeys.hasCreditsPage,
      pages.some(({ credits }) => credits !== undefined),
    );
    setContext(
      contextKeys.hasInferenceLogPage,
      pages.some(({ inferenceLog }) => inferenceLog !== undefined),
    );
    const texts = new Set(services.faults.map(serviceFaultText));
    const open = { label: vscode.l10n.t('Open Settings'), run: openList };
    for (const text of texts) if (!told.has(text)) notifier.warning(text, [open]);
    // An error that was fixed and made again is reported again.
    told = texts;
  };
  look();
  return services.onDidChange(look);
}

async function openList(): Promise<void> {
  await vscode.commands.executeCommand('workbench.action.openSettingsJson', {
    revealSetting: { key: settings.services.id },
  });
}
