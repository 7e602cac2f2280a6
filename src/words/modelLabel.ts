import { type ModelRef, refParts, type WireModel } from '../shared/modelRef.ts';

let names: Readonly<Record<string, string>> = {};
let former: Readonly<Record<string, string>> = {};
let idsByFormerName: ReadonlyMap<string, string> = new Map();
/** In characters: leaves room for a model and its speed beside it in a row of 300 pixels. */
const longestInRow = 12;
const watchers = new Set<() => void>();

/**
 * The names of services, by ID. Set once on each side, like the translations, because models are named in a hundred
 * places.
 * @param removed the last names of services that were removed or renamed
 * @param earlier all of those, the latest last: each ID with its name
 */
export function useServiceNames(
  byId: Readonly<Record<string, string>>,
  removed: Readonly<Record<string, string>> = {},
  earlier: readonly (readonly [id: string, name: string])[] = Object.entries(removed),
): void {
  names = byId;
  former = removed;
  idsByFormerName = new Map(earlier.map(([id, name]) => [name.toLowerCase(), id]));
  for (const changed of watchers) changed();
}

/** @returns a function that ends it */
export function watchServiceNames(changed: () => void): () => void {
  watchers.add(changed);
  return () => watchers.delete(changed);
}

/** By ID, in the user's order, as sent to a page. */
export function serviceNames(): Readonly<Record<string, string>> {
  return names;
}

/** By ID, of services that were removed or renamed: the last one of each. */
export function formerServiceNames(): Readonly<Record<string, string>> {
  return former;
}

/** The same without those that still exist under another name: everything a page needs to name models. */
export function removedServiceNames(): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(former).filter(([id]) => !Object.hasOwn(names, id)));
}

/** The ID of the service that last gave up this name, in lower case. It might have been removed. */
export function idOfFormerName(name: string): string | undefined {
  return idsByFormerName.get(name);
}

/** Whether there are several services, so that a model's name has to include its service. */
export function hasSeveralServices(): boolean {
  return Object.keys(names).length > 1;
}

/** The name of a service, or its last one if it was removed; its ID if nothing is known. */
export function serviceName(id: string): string {
  const known = Object.hasOwn(names, id) ? names : former;
  return Object.hasOwn(known, id) ? (known[id] ?? id) : id.replace(/^vscode\./, '');
}

/** A model as users read it: its ID, and its service if two could be meant. */
export function modelLabel(ref: ModelRef): string {
  const { service, model } = refParts(ref);
  return withService(model, service);
}

/** The same for programs: as its service spells it, with the service's name if there are several. */
export function namedModel(ref: ModelRef): { readonly model: WireModel; readonly service?: string } {
  const { service, model } = refParts(ref);
  return { model, ...(!isPlain(service) && { service: serviceName(service) }) };
}

/** The same for a narrow row: of a long service name, its beginning and its end. */
export function shortModelLabel(ref: ModelRef): string {
  return refParts(ref).model + shortServiceNote(ref);
}

/** What follows the model there: its service in parentheses, after a space; empty if there's only one. */
export function shortServiceNote(ref: ModelRef): string {
  const { service } = refParts(ref);
  return isPlain(service) ? '' : ` (${shortened(serviceName(service))})`;
}

/** A text about something that belongs to a service, with the service's name if there are several. */
export function withService(text: string, service: string): string {
  return isPlain(service) ? text : `${text} (${serviceName(service)})`;
}

/** The beginning and the end of a service's name that is longer, because names often differ at their end. */
export function shortened(name: string, longest = longestInRow): string {
  const characters = Array.from(name);
  if (characters.length <= longest) return name;
  const half = (longest - 1) / 2;
  const [start, end] = [characters.slice(0, Math.ceil(half)), characters.slice(-Math.floor(half))];
  return `${start.join('').trimEnd()}…${end.join('').trimStart()}`;
}

/** Even if only one service is left, anything that belongs to a removed one still names that. */
function isPlain(service: string): boolean {
  return Object.hasOwn(names, service) ? !hasSeveralServices() : Object.keys(names).length === 0;
}
