import * as vscode from 'vscode';
import { isName } from '../../core/services/readServices.ts';
import { maxNameLength } from '../../core/services/serviceEntry.ts';
import { plainWindow } from '../platform/plainWindow.ts';
import type { Service } from '../service/service.ts';
import { changeService } from '../service/serviceList.ts';

/**
 * Asks for a name and stores it in the user's settings. An empty one means the host.
 * @param hasProvider whether another service lists models with this before their first slash, in lower case
 */
export async function renameService(
  service: Service,
  all: readonly Service[],
  hasProvider: (word: string) => boolean,
): Promise<void> {
  const name = await plainWindow.showInputBox({
    title: vscode.l10n.t('Rename {0}', service.name),
    prompt: vscode.l10n.t('Leave this empty to use the host as the name.'),
    value: service.name,
    validateInput: (text) => nameTrouble(text.trim(), service, all) ?? nameDoubt(text.trim(), hasProvider),
  });
  if (name === undefined) return;
  await changeService(service.id, { name: name.trim() === '' ? undefined : name.trim() });
}

/** A prompt that names `openai/some-model` of another service would go to a service with the name `openai`. */
function nameDoubt(name: string, hasProvider: (word: string) => boolean): vscode.InputBoxValidationMessage | undefined {
  if (!hasProvider(name.toLowerCase())) return undefined;
  const message = vscode.l10n.t(
    'Another service has models whose IDs start with "{0}/". Prompts that name them would use this service.',
    name,
  );
  return { message, severity: vscode.InputBoxValidationSeverity.Warning };
}

/** What is wrong with a name; undefined if nothing is. A model is written as `service/provider/model`. */
function nameTrouble(name: string, service: Service, all: readonly Service[]): string | undefined {
  if (!isName(name)) {
    return vscode.l10n.t("A name can have up to {0} characters and can't contain slashes.", maxNameLength);
  }
  const lower = name.toLowerCase();
  const same = all.find((other) => other !== service && (other.name.toLowerCase() === lower || other.id === lower));
  return name === '' || same === undefined ? undefined : vscode.l10n.t('Another service has this name.');
}
