import { mainServiceId, type ModelRef, modelRef, refParts } from '../../shared/modelRef.ts';
import {
  formerServiceNames,
  hasSeveralServices,
  idOfFormerName,
  serviceName,
  serviceNames,
} from '../../words/modelLabel.ts';

/**
 * The model that a user wrote down, in a setting or a prompt: `provider/model` of the first service, or
 * `service/provider/model` of the one with that name or ID.
 */
export function modelFromText(text: string): ModelRef {
  const names = Object.keys(serviceNames());
  const { service, rest } = writtenParts(text);
  const named = names.length < 2 || service === '' ? undefined : serviceCalled(service);
  return named === undefined ? modelRef(names[0] ?? mainServiceId, text) : modelRef(named, rest);
}

/**
 * The same text, if it seems to name a service that was removed: `service/provider/model`. Undefined if it doesn't. Its
 * start might also be a provider of the first service, which only a model list can tell.
 */
export function modelOfRemovedService(text: string): ModelRef | undefined {
  const { service, rest } = writtenParts(text);
  if (service === '' || serviceCalled(service) !== undefined) return undefined;
  const removed = formerlyCalled(service);
  return removed === undefined ? undefined : modelRef(removed, rest);
}

/**
 * The model that a file names. If that was a model of a service that was removed, it still is: nothing is sent to another
 * service instead.
 * @param isListed whether a model list has it
 */
export function modelOfFile(text: string, isListed: (model: ModelRef) => boolean): ModelRef {
  const model = modelFromText(text);
  const removed = modelOfRemovedService(text);
  return removed === undefined || isListed(model) ? model : removed;
}

/** The ID of the service that's called this, even if it was removed; undefined if there's none. */
export function serviceNamed(name: string): string | undefined {
  const word = name.toLowerCase();
  return serviceCalled(word) ?? formerlyCalled(word);
}

/** In lower case: what is before the first slash. */
function writtenParts(text: string): { readonly service: string; readonly rest: string } {
  const slash = text.indexOf('/');
  return { service: text.slice(0, Math.max(0, slash)).toLowerCase(), rest: text.slice(slash + 1) };
}

/** By its ID, its name, or a name that it had before. IDs come first: that's what settings have. */
function serviceCalled(word: string): string | undefined {
  const names = serviceNames();
  const renamed = formerlyCalled(word);
  return idCalled(word, names) ?? (renamed !== undefined && Object.hasOwn(names, renamed) ? renamed : undefined);
}

/** The ID of a service that was removed, or of one that had this name before. */
function formerlyCalled(word: string): string | undefined {
  return Object.hasOwn(formerServiceNames(), word) ? word : idOfFormerName(word);
}

function idCalled(word: string, names: Readonly<Record<string, string>>): string | undefined {
  if (Object.hasOwn(names, word)) return word;
  return Object.entries(names).find(([, name]) => name.toLowerCase() === word)?.[0];
}

/** The same the other way around, for a setting: with the ID, because names change. */
export function modelText(ref: ModelRef): string {
  const { service, model } = refParts(ref);
  return modelFromText(model) === ref ? model : `${service}/${model}`;
}

/** The same for a field in which a user reads and edits it: with the service's name as soon as two could be meant. */
export function modelFieldText(ref: ModelRef): string {
  const { service, model } = refParts(ref);
  if (model === '' || (!hasSeveralServices() && modelFromText(model) === ref)) return model;
  const named = `${serviceName(service)}/${model}`;
  const isOther = Object.hasOwn(serviceNames(), service) && modelFromText(named) !== ref;
  return isOther ? `${service}/${model}` : named;
}
