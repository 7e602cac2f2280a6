import * as vscode from 'vscode';
import type { CheckMessage } from '../../core/checks/checksFile.ts';
import { promptFileEnding } from '../../core/prompts/promptDefinition.ts';
import type { LoggedRequest } from '../../core/requests/requestLog.ts';
import { literalCase, promptCase } from '../../core/checks/writtenCase.ts';
import { folderName } from '../attachments/filePaths.ts';
import { plainWindow } from '../platform/plainWindow.ts';
import { nameTrouble } from '../prompts/files/newPrompt.ts';
import { promptName, readPrompt, workspacePromptFolder } from '../prompts/files/promptFiles.ts';
import type { RequestHistory } from '../requests/requestHistory.ts';
import { pickRequest } from '../requests/pickRequest.ts';
import { requestIn } from '../requests/requestIn.ts';
import { inline } from '../../words/inline.ts';
import { checksPath } from './checksFiles.ts';
import type { CheckTests } from './checkTests.ts';
import { checksFileEnding } from './checksNames.ts';
import { checksOf, openWithCase } from './newCheck.ts';

const LONGEST_NAME = 60;

interface KeptReply {
  readonly messages: unknown;
  readonly reply: string;
  readonly prompt?: unknown;
}

/** Turns a request, or a prompt's reply, into a case: its messages are sent, and its reply is the initial expectation. */
export async function keepAsCheck(given: unknown, history: RequestHistory, tests: CheckTests): Promise<void> {
  let kept = givenReply(given);
  if (kept === undefined) {
    // In the Command Palette, there's no row.
    const request = requestIn(given) ?? (await pickRequest(history, hasReply));
    if (request === undefined) return;
    kept = await ofHistory(request.id, history);
  }
  const messages = messagesOf(kept);
  const reply = kept?.reply;
  if (messages === undefined || reply === undefined) {
    void plainWindow.showInformationMessage(
      vscode.l10n.t(
        "Only a chat request with a saved text and reply can be kept as a check. Its content isn't saved, or it has images or tools.",
      ),
    );
    return;
  }
  const asked = messages.findLast(({ role }) => role === 'user')?.content ?? '';
  if (await keptInItsFile(kept?.prompt, asked, reply, tests)) return;
  const uri = await chooseFile(tests, promptOf(kept?.prompt)?.uri);
  if (uri === undefined) return;
  const written = literalCase(inline(asked, LONGEST_NAME), messages, reply);
  await openWithCase(uri, written, tests, vscode.l10n.t('a request'));
}

/**
 * Adds a case to the file next to the prompt that was sent: with its selection and variables, so that it also covers
 * later versions of the prompt. False if that's impossible.
 */
async function keptInItsFile(prompt: unknown, content: string, reply: string, tests: CheckTests): Promise<boolean> {
  const sent = promptOf(prompt);
  if (sent === undefined) return false;
  const { uri } = sent;
  // The Testing view lists files of the workspace.
  if (vscode.workspace.getWorkspaceFolder(uri) === undefined || !uri.path.endsWith(promptFileEnding)) return false;
  const template = await readPrompt(uri).then(
    ({ file }) => file.template,
    () => undefined,
  );
  if (template === undefined) return false;
  const pairs = Object.entries(sent.values).filter((pair): pair is [string, string] => typeof pair[1] === 'string');
  const values = Object.fromEntries(pairs);
  const { selection, selectedText, ...others } = values;
  // The prompt itself is the same in all of its cases.
  const [telling = content] = [selection, selectedText, ...Object.values(others)].filter((text) => text?.trim());
  const written = await promptCase(inline(telling, LONGEST_NAME), { template, values, content }, reply);
  if (written === undefined) return false;
  await openWithCase(checksOf(uri), written, tests, promptName(uri) + promptFileEnding);
  return true;
}

/** The prompt that was sent, and its variables. */
function promptOf(prompt: unknown): { readonly uri: vscode.Uri; readonly values: object } | undefined {
  if (typeof prompt !== 'object' || prompt === null || !('uri' in prompt) || !('values' in prompt)) return undefined;
  if (typeof prompt.uri !== 'string' || typeof prompt.values !== 'object') return undefined;
  return { uri: vscode.Uri.parse(prompt.uri, true), values: prompt.values ?? {} };
}

