import * as vscode from 'vscode';
import { addedCommandLinks } from '../../../core/safety/commandLinks.ts';
import { confirmHidden } from '../confirmHidden.ts';
import { plainWindow } from '../plainWindow.ts';
import { isCodeLanguage } from './openModelText.ts';

/** How much of a link's target is shown, in UTF-16 units. */
const longestTarget = 120;
const mostNamed = 4;

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

/** Names the targets, the first few if there are many, and asks whether to insert them. True at once if there are none. */
export async function confirmCommandLinks(targets: readonly string[]): Promise<boolean> {
  const each = [...new Set(targets)].map(shownTarget);
  if (each.length === 0) return true;
  const use = vscode.l10n.t('Use Anyway');
  // One a line, because a sentence around them would hide where a target ends.
  const named = each.slice(0, mostNamed).join('\n');
  const listed = each.length > mostNamed ? vscode.l10n.t('{0} and {1} more', named, each.length - mostNamed) : named;
  const chosen =
    targets.length === 1
      ? await plainWindow.ask(
          vscode.l10n.t('This text contains a link that runs a VS Code command'),
          { detail: vscode.l10n.t('Following the link runs this command without asking:\n\n{0}', listed) },
          use,
        )
      : await plainWindow.ask(
          vscode.l10n.t('This text contains links that run VS Code commands'),
          { detail: vscode.l10n.t('Following one of the links runs its command without asking:\n\n{0}', listed) },
          use,
        );
  return chosen === use;
}

function shownTarget(target: string): string {
  return target.length > longestTarget ? `${target.slice(0, longestTarget)}…` : target;
}
