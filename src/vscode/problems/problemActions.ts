import * as vscode from 'vscode';
import type { ProblemActionKind } from '../../shared/problem.ts';
import { commandIds } from '../settings/contributions.ts';
import { mayGoTo } from '../service/apiKeyStore.ts';
import { changeService } from '../service/serviceList.ts';
import type { Notifier } from '../platform/notify.ts';
import type { Service } from '../service/service.ts';
import type { Services } from '../service/services.ts';
import { openAddress } from '../platform/pages/openAddress.ts';
import { plainWindow } from '../platform/plainWindow.ts';

/** What the buttons of a problem do if they affect the service rather than one conversation. */
export class ProblemActions {
  readonly #services: Pick<Services, 'find' | 'first'>;
  readonly #notifier: () => Pick<Notifier, 'info'>;

  /** @param notifier read when it's needed, because its buttons run these actions */
  constructor(services: Pick<Services, 'find' | 'first'>, notifier: () => Pick<Notifier, 'info'>) {
    this.#services = services;
    this.#notifier = notifier;
  }

  /**
   * What only a conversation or a form can do (`retry`, `continue`, `openParameters`, `changeField`, `useModel`,
   * `summarize`, `leaveOutEarliest`) does nothing here.
   */
  async run(kind: ProblemActionKind, about?: string): Promise<void> {
    switch (kind) {
      case 'setApiKey':
      case 'setBaseUrl':
      case 'findLocalServices':
      case 'newChat':
      case 'testConnection':
      case 'openSettings':
      case 'showLog':
        await vscode.commands.executeCommand(commandIds[kind], ...(about === undefined ? [] : [{ service: about }]));
        return;
      case 'selectModel':
        // A notification isn't about the conversation in the chat, which might not even be visible.
        await vscode.commands.executeCommand(commandIds.selectDefaultModel);
        return;
      case 'openProxySettings':
        await vscode.commands.executeCommand('workbench.action.openSettings', 'http.proxy');
        return;
      case 'retry':
      case 'continue':
      case 'openParameters':
      case 'changeField':
      case 'useModel':
      case 'summarize':
      case 'leaveOutEarliest':
        return;
      case 'useNoKey': {
        const service = this.#meant(about);
        return service === undefined ? reportRemovedService() : this.#useNoKey(service);
      }
      default: {
        const service = this.#meant(about);
        return service === undefined ? reportRemovedService() : serviceActs[kind](service);
      }
    }
  }

  #meant(about: string | undefined): Service | undefined {
    return about === undefined ? this.#services.first : this.#services.find(about);
  }

  async #useNoKey(service: Service): Promise<void> {
    const host = await useNoKey(service);
    if (host !== undefined) tellKeyless(host, this.#notifier(), () => this.run('testConnection', service.id));
  }
}

async function reportRemovedService(): Promise<void> {
  await plainWindow.showInformationMessage(vscode.l10n.t('This service was removed'));
}

const serviceActs = {
  useKeyForThisHost,
  useHttps,
  openKeysPage: (service: Service) => openPage(service.pages().keys),
  openCreditsPage: (service: Service) => openPage(service.pages().credits),
  openInferenceLogPage: (service: Service) => openPage(service.pages().inferenceLog),
};

/** Sends a key to a new host, so it asks once more, with the full URL. */
async function useKeyForThisHost(service: Service): Promise<void> {
  if ('kind' in service.endpoint.addresses()) {
    await vscode.commands.executeCommand(commandIds.setBaseUrl, { service: service.id });
    return;
  }
  const origins = await service.endpoint.unapproved();
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
  if (!(await service.keys.allowFor(origins))) {
    await vscode.commands.executeCommand(commandIds.setApiKey, { service: service.id });
  }
}

/** The same host, encrypted. A key that's allowed there unencrypted is allowed encrypted, and a host without one stays so. */
async function useHttps(service: Service): Promise<void> {
  const addresses = service.endpoint.addresses();
  const origin = service.endpoint.httpsOrigin;
  if ('kind' in addresses || origin === undefined) {
    await vscode.commands.executeCommand(commandIds.setBaseUrl, { service: service.id });
    return;
  }
  const { baseUrl } = addresses;
  const key = await service.keys.read(baseUrl.origin);
  if (!('kind' in key)) {
    if (key.source === 'none') await service.keys.useNone(origin);
    else if (mayGoTo(key, baseUrl.origin)) await service.keys.allowFor([origin]);
  }
  const text = `${origin}${baseUrl.pathname}`;
  await changeService(service.id, { baseUrl: text });
}

/** @returns the host that requests are now sent to without a key; undefined if there's none */
export async function useNoKey(service: Service): Promise<string | undefined> {
  const addresses = service.endpoint.addresses();
  if ('kind' in addresses) {
    await vscode.commands.executeCommand(commandIds.setBaseUrl, { service: service.id });
    return undefined;
  }
  await service.keys.useNone(addresses.baseUrl.origin);
  return addresses.baseUrl.host;
}

/** @param test tests the connection to this host */
export function tellKeyless(host: string, notifier: Pick<Notifier, 'info'>, test: () => Promise<void>): void {
  const button = { label: vscode.l10n.t('Test Connection'), run: test };
  notifier.info(vscode.l10n.t('Requests to {0} are sent without a key.', host), [button]);
}

async function openPage(address: string | undefined): Promise<void> {
  // The setting's rule only accepts http and https.
  if (address !== undefined) await openAddress(address);
}
