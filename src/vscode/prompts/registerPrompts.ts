import * as vscode from 'vscode';
import type { RecordedCalls } from '../../core/requests/inferenceCalls.ts';
import { keysOf } from '../../shared/mapTable.ts';
import type { ModelRef } from '../../shared/modelRef.ts';
import type { BuiltInPromptId } from '../../core/prompts/builtInPrompts.ts';
import type { ModelCatalogs } from '../../core/models/modelCatalogs.ts';
import { modelOfFile } from '../../core/models/modelText.ts';
import type { ChatPlace, PromptOptions } from '../../core/prompts/promptDefinition.ts';
import type { PromptRow } from '../../shared/protocol/chatProtocol.ts';
import { commandIds } from '../settings/contributions.ts';
import { DisposableList } from '../platform/disposables.ts';
import type { ServiceSupport } from '../service/serviceSupport.ts';
import type { Services } from '../service/services.ts';
import type { LastEditor } from '../attachments/lastEditor.ts';
import type { Explainer } from '../problems/explainer.ts';
import type { CommandHandlers } from '../platform/lateCommands.ts';
import type { Log } from '../platform/log.ts';
import type { WalkthroughSteps } from '../settings/walkthroughSteps.ts';
import type { LateDocuments } from '../platform/documents/lateDocuments.ts';
import type { Notifier } from '../platform/notify.ts';
import type { Settings } from '../settings/settings.ts';
import type { StatusItem } from '../statusBar/statusItem.ts';
import { fixDiagnosticCommand } from './fixAction.ts';
import { noteProposals } from './proposal/openProposals.ts';
import { PromptCommands } from './promptCommands.ts';
import { RunStatus } from './run/runStatus.ts';

/** What prompts do in the chat, and ask it. */
export interface ChatOfPrompts {
  /** Adds the selection to the message in the chat, and brings the chat to the front. */
  readonly addToChat: () => Promise<void>;
  readonly askInChat: (text: string, place: ChatPlace, options: PromptOptions) => Promise<void>;
  /** The model of the chat that a prompt for the current chat is asked in, if there's one already. */
  readonly currentChatModel: () => Promise<ModelRef | undefined>;
}

export interface PromptsDeps extends ChatOfPrompts {
  readonly commands: CommandHandlers;
  readonly service: RecordedCalls;
  readonly settings: Settings;
  readonly models: { readonly catalog: Pick<ModelCatalogs, 'load' | 'contextWindowOf' | 'index'> };
  readonly services: Pick<Services, 'check'>;
  readonly support: Pick<ServiceSupport, 'modelFor'>;
  readonly pickModel: (current: ModelRef | undefined) => Promise<ModelRef | undefined>;
  readonly explainer: Explainer;
  readonly notifier: Notifier;
  readonly walkthrough: Pick<WalkthroughSteps, 'done'>;
  readonly lastEditor: Pick<LastEditor, 'ofUser' | 'beforePrompt'>;
  readonly statusItem: Pick<StatusItem, 'tellEnd' | 'showPrompt'>;
  readonly workspaceState: Pick<vscode.Memento, 'update'>;
  readonly log: Pick<Log, 'error'>;
  /** Where the user's own prompts are stored. */
  readonly storageUri: vscode.Uri;
}

export interface RegisteredPrompts extends vscode.Disposable {
  /** What `/` lists in the message box of a chat. */
  readonly menu: {
    find(typed: string): Promise<readonly PromptRow[]>;
    /** Reports its own errors. */
    run(row: string, into?: unknown): Promise<void>;
  };
  /** The two sides of each proposal. */
  readonly documents: LateDocuments;
  /**
   * Shows a complete reply as a change to an editor's selection, or to the block that the user selects there. Reports
   * what goes wrong.
   */
  propose(title: string, reply: string, editor: vscode.TextEditor): Promise<void>;
}

