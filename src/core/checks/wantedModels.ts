import * as l10n from '@vscode/l10n';
import { type ModelRef, modelRef, refParts } from '../../shared/modelRef.ts';
import { serviceName } from '../../words/modelLabel.ts';
import { mayChat } from '../models/modelAbilities.ts';
import type { IndexedModel, ModelIndex } from '../models/modelIndex.ts';
import { modelOfFile, modelText, serviceNamed } from '../models/modelText.ts';
import type { WantedModels } from './checksFile.ts';

export interface CheckModel {
  readonly id: ModelRef;
}

/** What is known about models. */
export interface CheckableModels {
  readonly index: ModelIndex;
  readonly favorites: readonly ModelRef[];
}

/**
 * The models that a file names, each once, in the file's order. An ID doesn't have to be in the model list, because
 * services don't always list everything. A name that means one service's model never means another one's.
 */
export function modelsWanted(wanted: readonly WantedModels[], known: CheckableModels): readonly CheckModel[] {
  const found = wanted.flatMap((each) => (each.service === undefined ? ofAny(each, known) : ofService(each, known)));
  return [...new Set(found)].map((id) => ({ id }));
}

/** Why an entry of a file means no model. Undefined if it means one, or if no list is known that could have it. */
export function whyNoModel(wanted: WantedModels, known: CheckableModels): string | undefined {
  const { pattern, service } = wanted;
  const id = service === undefined ? undefined : serviceNamed(service);
  if (service !== undefined && id === undefined)
    return l10n.t('There\'s no service "{0}". Nothing is sent for this line.', service);
  if (modelsWanted([wanted], known).length > 0) return undefined;
  if (pattern === 'favorites' && service === undefined) return l10n.t('You have no favorite models yet.');
  const isKnown = known.index.models.some((each) => id === undefined || each.service === id);
  return isKnown || pattern === 'favorites' ? l10n.t('No model matches.') : undefined;
}

/** The model with this name, in a file of checks or in a prompt. */
export function namedCheckModel(text: string, index: ModelIndex): ModelRef {
  return modelOfFile(text, (model) => index.find(model) !== undefined);
}

function ofAny({ pattern }: WantedModels, { index, favorites }: CheckableModels): readonly ModelRef[] {
  if (pattern === 'favorites') return favorites;
  if (!pattern.includes('*')) return [namedCheckModel(pattern, index)];
  return matching(pattern, index, ({ model: { id } }) => spellings(id));
}

function ofService(
  { pattern, service = '' }: WantedModels,
  { index, favorites }: CheckableModels,
): readonly ModelRef[] {
  const id = serviceNamed(service);
  if (id === undefined) return [];
  if (pattern === 'favorites') return favorites.filter((model) => refParts(model).service === id);
  if (!pattern.includes('*')) return [modelRef(id, pattern)];
  return matching(pattern, index, (each) => (each.service === id ? [each.name] : []));
}

/**
 * IDs of the services whose model lists are needed to know which models are meant and what they cost: those of the given
 * models, and those that a pattern can match. Undefined for all of them.
 */
export function servicesWanted(
  wanted: readonly WantedModels[],
  models: readonly ModelRef[],
): ReadonlySet<string> | undefined {
  const patterns = wanted.filter(({ pattern }) => pattern.includes('*'));
  if (patterns.some(({ service }) => service === undefined)) return undefined;
  const named = patterns.flatMap(({ service = '' }) => serviceNamed(service) ?? []);
  return new Set([...models.map((model) => refParts(model).service), ...named]);
}

/** Models that can chat. `*` stands for any text. */
function matching(
  pattern: string,
  index: ModelIndex,
  namesOf: (model: IndexedModel) => readonly string[],
): readonly ModelRef[] {
  const parts = pattern.split('*');
  return index.models.flatMap((each) =>
    mayChat(each.model) && namesOf(each).some((text) => fits(text, parts)) ? [each.model.id] : [],
  );
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
