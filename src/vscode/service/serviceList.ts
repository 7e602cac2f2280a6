import * as vscode from 'vscode';
import { readServices } from '../../core/services/readServices.ts';
import { ownValue } from '../settings/settingRules.ts';
import { inListTurn } from './listTurns.ts';
import { settings } from '../settings/settingList.ts';

/** A service as it's written in the user's settings. */
export type WrittenService = Readonly<Record<string, unknown>>;

/** A service with everything that the user wrote about it, valid or not. Undefined if it isn't in the settings. */
function writtenService(id: string): WrittenService | undefined {
  const list = writtenList();
  const place = placeOf(id, list);
  return place === -1 ? undefined : withFields(list[place], {});
}

/**
 * Changes fields of a service in the user's settings; undefined removes one. Adds the service if it doesn't exist.
 *
 * @param fields a function gets what is written once no other window changes the list
 */
export function changeService(
  id: string,
  fields: WrittenService | ((written: WrittenService) => WrittenService),
): Promise<void> {
  return inListTurn(writtenList, () =>
    change(id, typeof fields === 'function' ? fields(writtenService(id) ?? {}) : fields),
  );
}

/**
 * Adds a service.
 * @param decide called once no other window changes the list; returns the ID and the fields, or undefined to add
 * nothing
 */
export async function addToList(
  decide: () => { readonly id: string; readonly fields: WrittenService } | undefined,
): Promise<void> {
  await inListTurn(writtenList, async () => {
    const added = decide();
    if (added !== undefined) await change(added.id, added.fields);
  });
}

async function change(id: string, fields: WrittenService): Promise<void> {
  const list = writtenList();
  const place = placeOf(id, list);
  const before = withIds(list);
  await writeList(
    place === -1
      ? [...before, { ...withFields({}, fields), id }]
      : before.with(place, withFields(before[place], fields)),
  );
}

/**
 * Writes the ID of a service that the user added by hand. Without it, a service that is added before it, by hand too,
 * would take its ID, and with that its key and its conversations.
 */
export async function keepId(id: string): Promise<void> {
  const written = writtenService(id);
  if (written !== undefined && written['id'] === undefined) await changeService(id, {});
}

/** Removes a service from the user's settings. */
export async function removeFromList(id: string): Promise<void> {
  await inListTurn(writtenList, async () => {
    const list = writtenList();
    const place = placeOf(id, list);
    if (place !== -1) await writeList(withIds(list).toSpliced(place, 1));
  });
}

/** An entry without an ID would get another one with its name or its place, and lose its key and its conversations. */
function withIds(list: readonly unknown[]): readonly unknown[] {
  const { entries, positions } = readServices(list);
  return list.map((item, index) => {
    const entry = entries[positions.indexOf(index + 1)];
    return entry === undefined ? item : withFields(item, { id: entry.id });
  });
}

function withFields(service: unknown, fields: WrittenService): WrittenService {
  const known: WrittenService = typeof service === 'object' && service !== null ? { ...service } : {};
  return Object.fromEntries(Object.entries({ ...known, ...fields }).filter(([, value]) => value !== undefined));
}

/** Index of the entry with this ID; -1 for none. */
function placeOf(id: string, list: readonly unknown[]): number {
  const { entries, positions } = readServices(list);
  return (positions[entries.findIndex((entry) => entry.id === id)] ?? 0) - 1;
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
