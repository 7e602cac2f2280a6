import * as vscode from 'vscode';
import type { Notifier } from '../platform/notify.ts';
import { plainWindow } from '../platform/plainWindow.ts';
import type { Service } from '../service/service.ts';
import { removeFromList } from '../service/serviceList.ts';

export interface RemoveServiceDeps {
  /** The next one then gets its ID, and with that its conversations. */
  readonly isOnly: boolean;
  /** Deletes what was stored about the service at this base URL: its model list, and what it supports. */
  readonly forget: (baseUrl: string) => Promise<void>;
  readonly notifier: Pick<Notifier, 'info'>;
}

/** Asks first, and says what is deleted and what is kept. True if it was removed. */
export async function removeService(service: Service, deps: RemoveServiceDeps): Promise<boolean> {
  const { isOnly, forget, notifier } = deps;
  const { id, name, keys, memory } = service;
  const addresses = service.endpoint.addresses();
  const remove = vscode.l10n.t('Remove Service');
  const answer = await plainWindow.ask(
    vscode.l10n.t('Remove the service {0}?', name),
    {
      detail: [
        vscode.l10n.t('Its saved API key and its model list are deleted. Replies in progress end.'),
        isOnly
          ? vscode.l10n.t(
              'Its conversations, requests, and media are kept, and belong to the next service that you set up.',
            )
          : vscode.l10n.t('Its conversations, requests, and media are kept, with its name.'),
      ].join('\n\n'),
    },
    remove,
  );
  if (answer !== remove) return false;
  // The list is changed first: if the settings can't be written, nothing else is deleted either.
  await removeFromList(id);
  await keys.remove();
  await memory.forget();
  if (!('kind' in addresses)) await forget(addresses.baseUrl.href);
  notifier.info(vscode.l10n.t('{0} was removed. Its API key and its model list were deleted.', name));
  return true;
}
