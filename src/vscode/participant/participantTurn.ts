import * as vscode from 'vscode';
import type { ChatMessage } from '../../api/types.ts';
import { isCodeCommand, participantPrompt, type PromptCode } from './participantPrompt.ts';

/** Files larger than this are not what a question is about; the person may select a part. */
const longestFile = 200_000;

/** The messages of this turn and of those before it, and what they are about. */
export async function turnMessages(
  request: Pick<vscode.ChatRequest, 'command' | 'prompt' | 'references'>,
  { history }: vscode.ChatContext,
): Promise<{ readonly messages: readonly ChatMessage[]; readonly about: readonly vscode.Location[] }> {
  const attached = await Promise.all(
    request.references.map((reference) => codeOf(narrowed(reference), reference.modelDescription)),
  );
  const given = attached.filter((each) => each !== undefined);
  // A command about code, and none was attached: what is selected is meant.
  const code = given.length === 0 && isCodeCommand(request.command ?? '') ? selected() : given;
  const question: ChatMessage = {
    role: 'user',
    content: participantPrompt(request.command, request.prompt, code),
  };
  return {
    messages: [...history.flatMap(earlier), question],
    about: code.flatMap(({ location }) => (location === undefined ? [] : [location])),
  };
}

/** VS Code attaches the file in front by itself, a moment before it knows what is selected there. */
function narrowed({ id, value }: vscode.ChatPromptReference): unknown {
  const editor = vscode.window.activeTextEditor;
  if (!id.startsWith('vscode.implicit') || editor === undefined || editor.selection.isEmpty) return value;
  const uri = value instanceof vscode.Location ? value.uri : value;
  const isInFront = uri instanceof vscode.Uri && uri.toString() === editor.document.uri.toString();
  return isInFront ? new vscode.Location(uri, editor.selection) : value;
}

interface AttachedCode extends PromptCode {
  readonly location?: vscode.Location;
}

function earlier(turn: vscode.ChatRequestTurn | vscode.ChatResponseTurn): readonly ChatMessage[] {
  if (turn instanceof vscode.ChatRequestTurn) {
    return [{ role: 'user', content: participantPrompt(turn.command, turn.prompt, []) }];
  }
  const text = turn.response
    .map((each) => (each instanceof vscode.ChatResponseMarkdownPart ? each.value.value : ''))
    .join('');
  return text === '' ? [] : [{ role: 'assistant', content: text }];
}

async function codeOf(value: unknown, description: string | undefined): Promise<AttachedCode | undefined> {
  if (typeof value === 'string') return { name: description ?? '', language: '', text: value };
  if (value instanceof vscode.Location) return read(value.uri, value.range);
  return value instanceof vscode.Uri ? read(value, undefined) : undefined;
}

async function read(uri: vscode.Uri, range: vscode.Range | undefined): Promise<AttachedCode | undefined> {
  const document = await vscode.workspace.openTextDocument(uri);
  const whole = range ?? new vscode.Range(0, 0, document.lineCount, 0);
  return { ...part(document, whole), text: document.getText(whole).slice(0, longestFile) };
}

function selected(): readonly AttachedCode[] {
  const editor = vscode.window.activeTextEditor;
  if (editor === undefined || editor.selection.isEmpty) return [];
  return [{ ...part(editor.document, editor.selection), text: editor.document.getText(editor.selection) }];
}

function part(document: vscode.TextDocument, range: vscode.Range): Omit<AttachedCode, 'text'> {
  const name = vscode.workspace.asRelativePath(document.uri);
  return { name, language: document.languageId, location: new vscode.Location(document.uri, range) };
}
