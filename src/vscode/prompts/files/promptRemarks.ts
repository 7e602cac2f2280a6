import * as vscode from 'vscode';
import { readPromptFile } from '../../../core/prompts/promptFile.ts';
import { remarkDiagnostic } from '../../platform/documents/remarkDiagnostic.ts';
import { useTranslations } from '../../platform/useTranslations.ts';
import { maxPromptSize } from './promptFiles.ts';
import { bytesText } from '../../../words/bytes.ts';

/** The errors in a prompt file. Loaded when the first one is open. */
export async function promptRemarks(document: vscode.TextDocument): Promise<readonly vscode.Diagnostic[]> {
  useTranslations();
  const text = document.getText();
  const positionAt = (offset: number) => document.positionAt(offset);
  if (text.length > maxPromptSize) {
    const message = vscode.l10n.t("It's larger than {0}.", bytesText(maxPromptSize));
    return [remarkDiagnostic({ severity: 'error', message, from: 0, to: 1 }, positionAt)];
  }
  const { remarks } = await readPromptFile(text);
  return remarks.map((remark) => remarkDiagnostic(remark, positionAt));
}
