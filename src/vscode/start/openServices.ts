import * as vscode from 'vscode';
import type { Endpoint } from '../../api/types.ts';
import { unsavedText } from '../../core/problems/fileTexts.ts';
import { switchedHostText } from '../../core/problems/connectionProblems.ts';
import type { RequestOperation } from '../../core/requests/requestOperations.ts';
import { learnWindowFrom } from '../../core/requests/windowLesson.ts';
import type { ModelAbility } from '../../core/models/modelAbilities.ts';
import type { LastEditor } from '../attachments/lastEditor.ts';
import { LearnedWindows } from '../attachments/learnedWindows.ts';
import { sweepTemporaryFiles } from '../disk/sweepTemporaryFiles.ts';
import { DisposableList } from '../platform/disposables.ts';
import { Explainer } from '../problems/explainer.ts';
import { type ChosenApis, LateClient, type LateClientDeps } from '../service/lateClient.ts';
import { ServiceClients } from '../service/serviceClients.ts';
import type { Service } from '../service/service.ts';
import type { ModelRef } from '../../shared/modelRef.ts';
import { shareListIn } from '../service/listTurns.ts';
import { Services } from '../service/services.ts';
import { watchLeftKeys } from '../connection/watchLeftKeys.ts';
import { keepDefaultModel } from '../connection/keepDefaultModel.ts';
import { watchServices } from '../connection/watchServices.ts';
import type { CommandHandlers } from '../platform/lateCommands.ts';
import { lazy } from '../platform/lazy.ts';
import { Log } from '../platform/log.ts';
import { openModelSources } from '../models/openModelSources.ts';
import type { PickModel } from '../models/pickModel.ts';
import { networkSettings } from '../settings/networkSettings.ts';
import { Notifier } from '../platform/notify.ts';
import { ProblemActions } from '../problems/problemActions.ts';
import { createRedactor } from '../platform/redactor.ts';
import { watchDailyBudget } from '../requests/dailyBudget.ts';
import { openRequestLog, requestLogSettings } from '../requests/openRequestLog.ts';
import { ServiceSupport } from '../service/serviceSupport.ts';
import { ServiceFactsFiles } from '../service/serviceFactsFiles.ts';
import { openSettings } from '../settings/settings.ts';
import type { StatusItem } from '../statusBar/statusItem.ts';
import { watchStatus } from '../statusBar/watchStatus.ts';
import { useTranslations } from '../platform/useTranslations.ts';
import { watchAddresses } from '../connection/watchAddresses.ts';
import type { WalkthroughStep, WalkthroughSteps } from '../settings/walkthroughSteps.ts';
import { contextKeys } from '../settings/contributions.ts';

/** The steps of the walkthrough that a request completes. */
const stepsDone: Readonly<Partial<Record<RequestOperation, WalkthroughStep>>> = { video: contextKeys.videoMade };

const SWEEP_DELAY_MS = 5000;
/** It reads more, and can wait until the window has opened everything else. */
const PURGE_DELAY_MS = 60_000;

export interface ServicesDeps {
  readonly secrets: vscode.SecretStorage;
  readonly globalState: vscode.Memento;
  readonly storageUri: vscode.Uri;
  readonly extensionUri: vscode.Uri;
  readonly workspaceState: vscode.Memento;
  readonly commands: CommandHandlers;
  readonly extensionId: string;
  readonly lastEditor: LastEditor;
  readonly statusItem: StatusItem;
  readonly walkthrough: WalkthroughSteps;
}

/**
 * What the features share: the service and its request history, the models, the settings, and the texts of errors.
 * Opened when a feature first needs it.
 */
