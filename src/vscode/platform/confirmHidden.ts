import * as vscode from 'vscode';
import { type HiddenCharacter, hiddenCharacters } from '../../core/safety/hiddenCharacters.ts';
import { plainWindow } from './plainWindow.ts';

/**
 * Names the invisible characters in a text and asks whether to use it. True at once if there are none.
 * @param about.startsFile true if the text starts a file
 * @param about.isCode false for possible prose: a message, an error
 */
export async function confirmHidden(
  text: string,
  { startsFile = false, isCode = true }: { readonly startsFile?: boolean; readonly isCode?: boolean } = {},
): Promise<boolean> {
  const found = hiddenCharacters(text, { startsFile });
  if (found.length === 0) return true;
  const insert = vscode.l10n.t('Use Anyway');
  const clean = await plainWindow.ask(
    isCode
      ? vscode.l10n.t('This code contains invisible characters')
      : vscode.l10n.t('This text contains invisible characters'),
    {
      detail: vscode.l10n.t(
        'They can make it look different from what it is. Found {0}; the first is on line {1}: {2}.',
        found.length,
        found[0]?.line ?? 1,
        hiddenNames(found),
      ),
    },
    insert,
  );
  return clean === insert;
}

/** For example `U+200B, U+202E`: each once, and not all if there are many. */
export function hiddenNames(found: readonly HiddenCharacter[]): string {
  const names = found.map(({ codePoint }) => `U+${codePoint.toString(16).toUpperCase().padStart(4, '0')}`);
  return [...new Set(names)].slice(0, 8).join(', ');
}
