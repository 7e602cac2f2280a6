import * as vscode from 'vscode';
import { type PromptFileRemark, readPromptFile } from '../../../core/prompts/promptFile.ts';
import { useTranslations } from '../../platform/useTranslations.ts';
import { maxPromptSize } from './promptFiles.ts';
import { bytesText } from '../../../words/bytes.ts';

/** The errors in a prompt file. Loaded when the first one is open. */
export async function promptRemarks(document: vscode.TextDocument): Promise<readonly vscode.Diagnostic[]> {
  useTranslations();
  const text = document.getText();
  if (text.length > maxPromptSize) {
    const message = vscode.l10n.t("It's larger than {0}.", bytesText(maxPromptSize));
    return [diagnosticOf(document, { severity: 'error', message, from: 0, to: 1 })];
  }
  const { remarks } = await readPromptFile(text);
  return remarks.map((remark) => diagnosticOf(document, remark));
}

function diagnosticOf(document: vscode.TextDocument, { severity, message, from, to }: PromptFileRemark) {
  const severities = {
    error: vscode.DiagnosticSeverity.Error,
    warning: vscode.DiagnosticSeverity.Warning,
    info: vscode.DiagnosticSeverity.Information,
  } as const;
  const range = new vscode.Range(document.positionAt(from), document.positionAt(to));
  const diagnostic = new vscode.Diagnostic(range, message, severities[severity]);
  diagnostic.source = 'Parlance';
  return diagnostic;
}
