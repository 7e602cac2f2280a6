import * as vscode from 'vscode';
import type { ProblemActionKind } from '../../shared/problem.ts';
import { commandIds } from '../settings/contributions.ts';
import type { Endpoint } from '../../api/types.ts';
import { refParts } from '../../shared/modelRef.ts';
import { idOfFormerName } from '../../words/modelLabel.ts';
import type { ChosenApis, LateClient } from '../service/lateClient.ts';
import type { Service } from '../service/service.ts';
import { addService } from './addService.ts';
import { findLocalServices } from './findLocalServices.ts';
import { serviceIdOf } from '../service/serviceIdOf.ts';
import { removeService } from './removeService.ts';
import { renameService } from './renameService.ts';
import { switchService } from './switchService.ts';
import type { Explainer } from '../problems/explainer.ts';
import { keepId } from '../service/serviceList.ts';
import type { ServiceClients } from '../service/serviceClients.ts';
import type { Services } from '../service/services.ts';
import type { CommandHandlers } from '../platform/lateCommands.ts';
import type { Log } from '../platform/log.ts';
import type { ModelSources } from '../models/modelSources.ts';
import type { Notifier } from '../platform/notify.ts';
import type { RequestTap } from '../requests/requestTap.ts';
import type { Settings } from '../settings/settings.ts';
import { useNoKey } from '../problems/problemActions.ts';
import { removeApiKey, setApiKey } from './apiKeyCommands.ts';
import { setDefaultModel } from '../models/defaultModel.ts';
import type { PickModel } from '../models/pickModel.ts';
import type { ServiceFactsFiles } from '../service/serviceFactsFiles.ts';
import { ServiceDetails } from './serviceDetails.ts';
import { setBaseUrl } from './setBaseUrl.ts';
import { testConnection } from './testConnection.ts';
import { plainWindow } from '../platform/plainWindow.ts';

export interface ServiceCommandsDeps {
  readonly commands: CommandHandlers;
  readonly service: RequestTap;
  readonly models: ModelSources;
  readonly pickModel: PickModel;
  readonly settings: Settings;
  readonly explainer: Explainer;
  readonly log: Log;
  readonly notifier: Notifier;
  readonly extensionId: string;
  readonly services: Services;
  readonly clients: ServiceClients;
  readonly facts: ServiceFactsFiles;
  readonly extensionUri: vscode.Uri;
  readonly runAction: (action: ProblemActionKind, service?: string) => Promise<void>;
  readonly connect: (current: () => Promise<Endpoint>, apis: ChosenApis) => LateClient;
  /** Deletes what was stored about the service at this base URL. */
  readonly forgetService: (baseUrl: string) => Promise<void>;
}

