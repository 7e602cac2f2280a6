import { type ModelRef, refParts } from '../shared/modelRef.ts';

let names: Readonly<Record<string, string>> = {};

/**
 * What the services are called, by ID. Told once to each side of a page, as the translations are: a model is worded in
 * a hundred places.
 */
export function useServiceNames(byId: Readonly<Record<string, string>>): void {
  names = byId;
}

/** By ID, in the user's order: what a page is told. */
export function serviceNames(): Readonly<Record<string, string>> {
  return names;
}

/** Whether there are several services, so that a model's name says which one is meant. */
export function hasSeveralServices(): boolean {
  return Object.keys(names).length > 1;
}

/** What a service is called; its ID where it was removed. */
export function serviceName(id: string): string {
  return Object.hasOwn(names, id) ? (names[id] ?? id) : id.replace(/^vscode\./, '');
}

/** A model as users read it: its ID, and its service where two could be meant. */
export function modelLabel(ref: ModelRef): string {
  const { service, model } = refParts(ref);
  // Where only one service is left, a model of another one still says whose it was.
  const isPlain = Object.hasOwn(names, service) ? !hasSeveralServices() : Object.keys(names).length === 0;
  return isPlain ? model : `${model} (${serviceName(service)})`;
}