/** Prompts about the selection: their commands, prompt files, and the quick fix. */
export function registerPrompts(deps: PromptsDeps): RegisteredPrompts {
  const own = new DisposableList();
  const { service, settings, models, services, explainer, log, notifier } = deps;
  const status = own.add(new RunStatus(deps.statusItem));
  const commands = own.add(
    new PromptCommands({
      // The ellipsis says that more input is needed first.
      clientFor: (prompt, model, stop) =>
        service.from({ kind: 'prompt', prompt: prompt.replace(/\u2026$/, '') }, stop).forModel(model),
      checkSetup: (model) => services.check(model),
      support: deps.support,
      pickModel: deps.pickModel,
      chatDefaults: () => settings.chatDefaults(),
      target: () => (settings.replyLocation.value === 'auto' ? undefined : settings.replyLocation.value),
      confirmAboveTokens: () => settings.promptConfirmAboveTokens.value,
      includeSurroundingCode: () => settings.promptSurroundingCode.value,
      writtenModel: async (text) => {
        await models.catalog.load();
        return modelOfFile(text, (model) => models.catalog.index.find(model) !== undefined);
      },
      contextWindowOf: async (model) => {
        // The stored model list is enough.
        await models.catalog.load();
        return models.catalog.contextWindowOf(model);
      },
      askInChat: deps.askInChat,
      currentChatModel: deps.currentChatModel,
      addToChat: deps.addToChat,
      noteProposals: (areOpen) => {
        noteProposals(deps.workspaceState, areOpen).catch((error: unknown) => log.error('Proposals', error));
      },
      lastEditor: () => deps.lastEditor.ofUser,
      editorBeforePrompt: () => deps.lastEditor.beforePrompt,
      explainer,
      onError: (error) => log.error('Surrounding code', error),
      notifier,
      walkthrough: deps.walkthrough,
      status,
      userFolder: vscode.Uri.joinPath(deps.storageUri, 'prompts'),
    }),
  );
  const explained = async (run: () => Promise<unknown>) => {
    try {
      await run();
    } catch (error) {
      notifier.problem(explainer.problemOfError(error, { during: 'command' }));
    }
  };
  const register = (id: string, run: (...given: readonly unknown[]) => Promise<unknown>) =>
    deps.commands.handle(id, (...given: readonly unknown[]) => explained(() => run(...given)));

  register(commandIds.runSelection, (given) => commands.runSelection(given));
  register(commandIds.runSelectionIn, () => commands.runSelectionIn());
  register(commandIds.askAboutSelection, (given) => commands.askAboutSelection(given));
  for (const prompt of keysOf(builtInCommands)) {
    register(builtInCommands[prompt], (given) => commands.runBuiltIn(prompt, given));
  }
  register(commandIds.runPrompt, (given) => commands.runPrompt(given));
  register(commandIds.runPromptFile, (given) => commands.runPromptFile(given));
  register(commandIds.newPrompt, () => commands.newPrompt());
  register(commandIds.stopPrompt, async (given) => {
    const uri = uriOf(given);
    // The button of a diff is about its own prompt, even if that has just ended.
    if (!commands.runner.proposals.stop(uri) && uri === undefined) status.stop();
  });
  register(commandIds.acceptAllChanges, (uri) => commands.runner.proposals.acceptAll(uriOf(uri)));
  register(commandIds.rejectAllChanges, (uri) => commands.runner.proposals.rejectAll(uriOf(uri)));
  const decide = async (how: 'acceptChange' | 'rejectChange', given: unknown, index: unknown) => {
    const { proposals } = commands.runner;
    // The buttons of a change pass its thread.
    const pressed = proposals.changeOf(given);
    if (pressed !== undefined) return proposals[how](pressed.uri, pressed.change);
    const uri = uriOf(given);
    // The button of a change that is gone. It isn't about the one at the cursor.
    if (uri === undefined && typeof given === 'object' && given !== null) return;
    await proposals[how](uri, indexOf(index));
  };
  register(commandIds.acceptChange, (given, at) => decide('acceptChange', given, at));
  register(commandIds.rejectChange, (given, at) => decide('rejectChange', given, at));
  register(fixDiagnosticCommand, async (uri, diagnostics) => {
    if (!(uri instanceof vscode.Uri) || !Array.isArray(diagnostics)) return;
    const known = diagnostics.filter((diagnostic) => diagnostic instanceof vscode.Diagnostic);
    if (known.length > 0) await commands.fixDiagnostic(uri, known);
  });
  const menu = {
    find: (typed: string) => commands.findRows(typed),
    run: (row: string, into?: unknown) => explained(() => commands.runRow(row, into)),
  };
  return {
    menu,
    documents: commands.runner.proposals,
    propose: (title, reply, editor) => explained(() => commands.runner.propose(title, reply, editor)),
    dispose: () => own.dispose(),
  };
}

const builtInCommands: Readonly<Record<BuiltInPromptId, string>> = {
  explain: commandIds.explainSelection,
  fix: commandIds.fixSelection,
  simplify: commandIds.simplifySelection,
  generateTests: commandIds.generateTests,
  generateDocs: commandIds.generateDocs,
  translate: commandIds.translateText,
  review: commandIds.reviewSelection,
};

function uriOf(value: unknown): vscode.Uri | undefined {
  if (value instanceof vscode.Uri) return value;
  // The links of a hover pass plain data.
  const isPlain = typeof value === 'object' && value !== null && 'scheme' in value && typeof value.scheme === 'string';
  return isPlain ? vscode.Uri.from({ ...value, scheme: String(value.scheme) }) : undefined;
}

function indexOf(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : undefined;
}
