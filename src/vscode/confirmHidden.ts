import * as vscode from 'vscode';
import { type HiddenCharacter, hiddenCharacters } from '../core/hiddenCharacters.ts';
import { plainWindow } from './plainWindow.ts';

/**
 * Shows what in this text cannot be seen, and asks. True at once where there is nothing of the kind.
 *
 * @param place.startsFile true where the text begins a file
 */
export async function confirmHidden(text: string, place?: { readonly startsFile: boolean }): Promise<boolean> {
  const found = hiddenCharacters(text, place);
  if (found.length === 0) return true;
  const insert = vscode.l10n.t('Use It Anyway');
  const clean = await plainWindow.ask(
    vscode.l10n.t('This code holds characters that cannot be seen'),
    {
      detail: vscode.l10n.t(
        'They can make code read differently from what it does. Found {0} on line {1}: {2}.',
        found.length,
        found[0]?.line ?? 1,
        hiddenNames(found),
      ),
    },
    insert,
  );
  return clean === insert;
}

/** As in `U+200B, U+202E`: each once, and not all of very many. */
export function hiddenNames(found: readonly HiddenCharacter[]): string {
  const names = found.map(({ codePoint }) => `U+${codePoint.toString(16).toUpperCase().padStart(4, '0')}`);
  return [...new Set(names)].slice(0, 8).join(', ');
}
