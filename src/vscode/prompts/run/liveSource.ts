import * as vscode from 'vscode';
import { FollowedDocument } from '../../platform/documents/followedDocument.ts';
import { LiveRanges } from './liveRanges.ts';
import type { PromptSource } from './promptSource.ts';

/**
 * What a prompt is about, from the moment it's run: users continue to type while questions are open and replies arrive.
 */
export class LiveSource implements vscode.Disposable {
  readonly #moreCells: readonly LiveSource[];
  readonly #followed: FollowedDocument;
  #source: PromptSource;
  #ranges: LiveRanges;
  readonly #cursors: LiveRanges;

  constructor(source: PromptSource) {
    this.#followed = new FollowedDocument(source.document);
    this.#source = source;
    this.#ranges = new LiveRanges(this.#followed, source.ranges);
    this.#cursors = new LiveRanges(this.#followed, source.cursors.map(emptyRange));
    this.#moreCells = (source.moreCells ?? []).map((cell) => new LiveSource(cell));
  }

  get document(): vscode.TextDocument {
    return this.#followed.document;
  }

  /** The current source. Undefined if the selected text is gone. A closed document counts with its last text. */
  get present(): PromptSource | undefined {
    const ranges = this.#ranges.ranges.filter((range) => range !== undefined);
    if (ranges.length < this.#source.ranges.length) return undefined;
    const moreCells = this.#moreCells.map(({ present }) => present).filter((cell) => cell !== undefined);
    if (moreCells.length < this.#moreCells.length) return undefined;
    const { document } = this.#followed;
    const { editor, ...rest } = this.#source;
    return {
      ...rest,
      document,
      ranges,
      cursors: this.#cursors.starts,
      ...(editor?.document === document && { editor }),
      ...(moreCells.length > 0 && { moreCells }),
    };
  }

  /** The same, for writing: a closed document is reopened, and counts as gone if others have changed it since. */
  async opened(): Promise<PromptSource | undefined> {
    return (await this.#followed.open()) && this.present;
  }

  /** Switches to other parts of it. */
  select(ranges: readonly vscode.Range[]): void {
    this.#ranges.dispose();
    this.#source = { ...this.#source, ranges };
    this.#ranges = new LiveRanges(this.#followed, ranges);
  }

  dispose(): void {
    this.#ranges.dispose();
    this.#cursors.dispose();
    this.#followed.dispose();
    for (const cell of this.#moreCells) cell.dispose();
  }
}

function emptyRange(at: vscode.Position): vscode.Range {
  return new vscode.Range(at, at);
}