/** For the line above a prompt's reply. */
function givenReply(given: unknown): KeptReply | undefined {
  const kept: unknown = typeof given === 'object' && given !== null && 'kept' in given ? given.kept : undefined;
  if (typeof kept !== 'object' || kept === null || !('messages' in kept) || !('reply' in kept)) return undefined;
  const prompt = 'prompt' in kept ? kept.prompt : undefined;
  return typeof kept.reply === 'string' ? { messages: kept.messages, reply: kept.reply, prompt } : undefined;
}

async function ofHistory(id: string, history: RequestHistory): Promise<KeptReply | undefined> {
  const bodies = await history.bodies(id);
  const body: unknown = bodies.request?.body;
  const reply = replyOf(bodies.response);
  if (typeof body !== 'object' || body === null || !('messages' in body) || reply === undefined) return undefined;
  return { messages: body.messages, reply };
}

function hasReply({ operation, end }: LoggedRequest): boolean {
  return operation === 'chat' && end?.outcome === 'done';
}

/** Undefined for anything but plain text, because a file of checks can't contain anything else. */
function messagesOf(kept: KeptReply | undefined): readonly CheckMessage[] | undefined {
  const list = kept?.messages;
  if (!Array.isArray(list) || list.length === 0) return undefined;
  const messages = list.flatMap((item: unknown): readonly CheckMessage[] => {
    if (typeof item !== 'object' || item === null || !('role' in item) || !('content' in item)) return [];
    const role = (['system', 'user', 'assistant'] as const).find((known) => known === item.role);
    return role === undefined || typeof item.content !== 'string' ? [] : [{ role, content: item.content }];
  });
  return messages.length === list.length ? messages : undefined;
}

function replyOf(response: Readonly<Record<string, unknown>> | undefined): string | undefined {
  const choices = response?.['choices'];
  const [first]: readonly unknown[] = Array.isArray(choices) ? choices : [];
  const message: unknown =
    typeof first === 'object' && first !== null && 'message' in first ? first.message : undefined;
  const content: unknown =
    typeof message === 'object' && message !== null && 'content' in message ? message.content : undefined;
  return typeof content === 'string' && content !== '' ? content : undefined;
}

/** An existing file of checks, or a new one. @param about a file whose workspace folder gets the new one */
async function chooseFile(tests: CheckTests, about: vscode.Uri | undefined): Promise<vscode.Uri | undefined> {
  await tests.discovered();
  const own = about && vscode.workspace.getWorkspaceFolder(about);
  const folders = own === undefined ? (vscode.workspace.workspaceFolders ?? []) : [own];
  const files = tests.tree.files.filter(({ uri }) => uri.path.endsWith(checksFileEnding));
  const rows = files.map(({ uri }) => ({ icon: 'beaker', label: checksPath(uri), uri, folder: undefined }));
  const title = vscode.l10n.t('Keep as a Check');
  const label = vscode.l10n.t('New Check File…');
  const news = folders.map((folder) => {
    const description = folders.length > 1 ? folderName(folder, folders) : '';
    return { icon: 'add', label, description, uri: undefined, folder: folder.uri };
  });
  const all = [...rows, ...news];
  if (all.length === 0) {
    void plainWindow.showInformationMessage(vscode.l10n.t('Open a folder first: checks are files in it.'));
    return undefined;
  }
  const [only] = news;
  const chosen = all.length === 1 && only !== undefined ? only : await plainWindow.showQuickPick(all, { title });
  if (chosen?.folder === undefined) return chosen?.uri;
  const prompt = vscode.l10n.t('File name');
  const name = await plainWindow.showInputBox({ title, prompt, validateInput: nameTrouble });
  if (name === undefined) return undefined;
  return vscode.Uri.joinPath(chosen.folder, ...workspacePromptFolder, name.trim() + checksFileEnding);
}
