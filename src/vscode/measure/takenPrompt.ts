import * as vscode from 'vscode';
import type { TakenPrompt } from '../../core/measuring/plannedMeasurement.ts';
import { type Messages, userMessages } from '../../core/measuring/workloadMessages.ts';
import type { LoggedRequest } from '../../core/requests/requestLog.ts';
import { requestName } from '../../core/requests/requestWords.ts';
import { plainWindow } from '../platform/plainWindow.ts';
import { findPrompts, promptName, readPrompt } from '../prompts/files/promptFiles.ts';
import { pickRequest } from '../requests/pickRequest.ts';
import type { RequestHistory } from '../requests/requestHistory.ts';
import { momentText } from '../../words/moment.ts';
import {
  aroundIn,
  fenceFor,
  fillTemplate,
  type PromptVariable,
  templateSlots,
  withoutEmptyAround,
} from '../../core/prompts/promptTemplate.ts';
import { askInputs } from '../prompts/run/promptValues.ts';

/** A prompt, or the reason why there's none, in words. Undefined if the user cancels. */
export type PickedPrompt = { readonly prompt: TakenPrompt } | { readonly refused: string } | undefined;

/** Asks for one of the prompt files. */
export async function pickPromptFile(userFolder: vscode.Uri): Promise<PickedPrompt> {
  const { prompts } = await findPrompts(userFolder);
  if (prompts.length === 0) return { refused: vscode.l10n.t('No prompt files yet. Create one with "New Prompt…".') };
  const rows = prompts.map(({ uri, name, folder, file }) => ({
    label: name,
    ...(file.description !== undefined && { description: file.description }),
    ...(folder !== undefined && { detail: folder }),
    uri,
  }));
  const chosen = await plainWindow.showQuickPick(rows, { title: vscode.l10n.t('Select Prompt File') });
  return chosen && promptOfFile(chosen.uri);
}

/** The prompt of a file, with the text that the user enters for its variables. */
export async function promptOfFile(uri: vscode.Uri): Promise<PickedPrompt> {
  const { file } = await readPrompt(uri);
  const error = file.remarks.find(({ severity }) => severity === 'error');
  if (error !== undefined) return { refused: error.message };
  const name = promptName(uri);
  const text = await typedPrompt(file.template, name);
  return text === undefined ? undefined : { prompt: { name, messages: userMessages(text) } };
}

/** Asks for one of the newest chat requests in the history. */
export async function pickChatRequest(history: RequestHistory): Promise<PickedPrompt> {
  if (!(await history.requests()).some(isChat)) {
    return { refused: vscode.l10n.t('No chat requests yet. They appear here once you send one.') };
  }
  const chosen = await pickRequest(history, isChat);
  return chosen && promptOfRequest(history, chosen);
}

/** The messages of a request as they were sent. */
export async function promptOfRequest(history: RequestHistory, request: LoggedRequest): Promise<PickedPrompt> {
  const { request: sent } = await history.bodies(request.id);
  const messages = messagesIn(sent?.body);
  if (messages === undefined) {
    return { refused: vscode.l10n.t("The content of this request isn't saved, so it can't be measured.") };
  }
  if (sent?.isPartial === true) {
    return { refused: vscode.l10n.t("The images of this request weren't saved, so it can't be measured.") };
  }
  const name = vscode.l10n.t('{0}, {1}', requestName(request), momentText(request.at));
  return { prompt: { name, messages } };
}

function isChat({ operation }: LoggedRequest): boolean {
  return operation === 'chat';
}

function messagesIn(body: unknown): Messages | undefined {
  if (typeof body !== 'object' || body === null || !('messages' in body) || !Array.isArray(body.messages)) {
    return undefined;
  }
  const messages: readonly unknown[] = body.messages;
  return messages.length > 0 && messages.every(isMessage) ? messages : undefined;
}

function isMessage(value: unknown): value is Messages[number] {
  return typeof value === 'object' && value !== null && 'role' in value && 'content' in value;
}

/**
 * The text of a template, with the text that the user enters for its variables. Nothing is taken from an editor, so
 * that a measurement can be repeated. Undefined if the user cancels.
 */
async function typedPrompt(template: string, title: string): Promise<string | undefined> {
  const inputs = await askInputs(template, title);
  if (inputs === undefined) return undefined;
  const typed = new Map<PromptVariable, string>();
  for (const slot of templateSlots(template)) {
    if (slot.kind !== 'variable' || slot.name === 'fence' || typed.has(slot.name)) continue;
    const text = await plainWindow.showInputBox({
      title,
      prompt: vscode.l10n.t('Enter the text for "{0}". Each request sends the same.', slot.name),
      ignoreFocusOut: true,
    });
    if (text === undefined) return undefined;
    typed.set(slot.name, text);
  }
  const around = new Map(aroundIn(template).map((name) => [name, typed.get(name) ?? '']));
  return fillTemplate(withoutEmptyAround(template, around), (slot) => {
    if (slot.kind === 'input') return inputs.get(slot.name);
    if (slot.kind === 'unknown') return undefined;
    return slot.name === 'fence' ? fenceFor(typed.get('selection') ?? '') : typed.get(slot.name);
  });
}
