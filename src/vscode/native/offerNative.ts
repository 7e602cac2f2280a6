import * as vscode from 'vscode';
import type { CommitMessageDeps } from '../commitMessage/registerCommitMessage.ts';
import type { DiagnosticsDeps } from '../diagnostics/registerDiagnostics.ts';
import type { LanguageModelsDeps } from '../languageModel/registerLanguageModels.ts';
import type { ParticipantDeps } from '../participant/registerParticipant.ts';
import type { ChatProvider, OfferedModel } from '../languageModel/chatProvider.ts';
import {
  commandsOf,
  documentSchemes,
  languageModelVendor,
  participantId,
  toolNames,
} from '../settings/contributions.ts';
import { DisposableList } from '../platform/disposables.ts';
import { registerLateDocuments } from '../platform/documents/lateDocuments.ts';
import { lazy } from '../platform/lazy.ts';
import type { MediaMaker } from '../media/makeMedia.ts';
import type { Offering } from '../platform/offering.ts';

/** What the participant and the agents' tools need from the services. */
type ParticipantServices = Omit<ParticipantDeps, 'media' | 'connectionOf'>;

// VS Code requests the whole list at once, which must not happen during activation.
const tellDelayMs = 250;

/** Parlance inside VS Code's own features: its chat and agents, its model lists, and Source Control. */
export function offerNative(
  offering: Offering<LanguageModelsDeps & ParticipantServices & CommitMessageDeps & DiagnosticsDeps>,
  extensionUri: vscode.Uri,
  media: () => Promise<MediaMaker>,
): vscode.Disposable {
  const own = new DisposableList();
  const { provider } = own.add(offerLanguageModels(offering));
  own.add(offerParticipant(offering, extensionUri, provider, media));
  own.add(offerAgentTools(offering, media));
  own.add(offerCommitMessage(offering));
  own.add(offerDiagnostics(offering));
  return own;
}

function offerLanguageModels({ services }: Offering<LanguageModelsDeps>): vscode.Disposable & {
  readonly provider: () => Promise<ChatProvider>;
} {
  const own = new DisposableList();
  const changed = own.add(new vscode.EventEmitter<void>());
  const provider = lazy(async () => {
    const file = import('../languageModel/registerLanguageModels.ts');
    const [{ registerLanguageModels }, shared] = await Promise.all([file, services()]);
    const models = own.add(registerLanguageModels(shared));
    own.add(models.provider.onDidChangeLanguageModelChatInformation(() => changed.fire()));
    return models.provider;
  });
  const late: vscode.LanguageModelChatProvider<OfferedModel> = {
    onDidChangeLanguageModelChatInformation: changed.event,
    provideLanguageModelChatInformation: async (...given) =>
      (await provider()).provideLanguageModelChatInformation(...given),
    provideLanguageModelChatResponse: async (...given) => (await provider()).provideLanguageModelChatResponse(...given),
    provideTokenCount: async (model, text) => (await provider()).provideTokenCount(model, text),
  };
  own.add(vscode.lm.registerLanguageModelChatProvider(languageModelVendor, late));
  // VS Code looks for models when one of its views opens. A view that was open before Parlance started has none, and
  // fails with the first question.
  const telling = setTimeout(() => changed.fire(), tellDelayMs);
  own.add({ dispose: () => clearTimeout(telling) });
  return { provider, dispose: () => own.dispose() };
}

function offerParticipant(
  { services }: Offering<ParticipantServices>,
  extensionUri: vscode.Uri,
  provider: () => Promise<ChatProvider>,
  media: () => Promise<MediaMaker>,
): vscode.Disposable {
  const load = lazy(async () => {
    const file = import('../participant/registerParticipant.ts');
    const [{ registerParticipant }, shared] = await Promise.all([file, services()]);
    return registerParticipant({
      ...shared,
      media,
      connectionOf: async (model) => (await provider()).connectionOf(model),
    });
  });
  const participant = vscode.chat.createChatParticipant(participantId, async (...given) =>
    (await load()).handler(...given),
  );
  participant.iconPath = vscode.Uri.joinPath(extensionUri, 'media', 'icon.png');
  participant.followupProvider = { provideFollowups: async (result) => (await load()).followups(result) };
  return participant;
}

function offerAgentTools(
  { services }: Offering<ParticipantServices>,
  media: () => Promise<MediaMaker>,
): vscode.Disposable {
  const own = new DisposableList();
  const tools = lazy(async () => {
    const file = import('../agentTools/registerAgentTools.ts');
    const [{ registerAgentTools }, shared] = await Promise.all([file, services()]);
    return registerAgentTools({ ...shared, media });
  });
  for (const name of Object.values(toolNames)) {
    const tool = async () => {
      const found = (await tools()).get(name);
      if (found === undefined) throw new Error(`There is no tool ${name}`);
      return found;
    };
    own.add(
      vscode.lm.registerTool<object>(name, {
        prepareInvocation: async (...given) => (await tool()).prepareInvocation?.(...given),
        invoke: async (...given) => (await tool()).invoke(...given),
      }),
    );
  }
  return own;
}

function offerCommitMessage({ commands, services }: Offering<CommitMessageDeps>): vscode.Disposable {
  const own = new DisposableList();
  const load = lazy(async () => {
    const file = import('../commitMessage/registerCommitMessage.ts');
    const [{ registerCommitMessage }, shared] = await Promise.all([file, services()]);
    return own.add(registerCommitMessage(shared));
  });
  commands.take(Object.values(commandsOf.commitMessage), load);
  return own;
}

function offerDiagnostics({ commands, services }: Offering<DiagnosticsDeps>): vscode.Disposable {
  const load = lazy(async () => {
    const file = import('../diagnostics/registerDiagnostics.ts');
    const [{ registerDiagnostics }, shared] = await Promise.all([file, services()]);
    return registerDiagnostics(shared);
  });
  commands.take(Object.values(commandsOf.diagnostics), load);
  return registerLateDocuments(documentSchemes.diagnostics, load);
}
