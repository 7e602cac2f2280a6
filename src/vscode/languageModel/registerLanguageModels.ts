import * as vscode from 'vscode';
import { ApiError } from '../../api/apiError.ts';
import type { ModelSources } from '../models/modelSources.ts';
import { commandIds } from '../settings/contributions.ts';
import { DisposableList } from '../platform/disposables.ts';
import type { EndpointSource } from '../service/endpoint.ts';
import type { ServiceFactsFiles } from '../service/serviceFactsFiles.ts';
import type { ServiceSupport } from '../service/serviceSupport.ts';
import type { Services } from '../service/services.ts';
import type { Explainer } from '../problems/explainer.ts';
import type { Log } from '../platform/log.ts';
import { CatalogFiles } from '../models/catalogFiles.ts';
import type { Settings } from '../settings/settings.ts';
import { ChatProvider } from './chatProvider.ts';
import { AddedConnections, type AddedConnectionsDeps, type ModelConnection } from './modelConnection.ts';
import { offeredModels } from './offeredModels.ts';

// Several things change together, and VS Code requests the whole list each time.
const tellDelayMs = 250;

export interface LanguageModelsDeps extends Pick<AddedConnectionsDeps, 'service' | 'connect' | 'redactor'> {
  readonly models: ModelSources;
  readonly settings: Pick<Settings, 'modelsInVSCodeChat' | 'model' | 'chatDefaults'>;
  readonly services: Services;
  readonly support: ServiceSupport;
  readonly facts: Pick<ServiceFactsFiles, 'onDidChange'>;
  readonly explainer: Explainer;
  /** Stores the model lists of services that were added in VS Code's own list. */
  readonly storageUri: vscode.Uri;
  readonly log: Log;
}

/** Offers the service's models to VS Code's own chat and to other extensions. */
export function registerLanguageModels(
  deps: LanguageModelsDeps,
): vscode.Disposable & { readonly provider: ChatProvider } {
  const { models, settings, services, explainer } = deps;
  const own = new DisposableList();
  const changed = own.add(new vscode.EventEmitter<void>());
  let timer: NodeJS.Timeout | undefined;
  const tell = () => {
    timer ??= setTimeout(() => {
      timer = undefined;
      changed.fire();
    }, tellDelayMs);
  };
  own.add({ dispose: () => clearTimeout(timer) });
  own.add({ dispose: models.catalog.onDidChange(tell) });
  own.add({ dispose: models.marks.onDidChange(tell) });
  own.add({ dispose: deps.facts.onDidChange(tell) });
  own.add(models.measured.onDidChange(tell));
  own.add(services.onDidChange(tell));
  own.add(
    settings.modelsInVSCodeChat.onDidChange((offered) => {
      tell();
      if (offered === 'all') void fetchOnce();
    }),
  );
  own.add(settings.model.onDidChange(tell));

  const service = deps.service.from({ kind: 'languageModel' });
  const onError = (error: unknown) => deps.log.error('The models of an added service', error);
  const store = new CatalogFiles(vscode.Uri.joinPath(deps.storageUri, 'addedModels').fsPath, onError);
  const { connect, redactor } = deps;
  const added = own.add(
    new AddedConnections({ service, connect, redactor, explainer, store, onListed: tell, onError }),
  );
  const ownConnection: ModelConnection = {
    mark: '',
    callsFor: (model) => service.forModel(model),
    explainer,
    // The catalog updates itself.
    answered: () => undefined,
    models: async ({ silent, signal }) => {
      const { catalog, marks } = models;
      await Promise.all([catalog.load(), marks.load()]);
      const offered = () =>
        offeredModels(
          catalog.index.models.map(({ model }) => model),
          settings.modelsInVSCodeChat.value,
          marks.view,
          settings.chatDefaults().model,
        ).map((model) => catalog.withWindow(model));
      // VS Code asks on its own, which it calls silent: nothing is sent then.
      if (!silent) await catalog.fetchMissing({ signal });
      return offered();
    },
  };

  async function isAnySetUp(): Promise<boolean> {
    const are = await Promise.all(services.all.map(({ endpoint }) => isSetUp(endpoint)));
    return are.includes(true);
  }

  /** Never rejects: the catalog reports failures. */
  async function fetchOnce(): Promise<void> {
    if (await isAnySetUp()) await models.catalog.ensure(Infinity);
  }

  const provider = new ChatProvider({
    own: async () => ((await isAnySetUp()) ? ownConnection : undefined),
    setUp: async () => {
      await vscode.commands.executeCommand(commandIds.setApiKey);
    },
    added: (configuration) => added.find(configuration),
    measured: models.measured,
    support: deps.support,
    explainer,
    onDidChange: changed.event,
  });
  return { provider, dispose: () => own.dispose() };
}

/** A key that is bound to another host, or is invalid, counts as set up: a request then reports what's wrong. */
async function isSetUp(endpoint: EndpointSource): Promise<boolean> {
  try {
    await endpoint.current();
    return true;
  } catch (error) {
    const failure = error instanceof ApiError ? error.failure : undefined;
    return failure?.kind !== 'setup' || (failure.missing !== 'baseUrl' && failure.missing !== 'apiKey');
  }
}
