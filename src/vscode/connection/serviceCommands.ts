import * as vscode from 'vscode';
import type { ProblemActionKind } from '../../shared/problem.ts';
import { commandIds } from '../settings/contributions.ts';
import type { Explainer } from '../problems/explainer.ts';
import type { ServiceClients } from '../service/serviceClients.ts';
import type { Services } from '../service/services.ts';
import type { CommandHandlers } from '../platform/lateCommands.ts';
import type { Log } from '../platform/log.ts';
import type { ModelSources } from '../models/modelSources.ts';
import type { Notifier } from '../platform/notify.ts';
import type { RequestTap } from '../requests/requestTap.ts';
import type { Settings } from '../settings/settings.ts';
import { removeApiKey, setApiKey } from './apiKeyCommands.ts';
import { chooseDefaultModel } from '../models/defaultModel.ts';
import type { PickModel } from '../models/pickModel.ts';
import { plainWindow } from '../platform/plainWindow.ts';
import type { ServiceFactsFiles } from '../service/serviceFactsFiles.ts';
import { ServiceDetails } from './serviceDetails.ts';
import { setBaseUrl } from './setBaseUrl.ts';
import { testConnection } from './testConnection.ts';

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
  readonly runAction: (action: ProblemActionKind) => Promise<void>;
}

/** The commands for the service: base URL, key, model, test, log, settings. */
export function registerServiceCommands(deps: ServiceCommandsDeps): void {
  const { settings, services, explainer, notifier, log } = deps;
  const register = (id: string, run: () => Promise<unknown>) => {
    deps.commands.handle(id, async () => {
      try {
        await run();
      } catch (error) {
        notifier.problem(explainer.problemOfError(error, { during: 'command' }));
      }
    });
  };
  const currentModel = () => settings.chatDefaults().model;
  const chooseDefault = () => chooseDefaultModel(deps.pickModel, currentModel());

  const details = new ServiceDetails({
    ...deps,
    catalog: deps.models.catalog,
    onError: (error) => log.error('The page about a service', error),
  });

  register(commandIds.setBaseUrl, () => setBaseUrl(services.first));
  register(commandIds.setApiKey, () => setApiKey({ ...services.first, notifier }));
  register(commandIds.removeApiKey, () => removeApiKey({ ...services.first, notifier }));
  register(commandIds.testConnection, () =>
    testConnection({
      ...deps,
      endpoint: services.first.endpoint,
      service: deps.service.from({ kind: 'connectionTest' }).to(services.first.id),
      catalog: deps.models.catalog,
      discover: (options) => deps.clients.of(services.first.id).discover(options),
      pages: () => services.first.pages(),
      entry: () => services.first.entry.value,
      showService: () => details.show(services.first.id),
      model: currentModel,
      chooseModel: chooseDefault,
    }),
  );
  deps.commands.handle(commandIds.showService, async (given?: unknown) => {
    const id = serviceIdOf(given) ?? details.activeService ?? (await askService(services));
    if (id !== undefined) await details.show(id);
  });
  for (const page of ['openKeysPage', 'openCreditsPage', 'openInferenceLogPage'] as const) {
    register(commandIds[page], () => deps.runAction(page));
  }
  register(commandIds.showLog, async () => log.show());
  register(commandIds.openSettings, async () =>
    vscode.commands.executeCommand('workbench.action.openSettings', `@ext:${deps.extensionId}`),
  );
}

/** The service that a command was called for: its ID, or a row of a tree. Anything else is none. */
function serviceIdOf(target: unknown): string | undefined {
  if (typeof target === 'string') return target;
  const isRow = typeof target === 'object' && target !== null && 'service' in target;
  return isRow && typeof target.service === 'string' ? target.service : undefined;
}

/** With one service there is nothing to ask. */
async function askService({ all, first }: Services): Promise<string | undefined> {
  if (all.length < 2) return first.id;
  const rows = all.map(({ id, name, endpoint }) => ({ id, label: name, description: endpoint.host }));
  return (await plainWindow.showQuickPick(rows, { title: vscode.l10n.t('Show Service') }))?.id;
}
