import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as vscode from 'vscode';
import type { LogEntry } from '../../service/inferenceLog.ts';
import {
  type InferenceService,
  type InferenceServiceOptions,
  startInferenceService,
} from '../../service/inferenceService.ts';
import { eventually } from '../eventually.ts';
import { clearUserSettings, setUserSettings } from '../userSettings.ts';
import { setSelection } from '../setSelection.ts';

/** A service that echoes, Parlance connected to it, and a folder to write files in. */
export class PromptBench implements AsyncDisposable {
  readonly service: InferenceService;
  readonly folder: vscode.Uri;

  private constructor(service: InferenceService, folder: vscode.Uri) {
    this.service = service;
    this.folder = folder;
  }

  /**
   * @param credits of the account; with very few it can pay for one request
   * @param options of the service
   */
  static async open(
    credits = Number.POSITIVE_INFINITY,
    options: Pick<InferenceServiceOptions, 'catalogSize'> = {},
  ): Promise<PromptBench> {
    const service = await startInferenceService({ tokensPerSecond: Number.POSITIVE_INFINITY, credits, ...options });
    const folder = await mkdtemp(join(tmpdir(), 'parlance-prompts-'));
    process.env['SERVICE_API_KEY'] = service.apiKey;
    await clearUserSettings();
    await setUserSettings({ 'parlance.services': [{ baseUrl: service.baseUrl }], 'parlance.chat.model': 'local/echo' });
    // A user's first command would do this; quick fixes and lenses don't activate an extension.
    await vscode.extensions.getExtension('parlance.parlance')?.activate();
    return new PromptBench(service, vscode.Uri.file(folder));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await closeAll();
    delete process.env['SERVICE_API_KEY'];
    await clearUserSettings();
    await this.service.close();
    await rm(this.folder.fsPath, { recursive: true, force: true });
  }

  /** Writes a file. */
  async write(name: string, text: string): Promise<vscode.Uri> {
    const uri = vscode.Uri.joinPath(this.folder, name);
    await vscode.workspace.fs.writeFile(uri, new TextEncoder().encode(text));
    return uri;
  }

  /** Writes a file and opens it with these parts selected: each is a text that occurs exactly once. */
  async show(name: string, text: string, ...selected: readonly string[]): Promise<vscode.TextEditor> {
    const editor = await vscode.window.showTextDocument(await this.write(name, text));
    await select(editor, ...selected);
    return editor;
  }

  /** The requests of prompts. Views that other suites opened fetch models too. */
  chats(): readonly LogEntry[] {
    return this.service.log().filter(({ kind }) => kind === 'chat');
  }

  /** Runs a command and returns what it sent: the only user message of its only request. */
  sent(command: string, ...given: readonly unknown[]): Promise<string> {
    return this.sentBy(() => vscode.commands.executeCommand(command, ...given));
  }

  /** The same, for an action. */
  async sentBy(act: () => Thenable<unknown>): Promise<string> {
    const before = this.chats().length;
    await act();
    await eventually('a request', () => this.chats().length > before);
    const entries = this.chats().slice(before);
    assert.equal(entries.length, 1);
    return messageOf(entries[0]);
  }
}

/** The user message, the only one in the request. */
export function messageOf(entry: LogEntry | undefined): string {
  assert.ok(entry);
  const { messages } = entry.requestBody as { messages: { role: string; content: string }[] };
  assert.deepEqual(
    messages.map(({ role }) => role),
    ['user'],
  );
  return messages[0]?.content ?? '';
}

/** Selects these texts, each of which occurs exactly once. */
export async function select(editor: vscode.TextEditor, ...texts: readonly string[]): Promise<void> {
  const { document } = editor;
  const whole = document.getText();
  if (texts.length === 0) return;
  await setSelection(
    editor,
    ...texts.map((text) => {
      const from = whole.indexOf(text);
      assert.ok(from >= 0, text);
      return new vscode.Selection(document.positionAt(from), document.positionAt(from + text.length));
    }),
  );
}

export async function closeAll(): Promise<void> {
  // A changed document would show a dialog, so it's reverted.
  for (const document of vscode.workspace.textDocuments) {
    if (!document.isDirty) continue;
    await vscode.window.showTextDocument(document);
    await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
  }
  await vscode.commands.executeCommand('workbench.action.closeAllEditors');
}

/** The newest untitled Markdown document. */
export function documentBeside(): vscode.TextDocument | undefined {
  return vscode.workspace.textDocuments.findLast(
    ({ isUntitled, languageId, isClosed }) => isUntitled && !isClosed && languageId === 'markdown',
  );
}

/** The two sides of the active proposed change. */
export function proposalSides(): { readonly current: vscode.Uri; readonly proposed: vscode.Uri } | undefined {
  const input = vscode.window.tabGroups.activeTabGroup.activeTab?.input;
  if (!(input instanceof vscode.TabInputTextDiff) || input.modified.scheme !== 'parlance-proposal') return undefined;
  return { current: input.original, proposed: input.modified };
}

export async function textAt(uri: vscode.Uri | undefined): Promise<string> {
  assert.ok(uri);
  return (await vscode.workspace.openTextDocument(uri)).getText();
}
