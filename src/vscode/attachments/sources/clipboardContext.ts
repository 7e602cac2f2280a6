import * as vscode from 'vscode';
import { problemOfNothingToAdd } from '../../../core/problems/attachmentProblems.ts';
import { contextBlock } from '../../../core/chat/contextBlock.ts';
import type { Taken } from '../contextSnapshot.ts';

const NAME_LENGTH = 24;

/** The text on the clipboard. */
export async function clipboardContext(): Promise<Taken> {
  const text = await vscode.env.clipboard.readText();
  if (text.trim() === '') return problemOfNothingToAdd('clipboard');
  const line = text.trim().replace(/\s+/g, ' ');
  const beginning = line.length <= NAME_LENGTH ? line : `${line.slice(0, NAME_LENGTH - 1).trimEnd()}…`;
  return {
    kind: 'clipboard',
    name: vscode.l10n.t('Clipboard: {0}', beginning),
    detail: vscode.l10n.t('Text from the clipboard'),
    block: contextBlock({ heading: 'Clipboard:', language: '', text }),
  };
}