/** The commands for the service: base URL, key, model, test, log, settings. */
export function registerServiceCommands(deps: ServiceCommandsDeps): void {
  const { settings, services, explainer, notifier, log } = deps;
  const register = (id: string, run: (target?: unknown) => Promise<unknown>) => {
    deps.commands.handle(id, async (target?: unknown) => {
      try {
        await run(target);
      } catch (error) {
        notifier.problem(explainer.problemOfError(error, { during: 'command' }));
      }
    });
  };
  const currentModel = () => settings.chatDefaults().model;

  const details = new ServiceDetails({
    ...deps,
    catalog: deps.models.catalog,
    onError: (error) => log.error('The page about a service', error),
  });

  /**
   * For the service that the command was called on; otherwise the user is asked, if there are several. In the title of
   * the page about a service, VS Code passes the page's URI.
   */
  const registerFor = (id: string, title: string, run: (service: Service) => Promise<unknown>) =>
    register(id, async (target) => {
      const shown = target instanceof vscode.Uri ? details.activeService : undefined;
      const service = await meantService(services, shown === undefined ? target : { service: shown }, title);
      if (service !== undefined) await run(service);
    });
  /** Shows a service's name only if two could be meant. */
  const named = ({ id, name, keys, endpoint }: Service) => ({
    keys,
    endpoint,
    notifier,
    keepId: async () => {
      try {
        await keepId(id);
      } catch (error) {
        // The settings can't be written right now. The key is still stored.
        log.error('The ID of a service', error);
      }
    },
    ...(services.all.length > 1 && { id, name }),
  });

  const askForKey = async (service: Service) => {
    await setApiKey(named(service));
    await deps.models.catalog.of(service.id)?.ensure(Infinity);
  };

  registerFor(commandIds.setBaseUrl, vscode.l10n.t('Set Base URL'), (service) => setBaseUrl(service, services.all));
  registerFor(commandIds.setApiKey, vscode.l10n.t('Set API Key'), (service) => setApiKey(named(service)));
  registerFor(commandIds.removeApiKey, vscode.l10n.t('Remove API Key'), (service) => removeApiKey(named(service)));
  registerFor(commandIds.testConnection, vscode.l10n.t('Test Connection'), (service) => test(service));
  register(commandIds.addService, async () => {
    const service = await addService(services);
    if (service !== undefined) await askForKey(service);
  });
  registerFor(commandIds.removeService, vscode.l10n.t('Remove Service'), (service) =>
    removeService(service, { isOnly: services.all.length === 1, forget: deps.forgetService, notifier }),
  );
  registerFor(commandIds.renameService, vscode.l10n.t('Rename Service'), (service) =>
    renameService(service, services.all, {
      hasProvider: (word) =>
        deps.models.catalog.index.models.some(
          (model) => model.service !== service.id && model.name.toLowerCase().startsWith(`${word}/`),
        ),
      wasName: (word) => (idOfFormerName(word) ?? service.id) !== service.id,
    }),
  );
  register(commandIds.switchService, async (target) => {
    const title = vscode.l10n.t('Switch Service');
    // From the title of the Models view, VS Code passes the row that has the focus.
    const given = isRow(target) ? undefined : serviceIdOf(target);
    const current = currentModel();
    const service =
      given === undefined ? await pickService(services, title, services.for(current)?.id) : services.find(given);
    if (service !== undefined) await switchService(service, current, deps);
  });
  registerFor(commandIds.showService, vscode.l10n.t('Show Service'), ({ id }) => details.show(id));
  register(commandIds.findLocalServices, () => findLocalServices({ ...deps, askForKey }));
  for (const [page, of] of [
    ['openKeysPage', 'keys'],
    ['openCreditsPage', 'credits'],
    ['openInferenceLogPage', 'inferenceLog'],
  ] as const) {
    register(commandIds[page], async (target) => {
      const all = services.all.filter((service) => service.pages()[of] !== undefined);
      const [first = services.first] = all;
      const service = await meantService(
        { all, first, find: (id) => services.find(id) },
        target,
        vscode.l10n.t('Open Web Page'),
      );
      if (service !== undefined) await deps.runAction(page, service.id);
    });
  }
  register(commandIds.showLog, async () => log.show());
  register(commandIds.openSettings, async () =>
    vscode.commands.executeCommand('workbench.action.openSettings', `@ext:${deps.extensionId}`),
  );

  /** With the default model if it belongs to this service; otherwise the user selects one. */
  async function test(service: Service): Promise<void> {
    const { id, endpoint } = service;
    const current = currentModel();
    const isAlone = services.all.length === 1;
    const isOfDefault = isAlone || (current !== undefined && refParts(current).service === id);
    await testConnection({
      ...deps,
      id,
      endpoint,
      service: deps.service.from({ kind: 'connectionTest' }).to(id),
      catalog: deps.models.catalog.of(id) ?? deps.models.catalog,
      discover: (options) => deps.clients.of(id).discover(options),
      pages: () => service.pages(),
      entry: () => service.entry.value,
      showService: () => details.show(id),
      useNoKey: async () => void (await useNoKey(service)),
      model: () => (isOfDefault ? current : undefined),
      chooseModel: async () => {
        const model = await deps.pickModel(isOfDefault ? currentModel() : undefined, 'chat', isAlone ? undefined : id);
        if (model !== undefined && isOfDefault) await setDefaultModel(model);
        return model;
      },
    });
  }
}

/** Whether it's a row of the Models view. */
function isRow(target: unknown): boolean {
  return typeof target === 'object' && target !== null && 'type' in target;
}

/** The service that a command is about. Asks only if there are several and none was given. */
async function meantService(
  services: Pick<Services, 'all' | 'first' | 'find'>,
  target: unknown,
  title: string,
): Promise<Service | undefined> {
  const id = serviceIdOf(target);
  if (id !== undefined) return services.find(id);
  return services.all.length > 1 ? pickService(services, title) : services.first;
}

/** @param current ID of the service in use now, if the list shows it */
async function pickService(
  services: Pick<Services, 'all'>,
  title: string,
  current?: string,
): Promise<Service | undefined> {
  const rows = services.all.map((service) => ({
    icon: service.id === current ? 'check' : 'server',
    label: service.name,
    description: service.entry.value.baseUrl,
    service,
  }));
  const placeHolder = vscode.l10n.t('Select a service');
  return (await plainWindow.showQuickPick(rows, { title, placeHolder, matchOnDescription: true }))?.service;
}
