import type * as vscode from 'vscode';
import { LastEditor } from './vscode/attachments/lastEditor.ts';
import type { PromptMenu } from './vscode/chat/chatPageHost.ts';
import { offerChat } from './vscode/chat/offerChat.ts';
import { offerChecks } from './vscode/checks/offerChecks.ts';
import { offerCompare } from './vscode/compare/offerCompare.ts';
import { offerServiceCommands } from './vscode/connection/offerServiceCommands.ts';
import { DisposableList } from './vscode/platform/disposables.ts';
import { LateCommands } from './vscode/platform/lateCommands.ts';
import { lazy } from './vscode/platform/lazy.ts';
import { WalkthroughSteps } from './vscode/settings/walkthroughSteps.ts';
import { offerMeasure } from './vscode/measure/offerMeasure.ts';
import { offerMedia } from './vscode/media/offerMedia.ts';
import { offerModels } from './vscode/models/offerModels.ts';
import { offerNative } from './vscode/native/offerNative.ts';
import { type OfferedPrompts, offerPrompts } from './vscode/prompts/offerPrompts.ts';
import { offerRequests } from './vscode/requests/offerRequests.ts';
import { serviceNamesKey, StatusItem } from './vscode/statusBar/statusItem.ts';

let flush: () => Promise<void> = () => Promise.resolve();

/** Registers everything in the manifest. The implementation is loaded feature by feature, when it's first used. */
export function activate(context: vscode.ExtensionContext): void {
  const own = new DisposableList();
  context.subscriptions.push(own);

  const { extensionUri, globalState, globalStorageUri: storageUri, secrets, workspaceState } = context;
  const walkthrough = new WalkthroughSteps(globalState);
  const commands = own.add(new LateCommands((id) => walkthrough.ran(id)));
  const statusItem = own.add(new StatusItem(globalState.get(serviceNamesKey)));
  const lastEditor = own.add(new LastEditor());
  const services = lazy(async () => {
    const { openServices } = await import('./vscode/start/openServices.ts');
    const opened = own.add(
      openServices({
        commands,
        statusItem,
        lastEditor,
        extensionId: context.extension.id,
        extensionUri,
        globalState,
        storageUri,
        secrets,
        workspaceState,
        walkthrough,
      }),
    );
    flush = opened.flush;
    return opened;
  });
  const offering = { commands, services };
  offerServiceCommands(offering);
  const prompts: PromptMenu = {
    find: (typed) => offered.menu.find(typed),
    run: (row, into) => offered.menu.run(row, into),
  };
  const { chat } = own.add(offerChat(offering, prompts));
  own.add(offerRequests(offering, chat));
  own.add(offerModels(offering, async (model) => (await chat()).useModel(model)));
  const offered: OfferedPrompts = own.add(
    offerPrompts(offering, workspaceState, {
      askInChat: async (...asked) => (await chat()).ask(...asked),
      addToChat: async () => (await chat()).addSuggested(),
      currentChatModel: async () => (await chat()).currentModel(),
    }),
  );
  own.add(offerChecks(offering));
  own.add(offerMeasure(offering));
  const { media } = own.add(offerMedia(offering));
  own.add(offerCompare(offering, chat, { prompts, propose: offered.propose }));
  own.add(offerNative(offering, extensionUri, media));
}

/** Waits until everything is on disk before the window closes. */
export function deactivate(): Promise<void> {
  return flush();
}
