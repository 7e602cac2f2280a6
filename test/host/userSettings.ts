import { isDeepStrictEqual } from 'node:util';
import * as vscode from 'vscode';
import { settings } from '../../src/vscode/settings/settingList.ts';

/** Sets user settings; undefined removes one. */
export async function setUserSettings(values: Readonly<Record<string, unknown>>): Promise<void> {
  for (const [id, value] of Object.entries(values)) {
    // VS Code writes its file and reads it again, which takes a tenth of a second even for the same value.
    if (isDeepStrictEqual(vscode.workspace.getConfiguration().inspect(id)?.globalValue, value)) continue;
    await vscode.workspace.getConfiguration().update(id, value, vscode.ConfigurationTarget.Global);
  }
}

/** Removes every Parlance setting of the user. */
export async function clearUserSettings(): Promise<void> {
  for (const { id } of Object.values(settings)) {
    if (vscode.workspace.getConfiguration().inspect(id)?.globalValue !== undefined) {
      await setUserSettings({ [id]: undefined });
    }
  }
}

const servicesId = 'parlance.services';

/** The user's real list of services, as it was written. */
export class UserServices {
  readonly #changed = new vscode.EventEmitter<unknown>();
  readonly #subscription = vscode.workspace.onDidChangeConfiguration((event) => {
    if (event.affectsConfiguration(servicesId)) this.#changed.fire(this.value);
  });
  readonly onDidChange = this.#changed.event;

  get value(): unknown {
    return vscode.workspace.getConfiguration().inspect(servicesId)?.globalValue;
  }

  dispose(): void {
    this.#subscription.dispose();
  }
}
