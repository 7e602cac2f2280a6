import * as vscode from 'vscode';
import { LiveRanges } from './liveRanges.ts';
import type { PromptSource } from './promptSource.ts';

/**
 * What a prompt is about, from the moment it's run: users continue to type while questions are open and replies arrive.
 */
export class LiveSource implements vscode.Disposable {
  readonly #moreCells: readonly LiveSource[];
  #source: PromptSource;
  #ranges: LiveRanges;
  #cursors: LiveRanges;

  constructor(source: PromptSource) {
    this.#source = source;
    this.#ranges = new LiveRanges(source.document, source.ranges);
    this.#cursors = liveCursors(source);
    this.#moreCells = (source.moreCells ?? []).map((cell) => new LiveSource(cell));
  }

  get document(): vscode.TextDocument {
    return this.#source.document;
  }

  /** The current source. Undefined if the selected text is gone. A closed document counts with its last text. */
  get present(): PromptSource | undefined {
    const ranges = this.#ranges.ranges.filter((range) => range !== undefined);
    if (ranges.length < this.#source.ranges.length) return undefined;
    const moreCells = this.#moreCells.map(({ present }) => present).filter((cell) => cell !== undefined);
    if (moreCells.length < this.#moreCells.length) return undefined;
    return { ...this.#source, ranges, cursors: this.#cursors.starts, ...(moreCells.length > 0 && { moreCells }) };
  }

  /** The same, for writing: a closed document is reopened, and counts as gone if others have changed it since. */
  async opened(): Promise<PromptSource | undefined> {
    const { present } = this;
    const document = present && (await reopened(present.document));
    if (present === undefined || document === undefined) return undefined;
    if (document === present.document) return present;
    const { ranges, cursors } = present;
    this.#follow({ document, ranges, cursors });
    return this.present;
  }

  /** Switches to other parts of it. */
  select(ranges: readonly vscode.Range[]): void {
    this.#follow({ ...(this.present ?? this.#source), ranges });
  }

  dispose(): void {
    this.#leave();
    for (const cell of this.#moreCells) cell.dispose();
  }

  #leave(): void {
    this.#ranges.dispose();
    this.#cursors.dispose();
  }

  #follow(source: PromptSource): void {
    this.#leave();
    this.#source = source;
    this.#ranges = new LiveRanges(source.document, source.ranges);
    this.#cursors = liveCursors(source);
  }
}

function liveCursors({ document, cursors }: PromptSource): LiveRanges {
  return new LiveRanges(
    document,
    cursors.map((cursor) => new vscode.Range(cursor, cursor)),
  );
}

/** The document, reopened if it was closed. Undefined if it's gone, or others have changed it since. */
export async function reopened(document: vscode.TextDocument): Promise<vscode.TextDocument | undefined> {
  if (!document.isClosed) return document;
  try {
    const again = await vscode.workspace.openTextDocument(document.uri);
    return again.getText() === document.getText() ? again : undefined;
  } catch {
    return undefined;
  }
}
