import * as vscode from 'vscode';
import type { CompletionView } from '../../shared/attachment.ts';
import { contextChoices } from './contextChoices.ts';
import type { Taken } from './contextSnapshot.ts';
import { choosePicture, type ChosenPicture, isPictureFile } from './pictureFile.ts';
import { nameOf, pathOf } from './sources/documentContext.ts';
import { fileContext } from './sources/fileContext.ts';
import type { WorkspaceFiles } from './workspaceFiles.ts';

const MOST_ROWS = 20;

interface Choice extends Omit<CompletionView, 'id'> {
  readonly take: () => Promise<Taken | ChosenPicture>;
}

/** What `#` can stand for: the available kinds, then files by name. The page gets opaque IDs. */
export class Completions {
  readonly #editor: () => vscode.TextEditor | undefined;
  readonly #files: Pick<WorkspaceFiles, 'find'>;
  #given = new Map<string, Choice>();
  #lists = 0;

  constructor(editor: () => vscode.TextEditor | undefined, files: Pick<WorkspaceFiles, 'find'>) {
    this.#editor = editor;
    this.#files = files;
  }

  /**
   * @param typed what follows the `#`
   * @param show gets the rows, and if a search finds more, all again with those at the end. Not called after a later
   *   `find`, whose rows are the ones to take.
   */
  async find(typed: string, show: (rows: readonly CompletionView[]) => void): Promise<void> {
    const list = (this.#lists += 1);
    const give = (rows: readonly Choice[]) => {
      if (list !== this.#lists) return;
      this.#given = new Map(rows.slice(0, MOST_ROWS).map((row, index) => [`${list}.${index}`, row]));
      show([...this.#given].map(([id, { kind, label, detail }]) => ({ id, kind, label, detail })));
    };
    const wanted = typed.toLowerCase();
    const image: Choice = { kind: 'picture', label: vscode.l10n.t('Image…'), detail: '', take: takePicture };
    const editor = this.#editor();
    const kinds = [...contextChoices(editor), image].filter(
      ({ kind, label }) => kind.toLowerCase().startsWith(wanted) || label.toLowerCase().includes(wanted),
    );
    // As This File.
    const listed = kinds.some(({ kind }) => kind === 'file') ? editor?.document.uri.toString() : undefined;
    const { uris, others } = await this.#files.find(typed);
    const known = [...kinds, ...this.#ranked(uris, wanted, listed)];
    if (others === undefined || known.length >= MOST_ROWS) return give(known);
    if (known.length > 0) give(known);
    const more = this.#ranked(await others(), wanted, listed);
    if (more.length > 0 || known.length === 0) give([...known, ...more]);
  }

  /** Adds the attachment behind a row of the last list. */
  take(id: string): Promise<Taken | ChosenPicture> {
    return this.#given.get(id)?.take() ?? Promise.resolve(undefined);
  }

  /** @param listed the file that has a row already */
  #ranked(uris: readonly vscode.Uri[], wanted: string, listed: string | undefined): readonly Choice[] {
    return uris
      .filter((uri) => uri.toString() !== listed)
      .map((uri) => ({ uri, rank: rank(uri, wanted) }))
      .filter(({ rank: value }) => value < Infinity)
      .toSorted((one, other) => one.rank - other.rank || one.uri.path.length - other.uri.path.length)
      .map(({ uri }) => this.#file(uri));
  }

  #file(uri: vscode.Uri): Choice {
    const take = async () => (isPictureFile(uri) ? { picture: uri } : fileContext(uri));
    const [label, path] = [nameOf(uri), pathOf(uri)];
    return { kind: 'file', label, detail: path === label ? '' : path, take };
  }
}

async function takePicture(): Promise<ChosenPicture | undefined> {
  const picture = await choosePicture();
  return picture && { picture };
}

/** Lower is better: the name starts with the text, the name contains it, the path contains it. */
function rank(uri: vscode.Uri, wanted: string): number {
  const name = nameOf(uri).toLowerCase();
  if (name.startsWith(wanted)) return 0;
  if (name.includes(wanted)) return 1;
  return pathOf(uri).toLowerCase().includes(wanted) ? 2 : Infinity;
}
