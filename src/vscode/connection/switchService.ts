import * as vscode from 'vscode';
import { abilitiesOf } from '../../core/models/modelAbilities.ts';
import { modelRef, type ModelRef, refParts } from '../../shared/modelRef.ts';
import { modelLabel } from '../../words/modelLabel.ts';
import { setDefaultModel } from '../models/defaultModel.ts';
import type { ModelSources } from '../models/modelSources.ts';
import type { PickModel } from '../models/pickModel.ts';
import { cancellably } from '../models/testRequest.ts';
import type { Notifier } from '../platform/notify.ts';
import type { Service } from '../service/service.ts';
import { commandIds } from '../settings/contributions.ts';

export interface SwitchServiceDeps {
  readonly models: Pick<ModelSources, 'catalog' | 'marks'>;
  readonly pickModel: PickModel;
  readonly notifier: Pick<Notifier, 'info'>;
}

/** New conversations use a model of this service: the same one if it has it, or one used before; otherwise it asks. */
export async function switchService(
  service: Service,
  current: ModelRef | undefined,
  deps: SwitchServiceDeps,
): Promise<void> {
  await listed(service, deps);
  const model = fittingModel(service.id, current, deps) ?? (await deps.pickModel(current, 'chat', service.id));
  if (model === undefined) return;
  await setDefaultModel(model);
  const useHere = {
    label: vscode.l10n.t('Use in Current Chat'),
    run: async () => void (await vscode.commands.executeCommand(commandIds.useModel, { id: model })),
  };
  deps.notifier.info(vscode.l10n.t('New conversations use {0}.', modelLabel(model)), [useHere]);
}

/** Asks for the model list only if none is known. */
async function listed({ id, name }: Service, { models }: SwitchServiceDeps): Promise<void> {
  const catalog = models.catalog.of(id);
  await Promise.all([catalog?.load(), models.marks.load()]);
  if (catalog === undefined || catalog.fetchedAt !== undefined) return;
  await cancellably(vscode.l10n.t('Fetching models from {0}…', name), async (signal) => {
    // A failure is reported where the model is selected.
    await catalog.refresh({ signal }).catch(() => undefined);
  });
}

function fittingModel(service: string, current: ModelRef | undefined, deps: SwitchServiceDeps): ModelRef | undefined {
  const index = deps.models.catalog.of(service)?.index;
  const canChat = (model: ModelRef): boolean => {
    const found = index?.find(model)?.model;
    return found !== undefined && abilitiesOf(found).has('chat');
  };
  const { recent, favorites } = deps.models.marks.view;
  const same = current === undefined ? [] : [modelRef(service, refParts(current).model)];
  const own = [...recent, ...favorites.toReversed()].filter((model) => refParts(model).service === service);
  return [...same, ...own].find(canChat);
}
