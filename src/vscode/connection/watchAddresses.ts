import * as vscode from 'vscode';
import { commandIds } from '../settings/contributions.ts';
import type { Service } from '../service/service.ts';
import type { Services } from '../service/services.ts';
import type { Explainer } from '../problems/explainer.ts';
import type { Notifier } from '../platform/notify.ts';

export interface WatchAddressesDeps {
  readonly services: Pick<Services, 'onTrouble' | 'find'>;
  readonly explainer: Pick<Explainer, 'problem'>;
  readonly notifier: Notifier;
}

/**
 * Reports optional URLs with problems: an invalid one, once per window, and one that the key isn't allowed for yet,
 * only once, with a button that allows it. Nothing waits for an answer.
 */
export function watchAddresses({ services, explainer, notifier }: WatchAddressesDeps): vscode.Disposable {
  const told = new Set<string>();
  const ask = ({ id, keys, memory }: Service, origin: string): void => {
    if (memory.origins('asked').includes(origin)) return;
    void memory.add('asked', [origin]);
    const text = vscode.l10n.t("Your API key isn't approved for {0}, so Parlance doesn't use this host.", origin);
    const run = async (): Promise<void> => {
      // The settings might have changed while the question was open.
      const addresses = services.find(id)?.endpoint.addresses();
      const isConfigured = addresses !== undefined && !('kind' in addresses) && addresses.origins.includes(origin);
      if (!isConfigured || (await keys.allowFor([origin]))) return;
      await vscode.commands.executeCommand(commandIds.setApiKey, { service: id });
    };
    notifier.warning(text, [{ label: vscode.l10n.t('Use Key There'), run }]);
  };
  return services.onTrouble(({ service, failure }) => {
    if (failure.target !== undefined) return ask(service, failure.target);
    const name = `${service.id} ${failure.missing} ${failure.found ?? ''}`;
    if (told.has(name)) return;
    told.add(name);
    notifier.problem(explainer.problem(failure, { during: 'command', service: service.id }));
  });
}
