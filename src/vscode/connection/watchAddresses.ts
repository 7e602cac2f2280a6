import * as vscode from 'vscode';
import type { ApiKeyStore } from '../service/apiKeyStore.ts';
import { commandIds } from '../settings/contributions.ts';
import type { EndpointSource } from '../service/endpoint.ts';
import type { Explainer } from '../problems/explainer.ts';
import type { KeyMemory } from '../service/keyMemory.ts';
import type { Notifier } from '../platform/notify.ts';

export interface WatchAddressesDeps {
  readonly endpoint: Pick<EndpointSource, 'onTrouble' | 'addresses'>;
  readonly keys: Pick<ApiKeyStore, 'allowFor'>;
  readonly memory: KeyMemory;
  readonly explainer: Pick<Explainer, 'problem'>;
  readonly notifier: Notifier;
}

/**
 * Tells of addresses that requests do without: one with a mistake in it, once in a window, and one that the
 * key may not go to yet, once and for all, with a button that allows it. Nothing waits for an answer.
 */
export function watchAddresses({ endpoint, keys, memory, explainer, notifier }: WatchAddressesDeps): vscode.Disposable {
  const told = new Set<string>();
  const isConfigured = (origin: string): boolean => {
    const addresses = endpoint.addresses();
    return !('kind' in addresses) && addresses.origins.includes(origin);
  };
  const ask = (origin: string): void => {
    if (memory.origins('asked').includes(origin)) return;
    void memory.add('asked', [origin]);
    const text = vscode.l10n.t("Your API key isn't approved for {0}, so Parlance doesn't use this host.", origin);
    const run = async (): Promise<void> => {
      // The settings may have changed while the question stood.
      if (!isConfigured(origin) || (await keys.allowFor([origin]))) return;
      await vscode.commands.executeCommand(commandIds.setApiKey);
    };
    notifier.warning(text, [{ label: vscode.l10n.t('Use Key There'), run }]);
  };
  return endpoint.onTrouble((failure) => {
    if (failure.target !== undefined) return ask(failure.target);
    const name = `${failure.missing} ${failure.found ?? ''}`;
    if (told.has(name)) return;
    told.add(name);
    notifier.problem(explainer.problem(failure, { during: 'command' }));
  });
}
