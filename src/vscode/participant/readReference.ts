import * as vscode from 'vscode';
import { imageMediaTypeOf } from '../../api/imageMediaType.ts';
import type { ContentPart } from '../../api/mediaTypes.ts';
import type { PromptCode } from './participantPrompt.ts';

/** Files larger than this are not what a question is about; the person may select a part. */
const longestFile = 200_000;

export interface AttachedCode extends PromptCode {
  readonly location?: vscode.Location;
}

/** What a reference gave: code, a picture, or only its name where it is neither. */
export type Reference =
  | { readonly kind: 'code'; readonly code: AttachedCode }
  | { readonly kind: 'picture'; readonly picture: ContentPart }
  | { readonly kind: 'unreadable'; readonly name: string };

/** VS Code attached it by itself: the file in front. */
export function isImplicit({ id }: vscode.ChatPromptReference): boolean {
  return id.startsWith('vscode.implicit');
}

/** Undefined for what VS Code adds for itself, and for the file in front where it cannot be read. Never rejects. */
export async function readReference(reference: vscode.ChatPromptReference): Promise<Reference | undefined> {
  const value = narrowed(reference);
  if (typeof value === 'string') {
    return { kind: 'code', code: { name: reference.modelDescription ?? '', language: '', text: value } };
  }
  const uri = value instanceof vscode.Location ? value.uri : value;
  if (!(uri instanceof vscode.Uri)) return isBinary(value) ? readBinary(reference, value) : undefined;
  try {
    return { kind: 'code', code: await readCode(uri, value instanceof vscode.Location ? value.range : undefined) };
  } catch {
    // Nobody chose to send the picture in front, and most models see none.
    if (isImplicit(reference)) return undefined;
    const name = vscode.workspace.asRelativePath(uri);
    return pictureOf(name, () => vscode.workspace.fs.readFile(uri));
  }
}

export function selectedCode(): readonly AttachedCode[] {
  const editor = vscode.window.activeTextEditor;
  if (editor === undefined || editor.selection.isEmpty) return [];
  return [{ ...part(editor.document, editor.selection), text: editor.document.getText(editor.selection) }];
}

/** VS Code attaches the file in front a moment before it knows what is selected there. */
function narrowed(reference: vscode.ChatPromptReference): unknown {
  const { value } = reference;
  const editor = vscode.window.activeTextEditor;
  if (!isImplicit(reference) || editor === undefined || editor.selection.isEmpty) return value;
  const uri = value instanceof vscode.Location ? value.uri : value;
  const isInFront = uri instanceof vscode.Uri && uri.toString() === editor.document.uri.toString();
  return isInFront ? new vscode.Location(uri, editor.selection) : value;
}

async function readCode(uri: vscode.Uri, range: vscode.Range | undefined): Promise<AttachedCode> {
  const document = await vscode.workspace.openTextDocument(uri);
  const whole = range ?? new vscode.Range(0, 0, document.lineCount, 0);
  return { ...part(document, whole), text: document.getText(whole).slice(0, longestFile) };
}

function part(document: vscode.TextDocument, range: vscode.Range): Omit<AttachedCode, 'text'> {
  const name = vscode.workspace.asRelativePath(document.uri);
  return { name, language: document.languageId, location: new vscode.Location(document.uri, range) };
}

/** Pasted pictures; their class is not in the API yet. */
interface Binary {
  readonly data: () => Thenable<Uint8Array>;
}

function isBinary(value: unknown): value is Binary {
  return typeof value === 'object' && value !== null && 'data' in value && typeof value.data === 'function';
}

function readBinary({ modelDescription, id }: vscode.ChatPromptReference, value: Binary): Promise<Reference> {
  return pictureOf(modelDescription ?? id, () => value.data());
}

async function pictureOf(name: string, read: () => Thenable<Uint8Array>): Promise<Reference> {
  try {
    const bytes = await read();
    const mediaType = imageMediaTypeOf(bytes);
    if (mediaType === undefined) return { kind: 'unreadable', name };
    const url = `data:${mediaType};base64,${Buffer.from(bytes).toString('base64')}`;
    return { kind: 'picture', picture: { type: 'image_url', image_url: { url } } };
  } catch {
    return { kind: 'unreadable', name };
  }
}
