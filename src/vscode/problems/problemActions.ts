import * as vscode from 'vscode';
import type { ProblemActionKind } from '../../shared/problem.ts';
import { commandIds } from '../settings/contributions.ts';
import { changeService } from '../service/serviceList.ts';
import type { Service } from '../service/service.ts';
import { plainWindow } from '../platform/plainWindow.ts';

/** What the buttons of a problem do where they concern the service, not one conversation. */
export class ProblemActions {
  readonly #service: () => Service;

  /** @param service the one that the problem is about */
  constructor(service: () => Service) {
    this.#service = service;
  }

  /** What only a conversation can do or a form (`retry`, `continue`, `openParameters`, `changeField`, `useModel`) can do does nothing here. */
  async run(kind: ProblemActionKind): Promise<void> {
    switch (kind) {
      case 'setApiKey':
      case 'setBaseUrl':
      case 'selectModel':
      case 'newChat':
      case 'testConnection':
      case 'openSettings':
      case 'showLog':
        await vscode.commands.executeCommand(commandIds[kind]);
        return;
      case 'useKeyForThisHost':
        return this.#useKeyForThisHost();
      case 'useHttps':
        return this.#useHttps();
      case 'useNoKey':
        return this.#useNoKey();
      case 'openKeysPage':
        return openPage(this.#service().pages().keys);
      case 'openCreditsPage':
        return openPage(this.#service().pages().credits);
      case 'openInferenceLogPage':
        return openPage(this.#service().pages().inferenceLog);
      case 'openProxySettings':
        await vscode.commands.executeCommand('workbench.action.openSettings', 'http.proxy');
        return;
      case 'retry':
      case 'continue':
      case 'openParameters':
      case 'changeField':
      case 'useModel':
        return;
    }
  }

  /** Sends a key where it has not been before, so it asks once more, with the address in full. */
  async #useKeyForThisHost(): Promise<void> {
    if ('kind' in this.#service().endpoint.addresses()) {
      await vscode.commands.executeCommand(commandIds.setBaseUrl);
      return;
    }
    const origins = await this.#service().endpoint.unapproved();
    if (origins.length === 0) return;
    const allow = vscode.l10n.t('Use Key Here');
    const chosen = await plainWindow.ask(
      vscode.l10n.t('Send your API key to {0} too?', origins.join(', ')),
      { detail: vscode.l10n.t('Do this only if this host belongs to the service the key is for.') },
      allow,
    );
    if (chosen !== allow) {
      return;
    }
    if (!(await this.#service().keys.allowFor(origins))) {
      await vscode.commands.executeCommand(commandIds.setApiKey);
    }
  }

  /** The same host, encrypted: the key that may go there unencrypted may go there so. */
  async #useHttps(): Promise<void> {
    const addresses = this.#service().endpoint.addresses();
    const origin = this.#service().endpoint.httpsOrigin;
    if ('kind' in addresses || origin === undefined) {
      await vscode.commands.executeCommand(commandIds.setBaseUrl);
      return;
    }
    const { baseUrl } = addresses;
    const isApproved = !(await this.#service().endpoint.unapproved()).includes(baseUrl.origin);
    if (isApproved) await this.#service().keys.allowFor([origin]);
    const text = `${origin}${baseUrl.pathname}`;
    await changeService(this.#service().id, { baseUrl: text });
  }

  async #useNoKey(): Promise<void> {
    const addresses = this.#service().endpoint.addresses();
    if ('kind' in addresses) await vscode.commands.executeCommand(commandIds.setBaseUrl);
    else await this.#service().keys.useNone(addresses.baseUrl.origin);
  }
}

async function openPage(address: string | undefined): Promise<void> {
  // The setting's rule has let only http and https through.
  if (address !== undefined) {
    await vscode.env.openExternal(vscode.Uri.parse(address, true));
  }
}
