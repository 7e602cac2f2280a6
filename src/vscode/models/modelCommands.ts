import { type ModelRef, refParts } from '../../shared/modelRef.ts';
import * as vscode from 'vscode';
import type { PickModel } from './pickModel.ts';
import { chooseDefaultModel, setDefaultModel } from './defaultModel.ts';
import { commandIds, viewIds } from '../settings/contributions.ts';
import { givenRows, isRowLost } from '../settings/givenRows.ts';
import type { Explainer } from '../problems/explainer.ts';
import type { CommandHandlers } from '../platform/lateCommands.ts';
import type { Notifier } from '../platform/notify.ts';
import type { RequestTap } from '../requests/requestTap.ts';
import { serviceIdOf } from '../service/serviceIdOf.ts';
import { filterModels, sortModels } from './filterModels.ts';
import type { ModelDetails } from './modelDetails.ts';
import { modelIdOf } from './modelIdOf.ts';
import type { ModelListState } from './modelListState.ts';
import type { ModelSources } from './modelSources.ts';
import type { Services } from '../service/services.ts';
import { setModelDetails } from './setModelDetails.ts';
import type { ModelsView } from './modelsView.ts';
import { askOnce, attempt, cancellably } from './testRequest.ts';
import { speedText } from '../../words/replySpeed.ts';
import { modelLabel } from '../../words/modelLabel.ts';

export interface ModelCommandsDeps {
  readonly commands: CommandHandlers;
  readonly models: ModelSources;
  readonly list: ModelListState;
  readonly view: ModelsView;
  readonly details: ModelDetails;
  readonly service: RequestTap;
  readonly services: Pick<Services, 'for'>;
  readonly explainer: Explainer;
  readonly notifier: Notifier;
  readonly pickModel: PickModel;
  /** The default model. */
  readonly defaultModel: () => string | undefined;
  readonly useForChat: (model: ModelRef) => Promise<void>;
}

/** The commands of the Models view, of its rows, and of the page about one model. */
export function registerModelCommands(deps: ModelCommandsDeps): void {
  const { models, list, view, details, explainer, notifier } = deps;
  const { catalog, marks } = models;
  const register = (id: string, run: (...given: readonly unknown[]) => unknown) => {
    deps.commands.handle(id, async (...given: readonly unknown[]): Promise<unknown> => {
      try {
        return await run(...given);
      } catch (error) {
        notifier.problem(explainer.problemOfError(error, { during: 'command' }));
        return undefined;
      }
    });
  };
  /** The models of these rows, or of the page that the command was called on; otherwise the user is asked for one. */
  const meant = async (rows: readonly unknown[]): Promise<readonly ModelRef[]> => {
    const isLost = isRowLost(rows);
    // A favorite also has a row of its own.
    const given = [...new Set(rows.flatMap((row) => modelIdOf(row) ?? []))];
    if (given.length > 0 && !isLost) return given;
    const model = (isLost ? undefined : details.activeModel) ?? (await deps.pickModel(view.selected));
    return model === undefined ? [] : [model];
  };
  const registerFor = (id: string, run: (modelId: ModelRef) => unknown) =>
    register(id, async (...given) => {
      for (const model of await meant(given.slice(0, 1))) await run(model);
    });
  /** For all selected rows. */
  const registerForAll = (id: string, run: (models: readonly ModelRef[]) => unknown) =>
    register(id, async (...given) => run(await meant(givenRows(...given))));
  const registerMark = (id: string, mark: (model: ModelRef) => Promise<void>) =>
    registerForAll(id, (chosen) => Promise.all(chosen.map(mark)));

  register(commandIds.showModels, () => vscode.commands.executeCommand(`${viewIds.models}.focus`));
  // In the title of the view, whatever row has the focus: VS Code passes that as if it had been clicked.
  register(commandIds.refreshModels, () => refresh());
  register(commandIds.refreshServiceModels, (...given) => {
    const rows = givenRows(...given);
    const services = rows.flatMap((row) => serviceIdOf(row) ?? []);
    return services.length === 0 || isRowLost(rows) ? refresh() : Promise.all(services.map(refresh));
  });
  register(commandIds.filterModels, () => filterModels(list));
  register(commandIds.clearModelFilter, () => list.change({ text: '', abilities: [] }));
  register(commandIds.sortModels, () => sortModels(list));
  register(commandIds.groupModels, () => list.change({ isGrouped: true, sort: 'name' }));
  register(commandIds.ungroupModels, () => list.change({ isGrouped: false }));
  register(commandIds.showHiddenModels, () => list.change({ showsHidden: true }));
  register(commandIds.showVisibleModels, () => list.change({ showsHidden: false }));

  registerFor(commandIds.showModel, (id) => details.show(id));
  registerFor(commandIds.useModel, deps.useForChat);
  registerFor(commandIds.testModel, (id) => testModel(id, deps));
  register(commandIds.selectDefaultModel, () => chooseDefaultModel(deps.pickModel, deps.defaultModel()));
  registerFor(commandIds.setDefaultModel, setDefaultModel);
  registerForAll(commandIds.copyModelId, async (chosen) => {
    if (chosen.length > 0) await vscode.env.clipboard.writeText(chosen.map((id) => refParts(id).model).join('\n'));
  });
  registerMark(commandIds.addFavoriteModel, (id) => marks.setFavorite(id, true));
  registerMark(commandIds.removeFavoriteModel, (id) => marks.setFavorite(id, false));
  registerMark(commandIds.hideModel, (id) => marks.setHidden(id, true));
  registerMark(commandIds.unhideModel, (id) => marks.setHidden(id, false));
  registerFor(commandIds.setModelDetails, (id) => setModelDetails(id, { services: deps.services, catalog }));

  /** @param service its ID; all of them if absent */
  async function refresh(service?: string): Promise<void> {
    try {
      await (service === undefined ? catalog : catalog.of(service))?.refresh();
    } catch (error) {
      // The view reports it itself.
      if (!view.isVisible)
        notifier.problem(
          explainer.problemOfError(error, { during: 'catalog', ...(service !== undefined && { service }) }),
        );
    }
  }
}

// Long enough for a meaningful speed, short enough to cost next to nothing.
const testTokens = 96;
const testPrompt = 'Write the numbers from one to forty as words, separated by commas.';

/** Asks one model for a few words and shows how fast they arrived. */
async function testModel(
  model: ModelRef,
  deps: Pick<ModelCommandsDeps, 'service' | 'explainer' | 'notifier' | 'pickModel'>,
): Promise<void> {
  const { explainer, notifier } = deps;
  const service = deps.service.from({ kind: 'models' }).forModel(model);
  const title = vscode.l10n.t('Running the test prompt on {0}…', modelLabel(model));
  const outcome = await cancellably(title, (signal) =>
    attempt(explainer, { model, during: 'command' }, signal, () =>
      askOnce(service, { model, prompt: testPrompt, maxTokens: testTokens }, { signal }),
    ),
  );
  const selectModel = async () => {
    const other = await deps.pickModel(model);
    if (other !== undefined) await testModel(other, deps);
  };
  if (outcome.type === 'problem') notifier.problem(outcome.problem, { own: { selectModel } });
  if (outcome.type !== 'ok') return;
  notifier.info(vscode.l10n.t('{0}. {1} replied to the test prompt.', speedText(outcome.value), modelLabel(model)));
}
