import * as vscode from 'vscode';
import { idFromName, nameFromUrl } from '../../core/services/newService.ts';
import type { Service } from '../service/service.ts';
import { addToList } from '../service/serviceList.ts';
import type { Services } from '../service/services.ts';
import { addressText } from './baseUrlCheck.ts';
import { askForBaseUrl } from './setBaseUrl.ts';

/** How long the settings can take to report a change. */
const settledMs = 5000;

/** Asks for a base URL and adds a service with a name from it. Undefined if the user canceled. */
export async function addService(services: Services): Promise<Service | undefined> {
  const url = await askForBaseUrl({ title: vscode.l10n.t('Add Service'), current: '', others: services.all });
  return url === undefined ? undefined : keepService(services, url);
}

/** Adds a service to the user's settings. The first one needs no name, since nothing could be confused with it. */
export async function keepService(services: Services, url: URL, name?: string): Promise<Service | undefined> {
  const baseUrl = addressText(url);
  const atUrl = (): Service | undefined => services.all.find(({ entry }) => entry.value.baseUrl === baseUrl);
  let id: string | undefined;
  await addToList(() => {
    // Another window might have added it in the meantime.
    id = atUrl()?.id;
    if (id !== undefined) return undefined;
    const { first } = services;
    const isFirst = first.entry.value.baseUrl.trim() === '';
    const others = isFirst ? [] : services.all;
    const names = [...others.flatMap((service) => [service.name, service.id]), ...services.formerNames(url)];
    const isTaken = names.some((taken) => taken.toLowerCase() === name?.toLowerCase());
    const own = name === undefined || isTaken ? nameFromUrl(url, names) : name;
    id = isFirst ? first.id : idFromName(own, names);
    const fields = { baseUrl, ...((!isFirst || name !== undefined) && { name: own }) };
    return { id, fields: isFirst ? fields : { id, ...fields } };
  });
  return id === undefined ? undefined : added(services, id, baseUrl);
}

/** The settings report a change soon after it was written. */
async function added(services: Services, id: string, baseUrl: string): Promise<Service | undefined> {
  const known = (): Service | undefined => {
    const service = services.find(id);
    return service?.entry.value.baseUrl === baseUrl ? service : undefined;
  };
  if (known() !== undefined) return known();
  const changed = Promise.withResolvers<void>();
  const subscription = services.onDidChange(() => {
    if (known() !== undefined) changed.resolve();
  });
  const limit = setTimeout(changed.resolve, settledMs);
  try {
    await changed.promise;
    return known();
  } finally {
    clearTimeout(limit);
    subscription.dispose();
  }
}
