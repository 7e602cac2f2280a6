import { type ModelRef, refParts } from '../shared/modelRef.ts';

let names: Readonly<Record<string, string>> = {};

/**
 * The names of services, by ID. Set once on each side, like the translations, because models are named in a hundred
 * places.
 */
export function useServiceNames(byId: Readonly<Record<string, string>>): void {
  names = byId;
}

/** By ID, in the user's order: what a page is told. */
export function serviceNames(): Readonly<Record<string, string>> {
  return names;
}

/** Whether there are several services, so that a model's name has to include its service. */
export function hasSeveralServices(): boolean {
  return Object.keys(names).length > 1;
}

/** The name of a service; its ID if it was removed. */
export function serviceName(id: string): string {
  return Object.hasOwn(names, id) ? (names[id] ?? id) : id.replace(/^vscode\./, '');
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
