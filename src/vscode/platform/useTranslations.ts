import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { writeNumbersIn } from '../../words/numberText.ts';

/** Gives the layers below, which know nothing of VS Code, the texts and numbers of its language. */
export function useTranslations(): void {
  if (vscode.l10n.bundle !== undefined) l10n.config({ contents: vscode.l10n.bundle });
  writeNumbersIn(vscode.env.language);
}
