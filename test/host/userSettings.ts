import * as vscode from 'vscode';

/** Sets user settings; undefined removes one. */
export async function setUserSettings(values: Readonly<Record<string, unknown>>): Promise<void> {
  for (const [id, value] of Object.entries(values)) {
    await vscode.workspace.getConfiguration().update(id, value, vscode.ConfigurationTarget.Global);
  }
}

/** Removes every Parlance setting of the user. */
export async function clearUserSettings(): Promise<void> {
  const names = ['service.baseUrl', 'service.nativeUrl', 'service.legacyBaseUrl', 'service.keysPage'];
  const chat = ['model', 'systemPrompt', 'maxTokens', 'temperature', 'topP', 'stream'].map((name) => `chat.${name}`);
  const others = ['models.inNativeChat', 'prompts.target', 'prompts.askAboveTokens'];
  const pages = ['service.creditsPage', 'service.inferenceLogPage'];
  const ids = [...names, ...pages, ...chat, ...others].map((name) => `parlance.${name}`);
  for (const id of ids) {
    if (vscode.workspace.getConfiguration().inspect(id)?.globalValue !== undefined) {
      await setUserSettings({ [id]: undefined });
    }
  }
}
