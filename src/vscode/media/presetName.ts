import * as vscode from 'vscode';
import { plainWindow } from '../platform/plainWindow.ts';

/** Asks for the name of a preset. @param taken names that exist */
export async function askPresetName(taken: readonly string[]): Promise<string | undefined> {
  const name = await plainWindow.showInputBox({
    title: vscode.l10n.t('Save Preset'),
    prompt: vscode.l10n.t('A name for these settings, without the prompt'),
    validateInput: (typed) => {
      const trimmed = typed.trim();
      if (trimmed === '' || trimmed.length > 100) return vscode.l10n.t('Enter a name of 1 to 100 characters.');
      if (!taken.includes(trimmed)) return undefined;
      return {
        message: vscode.l10n.t('"{0}" already exists and will be replaced.', trimmed),
        severity: vscode.InputBoxValidationSeverity.Warning,
      };
    },
  });
  return name?.trim();
}
