import { hash } from 'node:crypto';
import * as vscode from 'vscode';
import { pathOf } from '../attachments/sources/documentContext.ts';
import { type CaseMessages, caseMessages } from '../../core/checks/caseMessages.ts';
import { type CheckCase, type ChecksFile, maxChecksSize, maxSent } from '../../core/checks/checksFile.ts';
import { readPromptfooConfig } from '../../core/checks/promptfoo/promptfooConfig.ts';
import { readChecksFile } from '../../core/checks/readChecksFile.ts';
import type { Filled } from '../../core/checks/slotsOfValue.ts';
import { reasonOf } from '../../core/problems/reasonOf.ts';
import type { ChatOptions } from '../../shared/chat.ts';
import { languageId } from '../../shared/text/languageNames.ts';
import { type PromptFile, readPromptFile } from '../../core/prompts/promptFile.ts';
import { promptFileEnding, type PromptOptions } from '../../core/prompts/promptDefinition.ts';
import { currentText } from '../platform/documents/currentText.ts';
import { unlinkedStat } from '../platform/isLinked.ts';
import { maxPromptSize } from '../prompts/files/promptFiles.ts';
import { checksFileEnding, promptfooFileName } from './checksNames.ts';

type Fault = Extract<CaseMessages, { readonly fault: string }>;

/** A case with what is sent for it. */
export interface LoadedCase {
  readonly check: CheckCase;
  readonly messages: CaseMessages;
  /** URIs of the prompt and the file of checks. */
  readonly options: PromptOptions;
  /** Whether it's the prompt as it's run, which includes the user's own system prompt. */
  readonly hasSystemPrompt: boolean;
  /** Changes with what is sent and what is expected. */
  readonly fingerprint: string;
  /** Files whose contents might be sent. */
  readonly sources: readonly vscode.Uri[];
}

export interface LoadedChecks {
  readonly uri: vscode.Uri;
  readonly text: string;
  /** The line of an offset, both from 0. */
  readonly lineOf: (offset: number) => number;
  readonly file: ChecksFile;
  readonly cases: readonly LoadedCase[];
  /** The prompt file that it's about, if any. */
  readonly promptUri?: vscode.Uri;
  /** URIs of all files that it refers to, even those that can't be read. */
  readonly uses: ReadonlySet<string>;
  /** Whether `file` comes from the text alone, and not from other files too. */
  readonly isWhole: boolean;
}

/**
 * Reads a file of checks and everything that it refers to, including unsaved changes.
 *
 * @param defaults what is sent where neither the file nor the prompt says anything else
 * @param before what was read of it last: it might have the same text
 * @throws {Error} if it can't be read
 */
export async function loadChecks(uri: vscode.Uri, defaults: ChatOptions, before?: LoadedChecks): Promise<LoadedChecks> {
  const text = await currentText(uri, maxChecksSize, await statOfOwn(uri));
  // Whatever a file of checks refers to might end up in a request, as a variable, a message, or a judge's instruction.
  const named: vscode.Uri[] = [];
  const uses = new Set<string>();
  const insides = new Map<string, Promise<InsideFile>>();
  const inside = async (path: string): Promise<InsideFile> => {
    const known = insides.get(path) ?? fileInside(uri, path);
    insides.set(path, known);
    const found = await known;
    uses.add(found.uri.toString());
    return found;
  };
  let isWhole = true;
  const readFile = async (path: string): Promise<Filled<string>> => {
    isWhole = false;
    try {
      const file = await inside(path);
      named.push(file.uri);
      return { value: await currentText(file.uri, maxPromptSize, file.stat) };
    } catch (error) {
      return { fault: whyUnread(path, error) };
    }
  };
  const name = uri.path.split('/').at(-1) ?? '';
  const promptFile = name.replace(/\.checks\.yaml$/, promptFileEnding);
  const read = () =>
    name.endsWith(checksFileEnding)
      ? readChecksFile(text, { promptFile, readFile })
      : readPromptfooConfig(text, readFile);
  const file = before?.isWhole === true && before.text === text ? before.file : await read();
  const reader = new CaseReader({ inside, file, named, defaults });
  const cases = await Promise.all(file.cases.map((check) => reader.load(check)));
  const [prompt] = file.cases.flatMap(({ input }) => (input.kind === 'prompt' ? (input.promptFile ?? []) : []));
  const promptUri = prompt === undefined ? undefined : (await inside(prompt).catch(() => undefined))?.uri;
  const found = { uri, text, lineOf: lineFinder(text), file, cases, uses, isWhole };
  return { ...found, ...(promptUri !== undefined && { promptUri }) };
}

