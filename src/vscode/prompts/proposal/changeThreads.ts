import * as vscode from 'vscode';
import { changeControllerId } from '../../settings/contributions.ts';
import { isSameChange, type ShownChange } from './proposalSession.ts';
import { numberText } from '../../../words/numberText.ts';

interface Drawn {
  readonly thread: vscode.CommentThread;
  readonly change: ShownChange;
}

/**
 * Shows the number of each change above it, what it does, and the buttons Keep and Discard. Comment threads are the
 * only clickable API that works in a diff: CodeLens is off there by default, inlay hints need Ctrl, and a gutter menu
 * is proposed API.
 */
export class ChangeThreads implements vscode.Disposable {
  readonly #controller = vscode.comments.createCommentController(changeControllerId, vscode.l10n.t('Proposed Changes'));
  readonly #threads = new Map<string, readonly Drawn[]>();

  draw(document: vscode.TextDocument, changes: readonly ShownChange[]): void {
    const key = document.uri.toString();
    const before = this.#threads.get(key) ?? [];
    // Never reused for another change: VS Code might still have a click for this one.
    for (const { thread, change } of before) {
      if (!changes.some((other) => isSameChange(other, change))) thread.dispose();
    }
    const last = document.lineCount - 1;
    const drawn = changes.map((change, index): Drawn => {
      // A thread is below its line, so this puts it above the change.
      const line = Math.min(Math.max(0, change.proposedFrom - 1), last);
      const comment = commentOf(change);
      const thread =
        before.find((other) => isSameChange(other.change, change))?.thread ??
        this.#controller.createCommentThread(document.uri, new vscode.Range(line, 0, line, 0), [comment]);
      if (thread.range?.start.line !== line) thread.range = new vscode.Range(line, 0, line, 0);
      if (thread.comments[0]?.author.name !== comment.author.name) thread.comments = [comment];
      const label = vscode.l10n.t('Change {0} of {1}', index + 1, changes.length);
      if (thread.label !== label) thread.label = label;
      thread.canReply = false;
      thread.collapsibleState = vscode.CommentThreadCollapsibleState.Expanded;
      return { thread, change };
    });
    this.#threads.set(key, drawn);
  }

  /** The change that a thread belongs to, from the argument of its buttons; undefined for anything else. */
  changeOf(given: unknown): { readonly uri: vscode.Uri; readonly change: ShownChange } | undefined {
    const found = [...this.#threads.values()].flat().find(({ thread }) => thread === given);
    return found && { uri: found.thread.uri, change: found.change };
  }

  forget(uri: vscode.Uri): void {
    const key = uri.toString();
    for (const { thread } of this.#threads.get(key) ?? []) thread.dispose();
    this.#threads.delete(key);
  }

  dispose(): void {
    this.#controller.dispose();
  }
}

/**
 * Without a comment, VS Code shows a trash can that only hides the thread. A comment with text would open the Comments
 * view. So the description of the change is the comment's author.
 */
function commentOf(change: ShownChange): vscode.Comment {
  return { body: '', mode: vscode.CommentMode.Preview, author: { name: sizeOf(change) } };
}

function sizeOf({ from, to, proposedFrom, proposedTo }: ShownChange): string {
  const [gone, come] = [to - from, proposedTo - proposedFrom];
  if (gone === 0) return come === 1 ? vscode.l10n.t('Adds 1 line') : vscode.l10n.t('Adds {0} lines', numberText(come));
  if (come === 0)
    return gone === 1 ? vscode.l10n.t('Removes 1 line') : vscode.l10n.t('Removes {0} lines', numberText(gone));
  return gone === 1 ? vscode.l10n.t('Replaces 1 line') : vscode.l10n.t('Replaces {0} lines', numberText(gone));
}
