import * as vscode from 'vscode';
import type { ApiKeyStore, KeyLifetime } from '../service/apiKeyStore.ts';
import { commandIds } from '../settings/contributions.ts';
import type { EndpointSource } from '../service/endpoint.ts';
import type { Notifier } from '../platform/notify.ts';
import { isKey } from '../service/storedKey.ts';
import { plainWindow } from '../platform/plainWindow.ts';
import { tellKeyless } from '../problems/problemActions.ts';

export interface ApiKeyCommandsDeps {
  /** ID of the service, if several could be meant. */
  readonly id?: string;
  /** Its name, if several could be meant. */
  readonly name?: string;
  readonly keys: ApiKeyStore;
  readonly endpoint: EndpointSource;
  readonly notifier: Pick<Notifier, 'info' | 'error'>;
  /** Called once a key is stored, so that the service remains the one that it belongs to. */
  readonly keepId: () => Promise<void>;
}

/** Asks for the key, stores it for the current URLs, and offers to test it. */
export async function setApiKey(deps: ApiKeyCommandsDeps): Promise<void> {
  // A key belongs to a URL, so the URL is first.
  if ('kind' in deps.endpoint.addresses()) {
    await vscode.commands.executeCommand(commandIds.setBaseUrl, ...target(deps));
  }
  const asked = deps.endpoint.addresses();
  if ('kind' in asked) {
    return;
  }
  const text = await plainWindow.showInputBox({
    title: vscode.l10n.t('API Key for {0}', deps.name ?? asked.baseUrl.host),
    prompt: [
      vscode.l10n.t('Sent to {0} only. Leave this empty if the service needs no key.', asked.origins.join(', ')),
      lifetimeText(await deps.keys.lifetime()),
    ].join(' '),
    password: true,
    ignoreFocusOut: true,
    validateInput: (value) => {
      const key = value.trim();
      return key === '' || isKey(key)
        ? undefined
        : vscode.l10n.t("An API key can have up to 512 characters and can't contain spaces, accents, or line breaks.");
    },
  });
  if (text === undefined) {
    return;
  }
  const test = {
    label: vscode.l10n.t('Test Connection'),
    run: async () => {
      await vscode.commands.executeCommand(commandIds.testConnection, ...target(deps));
    },
  };
  const { host, origin } = asked.baseUrl;
  if (text.trim() === '') {
    // Enter in an empty box might be a slip.
    const useNone = vscode.l10n.t('Use No Key');
    const answer = await plainWindow.ask(
      vscode.l10n.t('Send requests to {0} without a key?', host),
      { detail: vscode.l10n.t('To use a key later, run Set API Key again.'), isQuestion: true },
      useNone,
    );
    if (answer !== useNone) return;

    await deps.keys.useNone(origin);
    return tellKeyless(host, deps.notifier, test.run);
  }
  // Bound to the URLs in the prompt, not to their current values.
  const result = await deps.keys.store(text, asked.origins);
  if (result !== 'stored') {
    deps.notifier.error(notStoredText(result));
    return;
  }
  await deps.keepId();
  deps.notifier.info(vscode.l10n.t('The API key is stored for {0}.', host), [test]);
}

/** For the command that continues from here. */
function target({ id }: Pick<ApiKeyCommandsDeps, 'id'>): readonly { readonly service: string }[] {
  return id === undefined ? [] : [{ service: id }];
}

/** Where and for how long the key is stored. */
function lifetimeText(lifetime: KeyLifetime): string {
  switch (lifetime) {
    case 'lasting':
      return vscode.l10n.t("It's kept in VS Code's secret storage.");
    case 'unknown':
      return vscode.l10n.t('VS Code in a browser might keep it in memory only, until the window reloads.');
    case 'lost':
      return vscode.l10n.t('This VS Code keeps keys in memory only: you need to set it again after each reload.');
  }
}

/** Asks first. Says if the environment still provides a key. */
export async function removeApiKey({
  keys,
  name,
  notifier,
}: Pick<ApiKeyCommandsDeps, 'keys' | 'name' | 'notifier'>): Promise<void> {
  const { stored, lost, environment } = await keys.sources();
  if (!stored && !lost) {
    notifier.info(
      environment
        ? vscode.l10n.t('No API key is stored. The one in use comes from the environment variable SERVICE_API_KEY.')
        : vscode.l10n.t('No API key is stored.'),
    );
    return;
  }
  const remove = vscode.l10n.t('Remove Key');
  const answer = await plainWindow.ask(
    name === undefined
      ? vscode.l10n.t('Remove the stored API key?')
      : vscode.l10n.t('Remove the stored API key for {0}?', name),
    {
      detail: environment
        ? vscode.l10n.t('After that, the environment variable SERVICE_API_KEY still provides a key.')
        : vscode.l10n.t('The key itself stays valid until you revoke it with your service.'),
    },
    remove,
  );
  if (answer !== remove) {
    return;
  }
  await keys.remove();
  notifier.info(
    environment
      ? vscode.l10n.t('The stored API key was removed. The environment variable SERVICE_API_KEY is used now.')
      : vscode.l10n.t('The API key was removed.'),
  );
}

function notStoredText(result: 'invalid' | 'notKept'): string {
  switch (result) {
    case 'invalid':
      return vscode.l10n.t("This can't be an API key: it's too long or contains characters that aren't allowed.");
    case 'notKept':
      return vscode.l10n.t(
        "VS Code's secret storage didn't save the key. Check that the system keyring is unlocked, then set the key again.",
      );
  }
}
