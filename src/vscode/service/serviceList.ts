import * as vscode from 'vscode';
import { readServices } from '../../core/services/readServices.ts';
import { ownValue } from '../settings/settingRules.ts';
import { settings } from '../settings/settingList.ts';

/** A service as it's written in the user's settings. */
export type WrittenService = Readonly<Record<string, unknown>>;

/** Changes fields of a service in the user's settings; undefined removes one. Adds the service if it doesn't exist. */
export async function changeService(id: string, fields: WrittenService): Promise<void> {
  const list = writtenList();
  const place = placeOf(id, list);
  await writeList(
    place === -1 ? [...list, withFields({}, fields)] : list.with(place, withFields(list[place] ?? {}, fields)),
  );
}

/**
 * Removes a service from the user's settings. The others keep their IDs: an entry without one would get another with its
 * place.
 */
export async function removeFromList(id: string): Promise<void> {
  const list = writtenList();
  const place = placeOf(id, list);
  if (place === -1) return;
  const named = list.map((item, index) => {
    const upTo = readServices(list.slice(0, index + 1)).entries;
    const isRead = upTo.length > readServices(list.slice(0, index)).entries.length;
    const own = isRead ? upTo.at(-1)?.id : undefined;
    return own === undefined ? item : withFields(item, { id: own });
  });
  await writeList(named.toSpliced(place, 1));
}

function withFields(service: unknown, fields: WrittenService): WrittenService {
  const known: WrittenService = typeof service === 'object' && service !== null ? { ...service } : {};
  return Object.fromEntries(Object.entries({ ...known, ...fields }).filter(([, value]) => value !== undefined));
}

/** Index of the entry with this ID; -1 for none. */
function placeOf(id: string, list: readonly unknown[]): number {
  // Each together with those before it, because the position determines the ID of an entry without one.
  return list.findIndex((_, index) => {
    const upTo = readServices(list.slice(0, index + 1)).entries;
    return upTo.length > readServices(list.slice(0, index)).entries.length && upTo.at(-1)?.id === id;
  });
}

function writtenList(): readonly unknown[] {
  const raw = ownValue(vscode.workspace.getConfiguration().inspect(settings.services.id));
  return Array.isArray(raw) ? raw : [];
}

async function writeList(list: readonly unknown[]): Promise<void> {
  await vscode.workspace
    .getConfiguration()
    .update(settings.services.id, list.length === 0 ? undefined : list, vscode.ConfigurationTarget.Global);
}
