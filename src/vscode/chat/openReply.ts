import * as vscode from 'vscode';
import { replyMarkdown } from '../../core/chat/conversationMarkdown.ts';
import type { Conversation } from '../../core/chat/conversation.ts';
import { commandIds, documentSchemes } from '../settings/contributions.ts';
import type { CommandHandlers } from '../platform/lateCommands.ts';
import { plainWindow } from '../platform/plainWindow.ts';

export interface OpenedReplies extends vscode.Disposable {
  readonly documents: vscode.TextDocumentContentProvider;
}

/**
 * The plain view of a reply: an editor, which a screen reader walks by line and word, a braille display
 * shows, and a magnifier wraps. It cannot be changed, so that closing it asks nothing.
 *
 * @param current the conversation of the chat that a command is about
 */
export function registerOpenReply(commands: CommandHandlers, current: () => Conversation | undefined): OpenedReplies {
  const scheme = documentSchemes.reply;
  const texts = new Map<string, string>();
  const closing = vscode.workspace.onDidCloseTextDocument(({ uri }) => {
    if (uri.scheme === scheme) texts.delete(uri.path);
  });
  commands.handle(commandIds.openReply, async () => {
    const reply = current()
      ?.messages()
      .findLast((message) => message.role === 'assistant');
    if (reply?.role !== 'assistant') {
      void plainWindow.showInformationMessage(vscode.l10n.t('There is no reply to open.'));
      return;
    }
    // The model's name has slashes, and a path of its own keeps the text of each opening apart.
    const path = `/${crypto.randomUUID()}/${reply.model.replaceAll('/', ' ')}.md`;
    texts.set(path, replyMarkdown(reply));
    const document = await vscode.workspace.openTextDocument(vscode.Uri.from({ scheme, path }));
    await vscode.window.showTextDocument(document, { preview: true });
  });
  const documents: vscode.TextDocumentContentProvider = {
    provideTextDocumentContent: ({ path }) =>
      // A tab that VS Code restores in a new window.
      texts.get(path) ?? vscode.l10n.t('Open this reply again from its chat.'),
  };
  return { documents, dispose: () => closing.dispose() };
}
