import * as vscode from 'vscode';
import { addedCommandLinks } from '../../../core/safety/commandLinks.ts';
import { confirmHidden } from '../confirmHidden.ts';
import { plainWindow } from '../plainWindow.ts';
import { isCodeLanguage } from './openModelText.ts';

/** How much of a link's target is shown, in UTF-16 units. */
const longestTarget = 120;

/** One of the user's documents, and the text that it would have after a change. */
export interface ChangedDocument {
  readonly document: vscode.TextDocument;
  readonly after: string;
}

/**
 * Asks before text of a model goes into a document of the user, if it has invisible characters or adds links that run
 * commands. True at once if it has neither.
 * @param changed undefined for a file that doesn't exist yet
 */
export async function confirmInsert(text: string, changed: ChangedDocument | undefined): Promise<boolean> {
  if (!(await confirmHidden(text, { startsFile: changed === undefined }))) return false;
  return changed === undefined || confirmCommandLinks(commandLinksOf(changed));
}

/**
 * The targets of links that the change adds and that would run a command. All of the document counts: half of a link
 * might be there already.
 */
export function commandLinksOf({ document, after }: ChangedDocument): readonly string[] {
  return isCodeLanguage(document.languageId) ? [] : addedCommandLinks(document.getText(), after);
}

/** Names the first of the targets and asks whether to insert them. True at once if there are none. */
export async function confirmCommandLinks(targets: readonly string[]): Promise<boolean> {
  const [first] = targets;
  if (first === undefined) return true;
  const use = vscode.l10n.t('Use Anyway');
  const target = first.length > longestTarget ? `${first.slice(0, longestTarget)}…` : first;
  const chosen = await plainWindow.ask(
    vscode.l10n.t('This text contains a link that runs a VS Code command'),
    {
      detail: vscode.l10n.t(
        'Following the link runs the command without asking. Found {0}; the first is {1}.',
        targets.length,
        target,
      ),
    },
    use,
  );
  return chosen === use;
}
