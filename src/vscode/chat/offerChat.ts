import * as vscode from 'vscode';
import { commandsOf, documentSchemes, panelTypes, viewIds } from '../settings/contributions.ts';
import { DisposableList } from '../platform/disposables.ts';
import { registerLateDocuments } from '../platform/documents/lateDocuments.ts';
import { lazy } from '../platform/lazy.ts';
import type { FlushedAtEnd, Offering } from '../platform/offering.ts';
import type { Chat, ChatDeps } from './registerChat.ts';

/** The chat's view, tabs, documents, and commands. */
export function offerChat(
  { commands, services }: Offering<Omit<ChatDeps, 'prompts'> & FlushedAtEnd>,
  prompts: ChatDeps['prompts'],
): vscode.Disposable & { readonly chat: () => Promise<Chat> } {
  const own = new DisposableList();
  const chat = lazy(async () => {
    const [{ registerChat }, shared] = await Promise.all([import('./registerChat.ts'), services()]);
    const opened = own.add(registerChat({ ...shared, prompts }));
    shared.atEnd(opened.flush);
    return opened;
  });
  own.add(
    vscode.window.registerWebviewViewProvider(viewIds.chat, {
      resolveWebviewView: async (view, context, token) => (await chat()).view.resolveWebviewView(view, context, token),
    }),
  );
  own.add(
    vscode.window.registerWebviewPanelSerializer(panelTypes.chatEditor, {
      deserializeWebviewPanel: async (panel, state) => (await chat()).editors.deserializeWebviewPanel(panel, state),
    }),
  );
  own.add(registerLateDocuments(documentSchemes.context, async () => (await chat()).contexts));
  own.add(registerLateDocuments(documentSchemes.reply, async () => (await chat()).replies));
  commands.take([...Object.values(commandsOf.chat), ...Object.values(commandsOf.chatView)], chat);
  return { chat, dispose: () => own.dispose() };
}
