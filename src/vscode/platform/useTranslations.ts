import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { writeNumbersIn } from '../../words/numberText.ts';

/** Passes VS Code's texts and language on to the layers below, which don't import VS Code. */
export function useTranslations(): void {
  if (vscode.l10n.bundle !== undefined) l10n.config({ contents: vscode.l10n.bundle });
  writeNumbersIn(vscode.env.language);
}
