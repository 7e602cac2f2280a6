import { isDeepStrictEqual } from 'node:util';
import type { ModelRef } from '../../shared/modelRef.ts';
import * as vscode from 'vscode';
import { exceedsBudget } from '../../core/requests/usageView.ts';
import type { LoggedRequest } from '../../core/requests/requestLog.ts';
import type { ProblemActionKind } from '../../shared/problem.ts';
import type { Experiments } from '../experiments/openExperiments.ts';
import { modelIdOf } from '../models/modelIdOf.ts';
import type { ModelSources } from '../models/modelSources.ts';
import type { PickModel } from '../models/pickModel.ts';
import type { CommandHandlers } from '../platform/lateCommands.ts';
import { localDay } from '../platform/localDay.ts';
import type { Log } from '../platform/log.ts';
import type { Notifier } from '../platform/notify.ts';
import type { FlushedAtEnd } from '../platform/offering.ts';
import { pageLogOf } from '../platform/pages/pagePort.ts';
import type { Explainer } from '../problems/explainer.ts';
import { fileTroubleNotice } from '../problems/fileTroubleNotice.ts';
import type { RequestHistory } from '../requests/requestHistory.ts';
import { requestIn } from '../requests/requestIn.ts';
import { serviceBudgets } from '../requests/dailyBudget.ts';
import { requestOfAttempt } from '../requests/log/requestOfAttempt.ts';
import type { ServiceSupport } from '../service/serviceSupport.ts';
import type { Services } from '../service/services.ts';
import { commandIds } from '../settings/contributions.ts';
import { givenRows, isRowLost, lostRowText } from '../settings/givenRows.ts';
import type { Settings } from '../settings/settings.ts';
import { agreesToSend } from '../experiments/agreesToSend.ts';
import { MeasureMemory } from './measureMemory.ts';
import { MeasurePanel } from './measurePanel.ts';
import { saveChart, saveRun } from './saveMeasurement.ts';
import { pickChatRequest, pickPromptFile, promptOfFile, promptOfRequest, type PickedPrompt } from './takenPrompt.ts';

export interface MeasureDeps extends FlushedAtEnd {
  readonly commands: CommandHandlers;
  readonly extensionUri: vscode.Uri;
  readonly storageUri: vscode.Uri;
  readonly experiments: () => Promise<Experiments>;
  readonly models: ModelSources;
  readonly pickModel: PickModel;
  readonly history: RequestHistory;
  readonly settings: Pick<Settings, 'chatDefaults' | 'requestsDailyBudget' | 'modelsConfirmAboveCost'>;
  readonly services: Pick<Services, 'all' | 'check' | 'for'>;
  readonly support: Pick<ServiceSupport, 'modelsFor'>;
  readonly explainer: Explainer;
  readonly log: Log;
  readonly notifier: Notifier;
  readonly runAction: (action: ProblemActionKind, service?: string) => Promise<void>;
}

/** The command that opens the page, and the page's connection to VS Code. */
export function registerMeasure(deps: MeasureDeps): MeasurePanel {
  const { commands, history, models, settings, services, explainer, notifier, log } = deps;
  const userFolder = vscode.Uri.joinPath(deps.storageUri, 'prompts');
  const memory = new MeasureMemory(
    vscode.Uri.joinPath(deps.storageUri, 'measureForm.json').fsPath,
    fileTroubleNotice(() => vscode.l10n.t('Measure Models'), deps),
  );
  deps.atEnd(() => memory.settled());
  const panel = new MeasurePanel(deps.extensionUri, {
    experiments: deps.experiments,
    memory,
    explainer,
    pickModel: () => deps.pickModel(undefined),
    pickPrompt: (from) => (from === 'promptFile' ? pickPromptFile(userFolder) : pickChatRequest(history)),
    loadModels: () => models.catalog.load(),
    checkSetup: (model) => services.check(model),
    hostOf: (model) => services.for(model)?.endpoint.host ?? '',
    isOverBudget: async (costs) => {
      const [budget, budgets] = [settings.requestsDailyBudget.value, serviceBudgets(services)];
      if (budget === null && budgets.length === 0) return false;
      return exceedsBudget(await history.digest(), localDay(Date.now()), costs, budget, budgets);
    },
    agrees: (estimate) => agreesToSend(estimate, settings.modelsConfirmAboveCost.value),
    openRequest: async (experiment, attempt) => {
      const request = await requestOfAttempt(history, attempt, experiment);
      if (request === undefined) notifier.info(vscode.l10n.t("This request isn't in the request history."));
      else await vscode.commands.executeCommand(commandIds.showRequest, { request });
    },
    save: saveChart,
    exportRun: (run, { format }) => saveRun(run, format),
    runAction: deps.runAction,
    onUnexpected: (error) => {
      log.error('Measure Models', error);
      notifier.problem(explainer.problemOfError(error, { during: 'command' }));
    },
    pageLog: pageLogOf(log, 'measure'),
  });
  commands.handle(commandIds.measureModels, async (...given: readonly unknown[]) => {
    try {
      await open(given);
    } catch (error) {
      notifier.problem(explainer.problemOfError(error, { during: 'command' }));
    }
  });
  return panel;

  /** From the Command Palette, one or several rows of the Models view, a request, or a prompt file. */
  async function open(given: readonly unknown[]): Promise<void> {
    const rows = givenRows(...given);
    if (isRowLost(rows)) return notifier.info(lostRowText());
    const [target] = given;
    const request = requestOf(target);
    if (request !== undefined) return openWith('request', await promptOfRequest(history, request), request.model);
    if (target instanceof vscode.Uri) return openWith('promptFile', await promptOfFile(target));
    const ids = [...new Set(rows.flatMap((row) => modelIdOf(row) ?? []))];
    const change = await formModels(ids);
    if (change === undefined) return;
    const page = panel.open();
    if (change.models !== undefined) await page.use(change);
  }

  async function openWith(from: 'request' | 'promptFile', taken: PickedPrompt, model?: ModelRef): Promise<void> {
    if (taken === undefined) return;
    if ('refused' in taken) return notifier.info(taken.refused);
    const change = await formModels(model === undefined ? [] : [model]);
    if (change === undefined) return;
    await panel.open().use({ prompt: { from, taken: taken.prompt }, ...change });
  }

  /**
   * The models to put into the form: these; otherwise those that it had, or the default model. A form that is open is
   * shown as it is. Undefined if the user doesn't want any that can't chat.
   */
  async function formModels(
    ids: readonly ModelRef[],
  ): Promise<{ readonly models?: readonly { readonly id: ModelRef }[] } | undefined> {
    const { isOpen } = panel;
    const { model } = settings.chatDefaults();
    const kept = isOpen ? [] : (await memory.form()).models.map(({ id }) => id);
    const usual = isOpen || kept.length > 0 || model === undefined ? kept : [model];
    const used = await deps.support.modelsFor('chat', ids.length > 0 ? ids : usual);
    if (used === undefined) return undefined;
    return ids.length > 0 || !isDeepStrictEqual(used, kept) ? { models: used.map((id) => ({ id })) } : {};
  }
}

/** Undefined for a model that a request page names. */
function requestOf(target: unknown): LoggedRequest | undefined {
  const isModel = typeof target === 'object' && target !== null && 'model' in target;
  return isModel ? undefined : requestIn(target);
}
