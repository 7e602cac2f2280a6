import * as vscode from 'vscode';
import { imageMediaTypeOf } from '../../api/operations/imageMediaType.ts';
import { notebookIn, notebookText, pathOf } from '../attachments/sources/documentContext.ts';
import { isSecretFile } from '../attachments/secretFile.ts';
import type { InputPicture } from '../media/makeMedia.ts';
import type { PromptCode } from './participantPrompt.ts';

/** In bytes. Larger files aren't what a question is about, but the user can select a part. */
const longestFile = 200_000;

export interface AttachedCode extends PromptCode {
  readonly location?: vscode.Location;
}

/** The content of a reference: code, an image, or only its name if it's neither or might contain secrets. */
export type Reference =
  | { readonly kind: 'code'; readonly code: AttachedCode }
  | { readonly kind: 'picture'; readonly picture: InputPicture }
  | { readonly kind: 'unreadable' | 'secret'; readonly name: string };

/** VS Code attached it on its own: the file in front. */
export function isImplicit({ id }: vscode.ChatPromptReference): boolean {
  return id.startsWith('vscode.implicit');
}

/** VS Code's information for its own agent: which skills and tools exist, and where on this machine. */
function isForAgents({ id }: vscode.ChatPromptReference): boolean {
  return id.startsWith('vscode.customizations.');
}

/** The user attached it. */
export function isAttached(reference: vscode.ChatPromptReference): boolean {
  return !isImplicit(reference) && !isForAgents(reference);
}

/**
 * Undefined for attachments that VS Code adds for itself, and for a file in front that can't be read. Never rejects.
 * @param maySend asks whether an attached file that might contain secrets can be sent. Never called for the file in
 * front, which the user didn't attach.
 */
export async function readReference(
  reference: vscode.ChatPromptReference,
  maySend: (uri: vscode.Uri) => Promise<boolean>,
): Promise<Reference | undefined> {
  if (isForAgents(reference)) return undefined;
  const value = narrowed(reference);
  if (typeof value === 'string') {
    return { kind: 'code', code: { name: reference.modelDescription ?? '', language: '', text: value } };
  }
  const uri = value instanceof vscode.Location ? value.uri : value;
  if (!(uri instanceof vscode.Uri)) return isBinary(value) ? readBinary(reference, value) : undefined;
  if ((await isSecretFile(uri)) && (isImplicit(reference) || !(await maySend(uri)))) return secret(uri);
  try {
    return { kind: 'code', code: await readCode(uri, value instanceof vscode.Location ? value.range : undefined) };
  } catch {
    // The user didn't choose to send the image in front, and most models don't accept any.
    if (isImplicit(reference)) return undefined;
    const name = pathOf(uri);
    return pictureOf(name, () => vscode.workspace.fs.readFile(uri));
  }
}

/** The selection in front. */
export async function readSelection(): Promise<readonly Reference[]> {
  const editor = vscode.window.activeTextEditor;
  if (editor === undefined || editor.selection.isEmpty) return [];
  const { document, selection } = editor;
  // Read before anything is awaited: this is what was in front when the question was asked.
  const code = codeOf(document, selection);
  return [(await isSecretFile(document.uri)) ? secret(document.uri) : { kind: 'code', code }];
}

function secret(uri: vscode.Uri): Reference {
  return { kind: 'secret', name: pathOf(uri) };
}

/** VS Code attaches the file in front a moment before it knows the selection. */
function narrowed(reference: vscode.ChatPromptReference): unknown {
  const { value } = reference;
  const editor = vscode.window.activeTextEditor;
  if (!isImplicit(reference) || editor === undefined || editor.selection.isEmpty) return value;
  const uri = value instanceof vscode.Location ? value.uri : value;
  const isInFront = uri instanceof vscode.Uri && uri.toString() === editor.document.uri.toString();
  return isInFront ? new vscode.Location(uri, editor.selection) : value;
}

async function readCode(uri: vscode.Uri, range: vscode.Range | undefined): Promise<AttachedCode> {
  const notebook = await notebookIn(uri);
  // It has no place in a text.
  if (notebook !== undefined)
    return { ...withinLimit(notebookText(notebook)), name: pathOf(uri), language: 'markdown' };
  const document = await vscode.workspace.openTextDocument(uri);
  return codeOf(document, range ?? new vscode.Range(0, 0, document.lineCount, 0));
}

function codeOf(document: vscode.TextDocument, range: vscode.Range): AttachedCode {
  const short = withinLimit(document.getText(range));
  const end = short.isCut ? document.positionAt(document.offsetAt(range.start) + short.text.length) : range.end;
  return {
    ...short,
    name: pathOf(document.uri),
    language: document.languageId,
    location: new vscode.Location(document.uri, range.with({ end })),
  };
}

function withinLimit(whole: string): Pick<AttachedCode, 'text' | 'isCut'> {
  return { text: whole.slice(0, longestFile), ...(whole.length > longestFile && { isCut: true }) };
}

/** Pasted images, whose class isn't in the API yet. */
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
    return { kind: 'picture', picture: { name, mediaType, bytes } };
  } catch {
    return { kind: 'unreadable', name };
  }
}
