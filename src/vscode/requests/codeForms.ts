import * as vscode from 'vscode';
import { plainWindow } from '../platform/plainWindow.ts';
import { commandIds } from '../settings/contributions.ts';

/** The formats that a request can be copied in. The labels are names, the same in every language. */
export const codeForms = [
  { form: 'curl', label: 'curl (bash)', command: commandIds.copyRequestAsCurl },
  { form: 'powerShell', label: 'curl (PowerShell)', command: commandIds.copyRequestAsPowerShell },
  { form: 'fetch', label: 'TypeScript (fetch)', command: commandIds.copyRequestAsFetch },
  { form: 'openAi', label: 'TypeScript (openai)', command: commandIds.copyRequestAsOpenAi },
  { form: 'python', label: 'Python (openai)', command: commandIds.copyRequestAsPython },
] as const;

export type CopyForm = (typeof codeForms)[number]['form'];

export async function pickCodeForm(): Promise<CopyForm | undefined> {
  const title = vscode.l10n.t('Copy Request as Code');
  return (await plainWindow.showQuickPick(codeForms, { title }))?.form;
}
