import * as vscode from 'vscode';
import { ApiError } from '../../api/apiError.ts';
import { deriveNativeUrl } from '../../api/service/baseUrl.ts';
import { bareHost, isThisMachine } from '../../api/transport/proxyRoute.ts';
import type { Endpoint } from '../../api/types.ts';
import { localServerName } from '../../core/services/localServerName.ts';
import { cancellably } from '../models/testRequest.ts';
import type { ChosenApis, LateClient } from '../service/lateClient.ts';
import type { Notifier } from '../platform/notify.ts';
import type { Service } from '../service/service.ts';
import type { Services } from '../service/services.ts';
import { keepService } from './addService.ts';
import { modelsText } from '../../words/modelsText.ts';

/**
 * The usual ports of Ollama, LM Studio, llama.cpp, vLLM, and LiteLLM. Other servers use them too, so the model list says
 * which one it is.
 */
const usualPorts: readonly number[] = [11_434, 1234, 8080, 8000, 4000];

/** By then, a server on this computer has responded, or there's none. */
const usualAnswerMs = 4000;
const hosts = ['127.0.0.1', '[::1]'];

export interface FindLocalServicesDeps {
  readonly services: Services;
  readonly connect: (current: () => Promise<Endpoint>, apis: ChosenApis) => LateClient;
  readonly notifier: Pick<Notifier, 'info'>;
  /** Asks for the key of a service that was just added. */
  readonly askForKey: (service: Service) => Promise<void>;
  /** By default, the usual ports. */
  readonly ports?: readonly number[];
  /** How long a server may take to respond; 4 s by default. */
  readonly answerMs?: number;
}

interface FoundService {
  readonly url: URL;
  readonly name: string | undefined;
  /** How many it lists; undefined if it lists them only for a key. */
  readonly models: number | undefined;
}

/**
 * Asks the usual ports of this computer for a model list, and adds whatever has one. No key is sent. What asks for a
 * key is only offered: it might be something else.
 */
export async function findLocalServices(deps: FindLocalServicesDeps): Promise<void> {
  const { services, notifier, ports = usualPorts } = deps;
  const title = vscode.l10n.t('Looking for services on this computer…');
  const found = await cancellably(title, async (signal) => {
    const looked = await Promise.all(ports.map((port) => look(port, deps, signal)));
    return signal.aborted ? undefined : looked.flatMap((one) => one ?? []);
  });
  if (found === undefined) return;
  const added: string[] = [];
  const closed: URL[] = [];
  for (const { url, name, models } of found) {
    if (isKnown(url, services)) continue;
    if (models === undefined) {
      closed.push(url);
      continue;
    }
    // One after the other: each changes the same setting.
    const service = await keepService(services, url, name);
    // It has just responded without a key.
    await service?.keys.useNone(url.origin);
    if (service !== undefined) added.push(`${service.name} (${modelsText(models)})`);
  }
  for (const url of closed) {
    const add = async (): Promise<void> => {
      const service = await keepService(services, url);
      if (service !== undefined) await deps.askForKey(service);
    };
    notifier.info(vscode.l10n.t('The service at {0} requires an API key.', url.host), [
      { label: vscode.l10n.t('Add Service'), run: add },
    ]);
  }
  if (added.length > 0) notifier.info(vscode.l10n.t('Added from this computer: {0}.', added.join(', ')));
  else if (closed.length > 0) return;
  else if (found.length > 0) notifier.info(vscode.l10n.t('All services found on this computer are already added.'));
  else
    notifier.info(
      vscode.l10n.t('No service on this computer returned a model list. Ports tried: {0}.', ports.join(', ')),
    );
}

async function look(
  port: number,
  { connect, answerMs = usualAnswerMs }: FindLocalServicesDeps,
  signal: AbortSignal,
): Promise<FoundService | undefined> {
  for (const host of hosts) {
    const url = new URL(`http://${host}:${port}/v1`);
    const endpoint = { baseUrl: url, nativeUrl: deriveNativeUrl(url), apiKey: undefined, keyOrigins: [] };
    const client = connect(() => Promise.resolve(endpoint), {});
    try {
      const { listModels } = await import('../../api/operations/listModels.ts');
      const once = new AbortController();
      const models = await client.ask(listModels, {
        signal: AbortSignal.any([signal, once.signal, AbortSignal.timeout(answerMs)]),
        api: 'compatible',
        // Nothing listens on most ports, and asking again changes nothing.
        onAttempt: ({ type }) => {
          if (type === 'retrying') once.abort();
        },
      });
      return { url, name: localServerName(models), models: models.length };
    } catch (error) {
      // Otherwise nothing is there, or something else, for example a website with a login page.
      const failure = error instanceof ApiError ? error.failure : undefined;
      if (failure?.kind === 'unauthorized' && failure.body === 'json')
        return { url, name: undefined, models: undefined };
    } finally {
      client.dispose();
    }
  }
  return undefined;
}

function isKnown({ port }: URL, { all }: Services): boolean {
  return all.some(({ endpoint }) => {
    const addresses = endpoint.addresses();
    if ('kind' in addresses) return false;
    return addresses.baseUrl.port === port && isThisMachine(bareHost(addresses.baseUrl));
  });
}
