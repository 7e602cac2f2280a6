import * as vscode from 'vscode';
import type { CompletionView } from '../../shared/attachment.ts';
import type { Taken } from './contextSnapshot.ts';
import { clipboardContext } from './sources/clipboardContext.ts';
import { linesOf, nameOf, pathOf, selectionContext } from './sources/documentContext.ts';
import { fileContext, maySend } from './sources/fileContext.ts';
import { folderTreeContext } from './sources/folderTreeContext.ts';
import { gitContext } from './sources/gitContext.ts';
import { openEditorsContext, openFiles } from './sources/openEditorsContext.ts';
import { problems, problemsContext } from './sources/problemsContext.ts';
import { terminalContext } from './sources/terminalContext.ts';
import { workspaceFiles } from './workspaceFiles.ts';

const MOST_ROWS = 12;
const FRESH_MS = 10_000;

interface Completion extends Omit<CompletionView, 'id'> {
  readonly take: () => Promise<Taken>;
}

/** What `#` may stand for: the kinds that are there, then files by name. Ids mean nothing to the page. */
export class Completions {
  readonly #editor: () => vscode.TextEditor | undefined;
  #given = new Map<string, Completion>();
  #lists = 0;
  #files: { readonly at: number; readonly uris: Promise<readonly vscode.Uri[]> } | undefined;

  constructor(editor: () => vscode.TextEditor | undefined) {
    this.#editor = editor;
  }

  /** @param typed what follows the `#` */
  async find(typed: string): Promise<readonly CompletionView[]> {
    const wanted = typed.toLowerCase();
    const kinds = this.#kinds().filter(
      ({ kind, label }) => kind.toLowerCase().startsWith(wanted) || label.toLowerCase().includes(wanted),
    );
    const files = (await this.#workspaceFiles())
      .map((uri) => ({ uri, rank: rank(uri, wanted) }))
      .filter(({ rank: value }) => value < Infinity)
      .toSorted((one, other) => one.rank - other.rank || one.uri.path.length - other.uri.path.length)
      .map(({ uri }) => this.#file(uri));
    const rows = [...kinds, ...files].slice(0, MOST_ROWS);
    this.#lists += 1;
    this.#given = new Map(rows.map((row, index) => [`${this.#lists}.${index}`, row]));
    return [...this.#given].map(([id, { kind, label, detail }]) => ({ id, kind, label, detail }));
  }

  /** Takes what a row of the last list stands for. */
  take(id: string): Promise<Taken> {
    return this.#given.get(id)?.take() ?? Promise.resolve(undefined);
  }

  #kinds(): readonly Completion[] {
    const editor = this.#editor();
    const rows: Completion[] = [];
    const add = (kind: CompletionView['kind'], label: string, detail: string, take: () => Promise<Taken>): void => {
      rows.push({ kind, label, detail, take });
    };
    if (editor !== undefined) {
      const { document, selection } = editor;
      if (!selection.isEmpty) {
        const place = `${nameOf(document.uri)}:${linesOf(selection)}`;
        add('selection', vscode.l10n.t('Selection'), place, async () =>
          (await maySend(document.uri)) ? selectionContext(editor) : undefined,
        );
      }
      add('file', vscode.l10n.t('This File'), pathOf(document.uri), () => fileContext(document.uri));
    }
    const open = openFiles().length;
    if (open > 1) add('openEditors', vscode.l10n.t('Open Editors'), String(open), openEditorsContext);
    const [folder] = vscode.workspace.workspaceFolders ?? [];
    if (folder !== undefined) {
      add('folderTree', vscode.l10n.t('Folder Tree'), folder.name, () => folderTreeContext(folder.uri));
    }
    const count = problems().length;
    if (count > 0) {
      add('problems', vscode.l10n.t('All Problems'), String(count), () => Promise.resolve(problemsContext()));
    }
    if (vscode.extensions.getExtension('vscode.git') !== undefined) {
      const near = editor?.document.uri;
      add('gitStaged', vscode.l10n.t('Staged Changes'), '', () => gitContext(true, near));
      add('gitWorking', vscode.l10n.t('Unstaged Changes'), '', () => gitContext(false, near));
    }
    const terminal = vscode.window.activeTerminal;
    if (terminal !== undefined) {
      add('terminal', vscode.l10n.t('Terminal Selection'), terminal.name, terminalContext);
    }
    add('clipboard', vscode.l10n.t('Clipboard'), '', clipboardContext);
    return rows;
  }

  #file(uri: vscode.Uri): Completion {
    return { kind: 'file', label: nameOf(uri), detail: pathOf(uri), take: () => fileContext(uri) };
  }

  #workspaceFiles(): Promise<readonly vscode.Uri[]> {
    const now = Date.now();
    if (this.#files === undefined || now - this.#files.at > FRESH_MS) this.#files = { at: now, uris: workspaceFiles() };
    return this.#files.uris;
  }
}

/** The lower the better: the name begins so, the name holds it, the path holds it. */
function rank(uri: vscode.Uri, wanted: string): number {
  const name = nameOf(uri).toLowerCase();
  if (name.startsWith(wanted)) return 0;
  if (name.includes(wanted)) return 1;
  return pathOf(uri).toLowerCase().includes(wanted) ? 2 : Infinity;
}
