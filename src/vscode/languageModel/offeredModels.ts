import type { ModelInfo } from '../../api/wire/decodeModels.ts';
import { mayChat } from '../../core/models/modelAbilities.ts';
import type { ModelMarksView } from '../../core/models/modelGroups.ts';

export type OfferedKind = 'favorites' | 'all';

/**
 * The models that VS Code's own chat offers: the default and the favorites; without any, the recently used ones;
 * without those, all. With the setting "all", all of these. Never empty by accident, and never a hidden model that is
 * neither a favorite nor the default. VS Code itself selects the one to start with: only proposed API can name it.
 */
export function offeredModels(
  catalog: readonly ModelInfo[],
  kind: OfferedKind,
  { favorites, hidden, recent }: Pick<ModelMarksView, 'favorites' | 'hidden' | 'recent'>,
  defaultModel: string | undefined,
): readonly ModelInfo[] {
  const all = catalog.filter((model) => mayChat(model) && !hidden.has(model.id));
  const byId = new Map(catalog.map((model) => [model.id, model]));
  const chosen = favorites.length > 0 ? favorites : recent.filter((id) => !hidden.has(id));
  const ids = [...new Set([...(defaultModel === undefined ? [] : [defaultModel]), ...chosen])];
  // Model lists can be incomplete, so a model that the user named is always offered.
  const named = ids.map((id): ModelInfo => byId.get(id) ?? { id, raw: {} }).filter(mayChat);
  return kind === 'favorites' && named.length > 0 ? named : [...new Set([...all, ...named])];
}
