import type { MediaKind } from '../../shared/media.ts';
import { type ModelRef, refParts } from '../../shared/modelRef.ts';
import * as vscode from 'vscode';
import type { ListedModel } from '../../core/models/modelIndex.ts';
import { modelText } from '../../core/models/modelText.ts';
import type { ModelSources } from '../models/modelSources.ts';
import type { ServiceLack, ServiceSupport } from '../service/serviceSupport.ts';

/** The kind of model; its name, if the agent gave one. */
type MediaAbility = MediaKind | 'audio';

/**
 * The model for a kind other than chat: the given one, otherwise a favorite, otherwise the first in the model list, of a
 * service that isn't known to lack this.
 * @throws {Error} with the next step, in words, if there's none.
 */
export async function mediaModel(
  ability: MediaAbility,
  named: ModelRef | undefined,
  {
    models: { catalog, marks },
    support,
  }: {
    readonly models: Pick<ModelSources, 'catalog' | 'marks'>;
    readonly support: Pick<ServiceSupport, 'lackOf' | 'lacking' | 'load'>;
  },
  signal: AbortSignal,
): Promise<ListedModel> {
  await Promise.all([catalog.load(), marks.load()]);
  if (named !== undefined && named !== '') {
    const lack = await support.lackOf(ability, named);
    if (lack !== undefined) throw new Error(lackText(lack));
    // Another service might be down.
    const own = catalog.of(refParts(named).service);
    if (own?.fetchedAt === undefined) await own?.refresh({ signal });
    return catalog.index.find(named)?.model ?? { id: named, raw: {} };
  }
  await Promise.all([catalog.fetchMissing({ signal }), support.load()]);
  const listed = catalog.index.withAbility(ability).filter(({ id }) => !marks.isHidden(id));
  const lacking = support.lacking(ability);
  const able = listed.filter(({ id }) => !lacking.has(refParts(id).service));
  const model = able.find(({ id }) => marks.isFavorite(id)) ?? able[0];
  if (model !== undefined) return model;
  const lack = listed[0] && (await support.lackOf(ability, listed[0].id));
  throw new Error(lack === undefined ? noModelText(ability) : lackText(lack));
}

/** For an agent, which can select another model on its own. */
function lackText({ title, reason, offers }: ServiceLack): string {
  const others = offers.flatMap(({ model }) => (model === undefined ? [] : [modelText(model)]));
  const next = others.length === 0 ? '' : vscode.l10n.t('Use another model: {0}', others.join(', '));
  return [title, reason, next].filter((text) => text !== '').join('\n');
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
