import * as vscode from 'vscode';
import {
  type ContextVariable,
  contextVariables,
  fenceFor,
  fillTemplate,
  needsSelection,
  type PromptVariable,
  type TemplateSlot,
  templateSlots,
  withoutEmptyAround,
} from '../../../core/prompts/promptTemplate.ts';
import type { ContextSnapshot } from '../../attachments/contextSnapshot.ts';
import { diagnosticLines, diagnosticsIn } from '../../attachments/surroundings/diagnosticLines.ts';
import { type PromptSource, selectedText } from './promptSource.ts';
import type { PartSurroundings } from './promptSurroundings.ts';
import { notebookOf } from '../../platform/documents/notebookOf.ts';
import { plainWindow } from '../../platform/plainWindow.ts';

/** For a model. */
const noProblems = 'none';

/** The user's input, and what is the same for each part of a run. */
export interface GivenValues {
  readonly inputs: ReadonlyMap<string, string>;
  readonly clipboard: string;
  /** What the template sends whole. */
  readonly contexts: ReadonlyMap<ContextVariable, ContextSnapshot>;
  /** The code around the selection, if it's sent. */
  readonly around?: PartSurroundings['values'];
  /** Instead of those in the selection. */
  readonly diagnostics?: readonly vscode.Diagnostic[];
}

/** The text to send: the template with all its variables filled in. */
export function filledPrompt(template: string, source: PromptSource | undefined, given: GivenValues): string {
  return fillTemplate(withoutEmptyAround(template, given.around ?? new Map()), (slot) => valueOf(slot, source, given));
}

/** What the template's variables stand for, by name. */
export function promptValues(
  template: string,
  source: PromptSource | undefined,
  given: GivenValues,
): Readonly<Record<string, string>> {
  return Object.fromEntries(
    templateSlots(template).flatMap((slot) => {
      const value = valueOf(slot, source, given);
      return value === undefined ? [] : [[slot.name, value] as const];
    }),
  );
}

function valueOf(slot: TemplateSlot, source: PromptSource | undefined, given: GivenValues): string | undefined {
  switch (slot.kind) {
    case 'input':
      return given.inputs.get(slot.name);
    case 'unknown':
      return undefined;
    case 'variable':
      return variable(slot.name, source, given);
  }
}

/** Asks for each input of the template once. Undefined if the user cancels one. */
export async function askInputs(
  template: string,
  title: string,
  known: ReadonlyMap<string, string> = new Map(),
): Promise<ReadonlyMap<string, string> | undefined> {
  const inputs = new Map(known);
  for (const slot of templateSlots(template)) {
    if (slot.kind !== 'input' || inputs.has(slot.name)) continue;
    const text = await plainWindow.showInputBox({
      title,
      prompt: slot.hint === '' ? slot.name : slot.hint,
      ignoreFocusOut: true,
    });
    if (text === undefined) return undefined;
    inputs.set(slot.name, text);
  }
  return inputs;
}

function variable(name: PromptVariable, source: PromptSource | undefined, given: GivenValues): string {
  if (name === 'clipboard') return given.clipboard;
  if (name === 'fence') return fenceFor(source === undefined ? '' : selectedText(source));
  if (isContext(name)) return given.contexts.get(name)?.block ?? '';
  if (source === undefined) return '';
  const { document } = source;
  const uri = notebookOf(document)?.uri ?? document.uri;
  const basename = uri.path.slice(uri.path.lastIndexOf('/') + 1);
  const folder = vscode.workspace.getWorkspaceFolder(uri);
  switch (name) {
    case 'selection':
    case 'selectedText':
      return selectedText(source);
    case 'file':
      return place(uri);
    case 'relativeFile':
      // VS Code returns the whole path of a file outside of the open folders, which isn't sent unasked.
      return folder === undefined ? basename : vscode.workspace.asRelativePath(uri, false);
    case 'fileBasename':
      return basename;
    case 'fileBasenameNoExtension':
      return basename.replace(/(?<=.)\.[^.]*$/, '');
    case 'fileDirname':
      return place(vscode.Uri.joinPath(uri, '..'));
    case 'languageId':
      return document.languageId;
    case 'workspaceFolder':
      return folder === undefined ? '' : place(folder.uri);
    case 'workspaceFolderBasename':
      return folder?.name ?? '';
    case 'surroundingCode':
    case 'testSetup':
      return given.around?.get(name) ?? '';
    case 'diagnostics':
      return problemLines(source, given.diagnostics);
  }
}

/** For users: a path for a file, a URI for anything else. */
function place(uri: vscode.Uri): string {
  return uri.scheme === 'file' || uri.scheme === 'untitled' ? uri.fsPath : uri.toString(true);
}

/** For each cell, in order. The given problems are those of the first. */
function problemLines(source: PromptSource, given: readonly vscode.Diagnostic[] | undefined): string {
  const lines = [
    ...diagnosticLines(source.document, given ?? diagnosticsIn(source)),
    ...(source.moreCells ?? []).flatMap((cell) => diagnosticLines(cell.document, diagnosticsIn(cell))),
  ];
  return lines.length === 0 ? noProblems : lines.join('\n');
}

/** Whether the prompt can only be run with an editor. */
export function needsEditor(template: string): boolean {
  return (
    needsSelection(template) ||
    templateSlots(template).some((slot) => slot.kind === 'variable' && !isChosenByUser(slot.name))
  );
}

/** Whether the variable has a value without an editor. */
function isChosenByUser(name: PromptVariable): boolean {
  if (isContext(name)) return name !== 'fileContent' && name !== 'symbol';
  return name === 'clipboard' || name === 'fence';
}

function isContext(name: PromptVariable): name is ContextVariable {
  return contextVariables.some((known) => known === name);
}

export function usesClipboard(template: string): boolean {
  return uses(template, 'clipboard');
}

/** Whether lines of the document are sent: the selection, or those with problems. */
export function usesDocument(template: string): boolean {
  return needsSelection(template) || uses(template, 'diagnostics');
}

/** The whole paths that a prompt sends, each once. */
export function pathsIn(template: string, source: PromptSource | undefined): readonly string[] {
  const names = (['file', 'fileDirname', 'workspaceFolder'] as const).filter((name) => uses(template, name));
  return [...new Set(names.map((name) => variable(name, source, noValues)))].filter((path) => path !== '');
}

/** The problems that a prompt sends, in its format; empty if it sends none. */
export function diagnosticsSent(
  template: string,
  source: PromptSource | undefined,
  diagnostics: readonly vscode.Diagnostic[] | undefined,
): string {
  if (source === undefined || !uses(template, 'diagnostics')) return '';
  const lines = problemLines(source, diagnostics);
  return lines === noProblems ? '' : lines;
}

const noValues: GivenValues = { inputs: new Map(), clipboard: '', contexts: new Map() };

function uses(template: string, name: PromptVariable): boolean {
  return templateSlots(template).some((slot) => slot.kind === 'variable' && slot.name === name);
}
