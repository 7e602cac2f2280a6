import type { ModelRef } from '../../shared/modelRef.ts';
import type * as vscode from 'vscode';
import { DisposableList } from '../platform/disposables.ts';
import type { Services } from '../service/services.ts';
import type { Explainer } from '../problems/explainer.ts';
import type { CommandHandlers } from '../platform/lateCommands.ts';
import type { Log } from '../platform/log.ts';
import type { Notifier } from '../platform/notify.ts';
import type { RequestTap } from '../requests/requestTap.ts';
import { contextKeys } from '../settings/contributions.ts';
import type { Settings } from '../settings/settings.ts';
import type { WalkthroughSteps } from '../settings/walkthroughSteps.ts';
import { registerModelCommands } from './modelCommands.ts';
import { ModelDetails } from './modelDetails.ts';
import { ModelListState } from './modelListState.ts';
import type { ModelSources } from './modelSources.ts';
import type { PickModel } from './pickModel.ts';
import { ModelsView } from './modelsView.ts';
import type { ModelTree, TreeNode } from './modelTree.ts';

export interface ModelsDeps {
  readonly extensionUri: vscode.Uri;
  readonly workspaceState: vscode.Memento;
  readonly commands: CommandHandlers;
  /** The view in the side bar that has these rows. */
  readonly view: vscode.TreeView<TreeNode>;
  readonly models: ModelSources;
  readonly service: RequestTap;
  readonly settings: Settings;
  readonly services: Services;
  readonly explainer: Explainer;
  readonly log: Log;
  readonly notifier: Notifier;
  readonly pickModel: PickModel;
  readonly walkthrough: Pick<WalkthroughSteps, 'done'>;
  /** Uses a model in the user's current chat. */
  readonly useForChat: (model: ModelRef) => Promise<void>;
}

export interface RegisteredModels extends vscode.Disposable {
  readonly tree: ModelTree;
}

/** The Models view, its commands, and the page about one model. */
export function registerModels(deps: ModelsDeps): RegisteredModels {
  const { models, settings, services, explainer, log, extensionUri } = deps;
  const own = new DisposableList();
  const list = own.add(new ModelListState(deps.workspaceState));
  const defaultModel = () => settings.chatDefaults().model;
  const onDidChangeDefaultModel = settings.model.onDidChange;
  const view = own.add(
    new ModelsView({
      ...models,
      view: deps.view,
      list,
      defaultModel,
      onDidChangeDefaultModel,
      onDidChangeConnection: services.onDidChange,
      services,
      explain: (error, service) =>
        explainer.problemOfError(error, { during: 'catalog', ...(service !== undefined && { service }) }),
      onSeen: () => deps.walkthrough.done(contextKeys.modelsUsed),
      onUnexpected: (error) => log.error('Models', error),
    }),
  );
  const details = own.add(new ModelDetails({ ...models, extensionUri, defaultModel, onDidChangeDefaultModel }));
  registerModelCommands({ ...deps, list, view, details, defaultModel });
  return { tree: view.tree, dispose: () => own.dispose() };
}
