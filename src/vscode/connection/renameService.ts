import * as vscode from 'vscode';
import { isName } from '../../core/services/readServices.ts';
import { maxNameLength } from '../../core/services/serviceEntry.ts';
import { plainWindow } from '../platform/plainWindow.ts';
import type { Service } from '../service/service.ts';
import { changeService } from '../service/serviceList.ts';

/** Whether prompts might use a word as the name of another service, or as a part of its models. */
export interface NameUses {
  /** Another service lists models with this before their first slash, in lower case. */
  readonly hasProvider: (word: string) => boolean;
  /** Another service had this name, in lower case. */
  readonly wasName: (word: string) => boolean;
}

/** Asks for a name and stores it in the user's settings. An empty one means the host. */
export async function renameService(service: Service, all: readonly Service[], uses: NameUses): Promise<void> {
  const name = await plainWindow.showInputBox({
    title: vscode.l10n.t('Rename {0}', service.name),
    prompt: vscode.l10n.t(
      'Prompts and checks that use the current name still work. Leave this empty to use the host as the name.',
    ),
    value: service.name,
    validateInput: (text) => serviceNameTrouble(text.trim(), service, all) ?? nameDoubt(text.trim(), uses),
  });
  if (name === undefined) return;
  await changeService(service.id, { name: name.trim() === '' ? undefined : name.trim() });
}

/** Prompts that are meant for another service would go to this one. The user might want that. */
function nameDoubt(name: string, { hasProvider, wasName }: NameUses): vscode.InputBoxValidationMessage | undefined {
  const word = name.toLowerCase();
  const message = wasName(word)
    ? vscode.l10n.t('Another service had this name before. Prompts that still use it would use this service.')
    : hasProvider(word)
      ? vscode.l10n.t(
          'Another service has models whose IDs start with "{0}/". Prompts that name them would use this service.',
          name,
        )
      : undefined;
  return message === undefined ? undefined : { message, severity: vscode.InputBoxValidationSeverity.Warning };
}

/** What is wrong with a name; undefined if nothing is. A model is written as `service/provider/model`. */
function serviceNameTrouble(name: string, service: Service, all: readonly Service[]): string | undefined {
  if (!isName(name)) {
    return vscode.l10n.t("A name can have up to {0} characters and can't contain slashes.", maxNameLength);
  }
  const lower = name.toLowerCase();
  const same = all.find((other) => other !== service && (other.name.toLowerCase() === lower || other.id === lower));
  return name === '' || same === undefined ? undefined : vscode.l10n.t('Another service has this name.');
}