export function isChecksFile(uri: vscode.Uri): boolean {
  return hasChecksName(uri) && isOwnFile(uri);
}

/** False for an earlier version in Git, for example: the left side of a diff has the same path. */
export function isOwnFile(uri: vscode.Uri): boolean {
  return uri.scheme === 'file' || vscode.workspace.getWorkspaceFolder(uri) !== undefined;
}

/**
 * What users know a file by: its path in the workspace, after the folder's name if several are open, or its name if it's
 * beside prompts of their own, which are somewhere in VS Code's data.
 */
export function checksPath(uri: vscode.Uri): string {
  if (vscode.workspace.getWorkspaceFolder(uri) === undefined) return uri.path.slice(uri.path.lastIndexOf('/') + 1);
  return pathOf(uri);
}

export function hasChecksName(uri: vscode.Uri): boolean {
  return uri.path.endsWith(checksFileEnding) || uri.path.endsWith(`/${promptfooFileName}`);
}

interface CaseReaderDeps {
  /** The file with a path that the file of checks names. */
  readonly inside: (path: string) => Promise<InsideFile>;
  readonly file: ChecksFile;
  /** Files that the file of checks refers to, already read. */
  readonly named: readonly vscode.Uri[];
  readonly defaults: ChatOptions;
}

/** Reads each prompt and each file once, no matter how many cases use it. */
class CaseReader {
  readonly #deps: CaseReaderDeps;
  #sent = 0;
  readonly #prompts = new Map<string, Promise<{ readonly uri: vscode.Uri; readonly file: PromptFile } | string>>();
  readonly #files = new Map<string, Promise<{ readonly uri: vscode.Uri; readonly text: string } | string>>();

  constructor(given: CaseReaderDeps) {
    this.#deps = given;
  }

  async load(check: CheckCase): Promise<LoadedCase> {
    const { input, expectations, threshold, options: own } = check;
    const isPrompt = input.kind === 'prompt';
    const prompt =
      isPrompt && input.promptFile !== undefined
        ? await this.#prompt(input.promptFile, check.named?.promptFile !== undefined)
        : undefined;
    const about = isPrompt && input.file !== undefined ? await this.#about(input.file) : undefined;
    const fault = check.notRun !== undefined ? { fault: check.notRun } : faultOf(check, prompt, about);
    const template = typeof prompt === 'object' ? prompt.file.template : undefined;
    const file = typeof about === 'object' ? about : undefined;
    const messages =
      fault === undefined
        ? this.#counted(
            caseMessages(check, {
              ...(template !== undefined && { template }),
              ...(file !== undefined && { file: file.text, language: languageOf(file.uri) }),
            }),
          )
        : fault;
    const options = { ...(typeof prompt === 'object' ? prompt.file.options : {}), ...this.#deps.file.options, ...own };
    const hasSystemPrompt = isPrompt && input.template === undefined;
    // The model is what's compared, so it isn't part of the question.
    const { model: _model, stream: _stream, systemPrompt, ...numbers } = { ...this.#deps.defaults, ...options };
    const expected = expectations.map(({ from: _from, to: _to, ...expectation }) => expectation);
    const system = hasSystemPrompt ? systemPrompt : undefined;
    const { repeat } = this.#deps.file;
    const content = JSON.stringify({ messages, system, numbers, expected, threshold, repeat });
    return {
      check,
      messages,
      options,
      hasSystemPrompt,
      fingerprint: hash('sha256', content).slice(0, 32),
      sources: [
        ...this.#deps.named,
        ...[prompt, about].flatMap((part) => (typeof part === 'object' ? [part.uri] : [])),
      ],
    };
  }

  /** Each case has its own copy of a file that all of them are about. */
  #counted(sent: CaseMessages): CaseMessages {
    if ('fault' in sent) return sent;
    this.#sent += sent.messages.reduce((sum, { content }) => sum + content.length, 0);
    if (this.#sent <= maxSent) return sent;
    return {
      fault: vscode.l10n.t('The messages of all its cases are too much to send. Split this file into several.'),
    };
  }

  /** The prompt, or why it can't be run. */
  #prompt(path: string, isNamed: boolean): Promise<{ readonly uri: vscode.Uri; readonly file: PromptFile } | string> {
    const read = async () => {
      try {
        const { uri, stat } = await this.#deps.inside(path);
        const file = await readPromptFile(await currentText(uri, maxPromptSize, stat));
        const wrong = file.remarks.find(({ severity }) => severity === 'error');
        return wrong === undefined ? { uri, file } : `${path}: ${wrong.message}`;
      } catch (error) {
        return isNotFound(error) && !isNamed
          ? vscode.l10n.t('There\'s no "{0}" next to this file. Create it, or name another with "prompt:".', path)
          : whyUnread(path, error);
      }
    };
    const known = this.#prompts.get(path) ?? read();
    this.#prompts.set(path, known);
    return known;
  }

