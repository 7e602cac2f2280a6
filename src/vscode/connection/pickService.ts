import * as vscode from 'vscode';
import { plainWindow } from '../platform/plainWindow.ts';
import type { Service } from '../service/service.ts';
import { serviceIdOf } from '../service/serviceIdOf.ts';
import type { Services } from '../service/services.ts';

/** The service that a command is about. Asks only if there are several and none was given. */
export async function meantService(
  services: Pick<Services, 'all' | 'first' | 'find'>,
  target: unknown,
  title: string,
): Promise<Service | undefined> {
  const id = serviceIdOf(target);
  if (id !== undefined) return services.find(id);
  return services.all.length > 1 ? pickService(services, title) : services.first;
}

/** @param current ID of the service in use now, if the list shows it */
export async function pickService(
  services: Pick<Services, 'all'>,
  title: string,
  current?: string,
): Promise<Service | undefined> {
  const rows = services.all.map((service) => ({
    icon: service.id === current ? 'check' : 'server',
    label: service.name,
    description: service.entry.value.baseUrl,
    service,
  }));
  const placeHolder = vscode.l10n.t('Select a service');
  return (await plainWindow.showQuickPick(rows, { title, placeHolder, matchOnDescription: true }))?.service;
}
