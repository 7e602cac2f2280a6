import * as vscode from 'vscode';
import { documentSchemes } from '../settings/contributions.ts';

const scheme = documentSchemes.reply;

/** Replies, and code of them, as documents that can't be changed: closing one asks nothing. */
export class ReplyDocuments implements vscode.TextDocumentContentProvider, vscode.Disposable {
  readonly #texts = new Map<string, string>();
  readonly #closing = vscode.workspace.onDidCloseTextDocument(({ uri }) => {
    if (uri.scheme === scheme) this.#texts.delete(uri.path);
  });

  /** Where a text can be opened. `name` is what its tab shows, and its ending says what language it's in. */
  add(name: string, text: string): vscode.Uri {
    // A path of its own keeps the text of each opening apart.
    const path = `/${crypto.randomUUID()}/${name}`;
    this.#texts.set(path, text);
    return vscode.Uri.from({ scheme, path });
  }

  provideTextDocumentContent({ path }: vscode.Uri): string {
    // A tab that VS Code restores in a new window.
    return this.#texts.get(path) ?? vscode.l10n.t('Open this reply again from its chat.');
  }

  dispose(): void {
    this.#closing.dispose();
  }
}