  #about(path: string): Promise<{ readonly uri: vscode.Uri; readonly text: string } | string> {
    const read = async () => {
      try {
        const { uri, stat } = await this.#deps.inside(path);
        return { uri, text: await currentText(uri, maxPromptSize, stat) };
      } catch (error) {
        return whyUnread(path, error);
      }
    };
    const known = this.#files.get(path) ?? read();
    this.#files.set(path, known);
    return known;
  }
}

/** Why the prompt or the file of a case can't be used, and where it's named. */
function faultOf({ named = {} }: CheckCase, prompt: unknown, about: unknown): Fault | undefined {
  const [fault, at] = typeof prompt === 'string' ? [prompt, named.promptFile] : [about, named.file];
  return typeof fault === 'string' ? { fault, ...(at !== undefined && { at }) } : undefined;
}

function codeOf(error: unknown): string | undefined {
  return error instanceof vscode.FileSystemError ? error.code : undefined;
}

function isNotFound(error: unknown): boolean {
  return codeOf(error) === 'FileNotFound';
}

/** Why a file can't be used, and what to do. */
function whyUnread(path: string, error: unknown): string {
  if (isNotFound(error))
    return vscode.l10n.t('"{0}" doesn\'t exist. Check the path, which is relative to this file.', path);
  if (codeOf(error) === 'FileIsADirectory') return vscode.l10n.t('"{0}" is a folder. Enter the path of a file.', path);
  return vscode.l10n.t("This file can't be read: {0}", `${path} (${reasonOf(error)})`);
}

interface InsideFile {
  readonly uri: vscode.Uri;
  /** Undefined if it doesn't exist. */
  readonly stat: vscode.FileStat | undefined;
}

/**
 * A file with a path relative to a file of checks. It must be inside the open folder, or else beside or below the file
 * of checks, and links out of it aren't followed.
 * @throws {Error} with the reason in words
 */
async function fileInside(from: vscode.Uri, path: string): Promise<InsideFile> {
  const isRelative = path !== '' && !/^[\\/]|^[A-Za-z][A-Za-z\d+.-]*:|\\|\0/.test(path);
  const folder = vscode.workspace.getWorkspaceFolder(from)?.uri ?? vscode.Uri.joinPath(from, '..');
  const uri = vscode.Uri.joinPath(from, '..', path);
  if (!isRelative || !uri.path.startsWith(`${folder.path.replace(/\/$/, '')}/`)) {
    throw new Error(vscode.l10n.t("It's outside of the workspace folder."));
  }
  return { uri, stat: await statOfOwn(uri, folder) };
}

async function statOfOwn(uri: vscode.Uri, folder?: vscode.Uri): Promise<vscode.FileStat | undefined> {
  const stat = await unlinkedStat(uri, folder);
  if (stat !== 'linked') return stat;
  throw new Error(vscode.l10n.t("It's a symbolic link or in a linked folder. Checks can't be links."));
}

/** From the name alone, because what's sent must not depend on what's open. */
function languageOf(uri: vscode.Uri): string {
  return languageId(/\.([^./]+)$/.exec(uri.path)?.[1] ?? '');
}

/** Lines of offsets, without counting from the beginning for each. */
function lineFinder(text: string): (offset: number) => number {
  const starts = [0];
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
  return (offset) => {
    let low = 0;
    let high = starts.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((starts[middle] ?? 0) <= offset) low = middle;
      else high = middle - 1;
    }
    return low;
  };
}
