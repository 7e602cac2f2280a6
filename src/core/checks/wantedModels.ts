import { type ModelRef, refParts } from '../../shared/modelRef.ts';
import { serviceName } from '../../words/modelLabel.ts';
import { mayChat } from '../models/modelAbilities.ts';
import type { ModelIndex } from '../models/modelIndex.ts';
import { modelFromText, modelText } from '../models/modelText.ts';
import type { WantedModels } from './checksFile.ts';

export interface CheckModel {
  readonly id: ModelRef;
}

/**
 * The models that a file names, each once, in the file's order. An ID doesn't have to be in the model list, because
 * services don't always list everything.
 */
export function modelsWanted(
  wanted: readonly WantedModels[],
  { index, favorites }: { readonly index: ModelIndex; readonly favorites: readonly ModelRef[] },
): readonly CheckModel[] {
  const found = wanted.flatMap(({ pattern, service }): readonly ModelRef[] => {
    if (pattern === 'favorites') return favorites;
    const written = service === undefined ? pattern : `${service}/${pattern}`;
    return written.includes('*') ? matching(written, index) : [modelFromText(written)];
  });
  return [...new Set(found)].map((id) => ({ id }));
}

/** Models that can chat. `*` stands for any text. */
function matching(pattern: string, index: ModelIndex): readonly ModelRef[] {
  const parts = pattern.split('*');
  const chat = index.models.filter(({ model }) => mayChat(model));
  return chat.flatMap(({ model: { id } }) => (spellings(id).some((text) => fits(text, parts)) ? [id] : []));
}

/** The ways to write a model: as in settings, and with its service's ID or name. */
function spellings(id: ModelRef): readonly string[] {
  const { service, model } = refParts(id);
  return [modelText(id), `${service}/${model}`, `${serviceName(service)}/${model}`];
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
