import { type ModelRef, refParts } from '../shared/modelRef.ts';

let names: Readonly<Record<string, string>> = {};
let former: Readonly<Record<string, string>> = {};

/**
 * The names of services, by ID. Set once on each side, like the translations, because models are named in a hundred
 * places.
 */
export function useServiceNames(
  byId: Readonly<Record<string, string>>,
  removed: Readonly<Record<string, string>> = {},
): void {
  names = byId;
  former = removed;
}

/** By ID, in the user's order, as sent to a page. */
export function serviceNames(): Readonly<Record<string, string>> {
  return names;
}

/** By ID, of services that were removed. */
export function formerServiceNames(): Readonly<Record<string, string>> {
  return former;
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

/** A text about something of a service, which names the service if two could be meant. */
export function withService(text: string, service: string): string {
  return isPlain(service) ? text : `${text} (${serviceName(service)})`;
}

/** If only one service is left, what belongs to another one still names it. */
function isPlain(service: string): boolean {
  return Object.hasOwn(names, service) ? !hasSeveralServices() : Object.keys(names).length === 0;
}