export function openServices({ secrets, ...deps }: ServicesDeps) {
  const { globalState, storageUri, statusItem } = deps;
  useTranslations();
  const own = new DisposableList();
  const endings: (() => Promise<void>)[] = [];
  const redactor = createRedactor();
  const log = own.add(new Log(vscode.window.createOutputChannel('Parlance', { log: true }), redactor));
  const settings = own.add(
    openSettings((id) => log.warn(`The setting ${id} has a value that does not fit; its default is used`)),
  );
  shareListIn(storageUri.fsPath);
  const services = own.add(
    new Services({
      list: settings.services,
      secrets,
      memento: globalState,
      environment: () => process.env,
      redactor,
      onError: (error) => log.error('Saving the API key', error),
    }),
  );
  const closestModels = (id: string, wanted?: ModelAbility) => models.catalog.closestTo(id, wanted);
  const explainer = new Explainer({
    main: () => services.first,
    serviceOf: (id) => services.find(id),
    redactor,
    log,
    closestModels,
  });
  const actions = new ProblemActions(services, () => notifier);
  const runAction = actions.run.bind(actions);
  const notifier = new Notifier({ runAction, onError: (error) => log.error('A button of a notification', error) });
  own.add(watchAddresses({ services, explainer, notifier }));
  own.add(watchServices(services, notifier));
  own.add(keepDefaultModel(services, settings.model, (error) => log.error('The default model', error)));
  own.add(watchLeftKeys(services, notifier));
  const facts = new ServiceFactsFiles(vscode.Uri.joinPath(storageUri, 'models').fsPath, (error) =>
    log.error('Facts about services', error),
  );
  endings.push(() => facts.settled());
  const connect = (
    current: () => Promise<Endpoint>,
    { addresses, ...apis }: ChosenApis & Pick<LateClientDeps, 'addresses'>,
  ) =>
    new LateClient({
      endpoint: current,
      addresses,
      ...apis,
      facts,
      firstByteMs: () => {
        const { value } = settings.firstByteSeconds;
        return value === null ? undefined : value * 1000;
      },
      settings: () => networkSettings(process.env),
      onExchange: (exchange) => log.exchange(exchange),
      onHostSwitched: ({ from, to }) => notifier.info(switchedHostText(from, to)),
      trace: () => log.traceSink(settings.logContent.value),
    });
  const clients = own.add(
    new ServiceClients(services, ({ endpoint: where, entry }) =>
      connect(() => where.current(), {
        addresses: () => where.configured(),
        imageApi: () => entry.value.imageApi,
        chatApi: () => entry.value.chatApi,
        mediaApi: () => entry.value.mediaApi,
      }),
    ),
  );
  const {
    calls: service,
    history,
    withheld,
  } = openRequestLog({
    callsOf: (id) => clients.of(id),
    folder: vscode.Uri.joinPath(storageUri, 'requests').fsPath,
    ...requestLogSettings(settings),
    clean: redactor.cleanData,
    cleanBody: redactor.cleanKeys,
    priceOf: (model) => models.catalog.index.find(model)?.model,
    onSent: () => models.catalog.load(),
    onAnswered: (model, operation) => {
      deps.walkthrough.done(contextKeys.connectionWorks);
      const step = stepsDone[operation];
      if (step !== undefined) deps.walkthrough.done(step);
      return models.marks.used(model);
    },
    onChatEnded: (ended, model, { kind }) => {
      // The chat knows better how much it sent.
      if (kind !== 'chat') learnWindowFrom(ended, model, models.catalog);
    },
    onUnsaved: (error) => {
      log.error('The request log', error);
      notifier.warning(unsavedText('requests', error, process.platform));
    },
    onError: (error) => log.error('The request log', error),
  });
  own.add(history);
  own.add(withheld);
  // Nobody waits for it, so it runs after the user's first action.
  const sweep = setTimeout(() => {
    void sweepTemporaryFiles(storageUri.fsPath, (error) => log.error('Deleting files that were left', error));
  }, SWEEP_DELAY_MS);
  own.add({ dispose: () => clearTimeout(sweep) });
  const onPurgeError = (error: unknown) => log.error('Permanently deleting what was deleted', error);
  const purge = setTimeout(() => {
    import('./purgeDeleted.ts')
      .then(({ purgeDeleted }) => purgeDeleted(storageUri.fsPath, onPurgeError))
      .catch(onPurgeError);
  }, PURGE_DELAY_MS);
  own.add({ dispose: () => clearTimeout(purge) });
  const { refreshAfterMinutes, requestsDailyBudget } = settings;
  const learned = new LearnedWindows(vscode.Uri.joinPath(storageUri, 'contextWindows.json').fsPath, (error) =>
    log.error('Learned context windows', error),
  );
  endings.push(() => learned.settled());
  const models = own.add(
    openModelSources({ service, services, log, notifier, storageUri, refreshAfterMinutes, learned, measured: history }),
  );
  const experiments = lazy(async () => {
    const { openExperiments } = await import('../experiments/openExperiments.ts');
    const opened = openExperiments({
      folder: vscode.Uri.joinPath(storageUri, 'experiments').fsPath,
      find: ({ id }) => {
        const found = models.catalog.index.find(id)?.model;
        return found && models.catalog.withWindow(found);
      },
      hostOf: (model) => services.for(model)?.endpoint.host ?? '',
      replyTokensOf: ({ id }) => models.measured.figures(id)?.replyTokens,
      callsFor: (model, origin) => service.from(origin).forModel(model),
      clean: redactor.cleanData,
      cleanBody: redactor.cleanKeys,
      onError: (error) => log.error('An experiment', error),
      onUnsaved: (error) => {
        log.error('An experiment', error);
        notifier.warning(unsavedText('replies', error, process.platform));
      },
    });
    endings.push(() => opened.store.stop());
    return opened;
  });
  const picking = { models, explainer, runAction, support: () => support };
  const pick: PickModel = async (current, wanted, only) => {
    const { pickModel } = await import('../models/pickModel.ts');
    return pickModel(current, picking, wanted, only);
  };
  const { catalog, marks } = models;
  const support: ServiceSupport = new ServiceSupport({ services, facts, catalog, marks, pickModel: pick });
  // For every request to the service, whether or not one of its views is open.
  const onError = (error: unknown) => log.error('The usage of today', error);
  own.add(watchStatus({ history, item: statusItem, state: globalState, onError }));
  const budget = () => requestsDailyBudget.value;
  own.add(watchDailyBudget({ history, budget, services, state: globalState, notifier, onError }));
  return {
    ...deps,
    service,
    models,
    pickModel: pick,
    settings,
    services,
    explainer,
    redactor,
    log,
    notifier,
    runAction,
    history,
    withheld,
    experiments,
    clients,
    facts,
    support,
    connect,
    forgetService: async (baseUrl: string): Promise<void> => {
      await Promise.all([models.forget(baseUrl), facts.remove(baseUrl)]);
    },
    warm: (model: ModelRef | undefined) => warm(clients, services.for(model)),
    /** Registers something to write before the window closes. */
    atEnd: (write: () => Promise<void>): void => void endings.push(write),
    flush: async (): Promise<void> => {
      await Promise.allSettled(endings.map((write) => write()));
      await Promise.allSettled([history.flush(), models.flush()]);
    },
    dispose: () => own.dispose(),
  };
}

/** Opens a connection ahead of a request to the service. The request reports what is missing. */
async function warm(clients: ServiceClients, service: Service | undefined): Promise<void> {
  if (service !== undefined) await clients.of(service.id).warm();
}
