import * as vscode from 'vscode';
import { commandLinks } from '../../../core/safety/commandLinks.ts';
import { confirmHidden } from '../confirmHidden.ts';
import { plainWindow } from '../plainWindow.ts';
import { isCodeLanguage } from './openModelText.ts';

/** How much of a link's target is shown, in UTF-16 units. */
const longestTarget = 120;

/**
 * Asks before text of a model goes into a document of the user, if it has invisible characters or adds links that run
 * commands. True at once if it has neither.
 * @param document undefined for a file that doesn't exist yet
 */
export async function confirmInsert(text: string, document: vscode.TextDocument | undefined): Promise<boolean> {
  if (!(await confirmHidden(text, { startsFile: document === undefined }))) return false;
  const [first, ...others] = document === undefined ? [] : addedCommandLinks(text, document);
  if (first === undefined) return true;
  const use = vscode.l10n.t('Use Anyway');
  const target = first.length > longestTarget ? `${first.slice(0, longestTarget)}…` : first;
  const chosen = await plainWindow.ask(
    vscode.l10n.t('This text contains a link that runs a VS Code command'),
    {
      detail: vscode.l10n.t(
        'Following the link runs the command without asking. Found {0}; the first is {1}.',
        others.length + 1,
        target,
      ),
    },
    use,
  );
  return chosen === use;
}

/**
 * The targets of links in the text that would run a command if the text was in the document, apart from those that are
 * there already.
 */
export function addedCommandLinks(text: string, document: vscode.TextDocument): readonly string[] {
  if (isCodeLanguage(document.languageId)) return [];
  const links = commandLinks(text);
  if (links.length === 0) return links;
  const present = new Set(commandLinks(document.getText()));
  return links.filter((link) => !present.has(link));
}
