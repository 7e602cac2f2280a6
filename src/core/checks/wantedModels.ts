import { mayChat } from '../models/modelAbilities.ts';
import type { ModelIndex } from '../models/modelIndex.ts';
import type { WantedModels } from './checksFile.ts';

export interface CheckModel {
  readonly id: string;
  readonly service?: string;
}

/**
 * The models that a file names, each once, in the file's order. An ID doesn't have to be in the model list, because
 * services don't always list everything.
 */
export function modelsWanted(
  wanted: readonly WantedModels[],
  { index, favorites }: { readonly index: ModelIndex; readonly favorites: readonly string[] },
): readonly CheckModel[] {
  const found = new Map<string, CheckModel>();
  for (const { pattern, service } of wanted) {
    const ids = pattern === 'favorites' ? favorites : pattern.includes('*') ? matching(pattern, index) : [pattern];
    for (const id of ids) found.set(JSON.stringify([service, id]), { id, ...(service !== undefined && { service }) });
  }
  return [...found.values()];
}

/** Models that can chat. `*` stands for any text. */
function matching(pattern: string, index: ModelIndex): readonly string[] {
  const parts = pattern.split('*');
  return index.models.filter(({ model }) => mayChat(model) && fits(model.id, parts)).map(({ model }) => model.id);
}

/** Without a regular expression, which would be slow with many stars. */
function fits(id: string, parts: readonly string[]): boolean {
  const [first = '', ...rest] = parts;
  const last = rest.pop() ?? '';
  if (!id.startsWith(first) || !id.endsWith(last) || id.length < first.length + last.length) return false;
  let at = first.length;
  for (const part of rest) {
    const found = id.indexOf(part, at);
    if (found < 0) return false;
    at = found + part.length;
  }
  return at <= id.length - last.length;
}
