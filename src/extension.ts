import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { Endpoint } from './api/types.ts';
import { ApiKeyStore } from './vscode/apiKeyStore.ts';
import { registerChat } from './vscode/chat/registerChat.ts';
import { registerServiceCommands } from './vscode/commands/serviceCommands.ts';
import { EndpointSource } from './vscode/endpoint.ts';
import { Explainer } from './vscode/explainer.ts';
import { InferenceService } from './vscode/inferenceService.ts';
import { Log } from './vscode/log.ts';
import { openModelSources } from './vscode/models/openModelSources.ts';
import { registerModels } from './vscode/models/registerModels.ts';
import { registerMedia } from './vscode/media/registerMedia.ts';
import { registerNative } from './vscode/native/registerNative.ts';
import { networkSettings } from './vscode/networkSettings.ts';
import { Notifier } from './vscode/notify.ts';
import { ProblemActions } from './vscode/problemActions.ts';
import { registerPrompts } from './vscode/prompts/registerPrompts.ts';
import { createRedactor } from './vscode/redactor.ts';
import { registerRequests } from './vscode/requests/registerRequests.ts';
import { requestLogOf, requestLogSettings } from './vscode/requests/requestLogOf.ts';
import { Settings } from './vscode/settings.ts';

let flush: () => Promise<void> = () => Promise.resolve();

export function activate(context: vscode.ExtensionContext): void {
  const own = <T extends vscode.Disposable>(item: T): T => {
    context.subscriptions.push(item);
    return item;
  };
  if (vscode.l10n.bundle !== undefined) l10n.config({ contents: vscode.l10n.bundle });

  const redactor = createRedactor();
  const log = own(new Log(vscode.window.createOutputChannel('Parlance', { log: true }), redactor));
  const settings = own(
    new Settings((id) => log.warn(`The setting ${id} has a value that does not fit; its default is used`)),
  );
  const keys = own(
    new ApiKeyStore({ secrets: context.secrets, environmentKey: () => process.env['SERVICE_API_KEY'], redactor }),
  );
  const endpoint = own(new EndpointSource({ settings, keys }));
  const pages = () => settings.pages();
  const closestModels = (id: string) => models.catalogue.closestTo(id);
  const explainer = new Explainer({ endpoint, pages, redactor, log, closestModels });
  const actions = new ProblemActions({ endpoint, keys, pages });
  const runAction = actions.run.bind(actions);
  const notifier = new Notifier({ runAction, onError: (error) => log.error('A button of a notification', error) });
  const { extensionUri, globalState, globalStorageUri: storageUri, workspaceState } = context;
  const connect = (current: () => Promise<Endpoint>) =>
    new InferenceService({
      endpoint: current,
      settings: () => networkSettings(process.env),
      onExchange: (exchange) => log.exchange(exchange),
      onHostSwitched: ({ from, to }) =>
        notifier.info(vscode.l10n.t('{0} cannot be reached. Parlance uses the older host {1} for now.', from, to)),
      trace: () => log.traceSink(settings.logBodies.value),
    });
  const inference = own(connect(() => endpoint.current()));
  const { calls: service, history } = requestLogOf({
    service: inference,
    folder: vscode.Uri.joinPath(storageUri, 'requests').fsPath,
    ...requestLogSettings(settings),
    clean: redactor.cleanData,
    priceOf: (model) => models.catalogue.index.find(model)?.model,
    onSent: () => models.catalogue.load(),
    onAnswered: (model) => models.marks.used(model),
    onError: (error) => log.error('The request log', error),
  });
  own(history);
  const { refreshAfterMinutes } = settings;
  const models = own(openModelSources({ service, endpoint, log, storageUri, refreshAfterMinutes, measured: history }));
  const shared = { service, models, settings, endpoint, explainer, redactor, log, notifier, runAction };
  own(registerServiceCommands({ ...shared, keys, extensionId: context.extension.id }));
  const chat = own(registerChat({ ...shared, warm: () => inference.warm(), extensionUri, storageUri, workspaceState }));
  own(registerRequests({ ...shared, extensionUri, globalState, history, showConversation: chat.showConversation }));
  own(registerModels({ ...shared, extensionUri, workspaceState, useForChat: chat.useModel }));
  own(registerPrompts({ ...shared, storageUri, askInChat: chat.ask }));
  const media = own(registerMedia({ ...shared, downloads: inference, extensionUri, storageUri, globalState }));
  own(registerNative({ ...shared, connect, history, extensionUri, storageUri }));
  flush = () => Promise.allSettled([chat.flush(), media.flush()]).then(() => history.flush());
}

/** What has been said is on disk before the window goes. */
export function deactivate(): Promise<void> {
  return flush();
}
