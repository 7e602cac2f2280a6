import * as vscode from 'vscode';
import { documentSchemes } from '../settings/contributions.ts';

const scheme = documentSchemes.reply;

/** Replies, and code in them, as read-only documents, which close without a question. */
export class ReplyDocuments implements vscode.TextDocumentContentProvider, vscode.Disposable {
  readonly #texts = new Map<string, string>();
  readonly #closing = vscode.workspace.onDidCloseTextDocument(({ uri, isClosed }) => {
    // A change of its language is reported as closing, too.
    if (uri.scheme === scheme && isClosed) this.#texts.delete(uri.path);
  });

  /** The URI to open a text at. `name` is the tab's title, and its extension determines the language. */
  add(name: string, text: string): vscode.Uri {
    // A unique path keeps the text of each opening separate.
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
