import * as vscode from 'vscode';
import { fittingModel } from '../../core/models/fittingModel.ts';
import type { ModelRef } from '../../shared/modelRef.ts';
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
  if (!(await listed(service, deps))) return;
  const { catalog, marks } = deps.models;
  const index = catalog.of(service.id)?.index;
  const fitting = index && fittingModel(service.id, current, 'chat', { index, marks: marks.view });
  const model = fitting ?? (await deps.pickModel(current, 'chat', service.id));
  if (model === undefined) return;
  await setDefaultModel(model);
  const useHere = {
    label: vscode.l10n.t('Use in Current Chat'),
    run: async () => void (await vscode.commands.executeCommand(commandIds.useModel, { id: model })),
  };
  deps.notifier.info(vscode.l10n.t('New conversations use {0}.', modelLabel(model)), [useHere]);
}

/** Asks for the model list only if none is known. @returns false if the user canceled that */
async function listed({ id, name }: Service, { models }: SwitchServiceDeps): Promise<boolean> {
  const catalog = models.catalog.of(id);
  await Promise.all([catalog?.load(), models.marks.load()]);
  if (catalog === undefined || catalog.fetchedAt !== undefined) return true;
  return cancellably(vscode.l10n.t('Fetching models from {0}…', name), async (signal) => {
    // A failure is reported where the model is selected.
    await catalog.refresh({ signal }).catch(() => undefined);
    return !signal.aborted;
  });
}
