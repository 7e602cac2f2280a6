import { mainServiceId } from '../../shared/modelRef.ts';
import { idFrom } from './readServices.ts';
import { maxNameLength } from './serviceEntry.ts';

/** Labels that a host has for its API: they don't distinguish services. */
const plainLabels = /^(?:api|www)\.(?=[^.]+\.)/;

/** What a service is called until the user renames it: its host, with a number if another one has that name. */
export function nameFromUrl(url: URL, taken: readonly string[]): string {
  return firstFree(url.host.replace(plainLabels, '').slice(0, maxNameLength - 4), ' ', taken);
}

/** The ID of a new service. IDs never change, and the main service has a reserved one. */
export function idFromName(name: string, taken: readonly string[]): string {
  return firstFree(idFrom(name) || 'other', '-', [...taken, mainServiceId]);
}

/** The text, with a number after it if it's taken. */
export function firstFree(text: string, between: string, taken: readonly string[]): string {
  const used = new Set(taken.map((each) => each.toLowerCase()));
  let free = text;
  for (let next = 2; used.has(free.toLowerCase()); next++) free = `${text}${between}${next}`;
  return free;
}
