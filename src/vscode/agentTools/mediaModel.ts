import type { ModelRef } from '../../shared/modelRef.ts';
import * as vscode from 'vscode';
import type { ListedModel } from '../../core/models/modelIndex.ts';
import type { ModelAbility } from '../../core/models/modelAbilities.ts';
import type { ModelSources } from '../models/modelSources.ts';

/** The kind of model; its name, if the agent gave one. */
type MediaAbility = Extract<ModelAbility, 'image' | 'video' | 'audio'>;

/**
 * The model for a kind other than chat: the given one, otherwise a favorite, otherwise the first in the model list.
 * @throws {Error} with the next step, in words, if there's none.
 */
export async function mediaModel(
  ability: MediaAbility,
  named: ModelRef | undefined,
  { catalog, marks }: Pick<ModelSources, 'catalog' | 'marks'>,
  signal: AbortSignal,
): Promise<ListedModel> {
  await Promise.all([catalog.load(), marks.load()]);
  if (catalog.fetchedAt === undefined) await catalog.refresh({ signal });
  if (named !== undefined && named !== '') return catalog.index.find(named)?.model ?? { id: named, raw: {} };
  const able = catalog.modelsOfKind(ability).filter(({ id }) => !marks.isHidden(id));
  const model = able.find(({ id }) => marks.isFavorite(id)) ?? able[0];
  if (model === undefined) throw new Error(noModelText(ability));
  return model;
}

function noModelText(ability: MediaAbility): string {
  switch (ability) {
    case 'video':
      return vscode.l10n.t('The service lists no video models. Name one.');
    case 'image':
      return vscode.l10n.t('The service lists no image models. Name one.');
    case 'audio':
      return vscode.l10n.t('The service lists no audio models. Name one.');
  }
}
