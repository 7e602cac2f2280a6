import { join } from 'node:path';
import * as vscode from 'vscode';
import type { Attachment } from '../../shared/attachment.ts';
import { documentSchemes } from '../settings/contributions.ts';
import type { AttachmentStore } from './attachmentStore.ts';

const ownFile = /^[\da-f-]{36}\/[\da-f-]{36}\.md$/;

/** Shows attachments as they're sent: a context as a read-only document, an image in VS Code's viewer. */
export class ContextDocuments implements vscode.TextDocumentContentProvider {
  readonly #store: AttachmentStore;
  readonly #others: AttachmentStore[] = [];

  constructor(store: AttachmentStore) {
    this.#store = store;
  }

  /** A URI can come from anywhere, so it must name one of our files. */
  async provideTextDocumentContent({ query }: vscode.Uri): Promise<string> {
    if (!ownFile.test(query)) return '';
    const others = this.#others;
    const read = async ({ folder }: AttachmentStore) =>
      new TextDecoder().decode(await vscode.workspace.fs.readFile(vscode.Uri.file(join(folder, query))));
    // The last failure is reported.
    return others.reduce((text, other) => text.catch(() => read(other)), read(this.#store));
  }

  /** Adds another store to show content from, because VS Code accepts only one provider per URI scheme. */
  alsoShow(store: AttachmentStore): void {
    this.#others.push(store);
  }

  async open(conversationId: string, attachment: Attachment): Promise<void> {
    if (attachment.kind === 'picture') {
      const picture = vscode.Uri.file(this.#store.path(conversationId, attachment));
      await vscode.commands.executeCommand('vscode.open', picture, { preview: true });
      return;
    }
    // The tab shows only the name.
    const name = attachment.name.replace(/[\\/\s]+/g, ' ').trim();
    const uri = vscode.Uri.from({
      scheme: documentSchemes.context,
      path: `/${name}.md`,
      query: `${conversationId}/${attachment.id}.md`,
    });
    await vscode.window.showTextDocument(await vscode.workspace.openTextDocument(uri), { preview: true });
  }
}
