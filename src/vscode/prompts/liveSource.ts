import * as vscode from 'vscode';
import { LiveRanges } from './liveRanges.ts';
import type { PromptSource } from './promptSource.ts';

/** What a prompt is about, from the moment it is run: while questions are open and replies come, people go on typing. */
export class LiveSource implements vscode.Disposable {
  #source: PromptSource;
  #ranges: LiveRanges;
  #cursor: LiveRanges;

  constructor(source: PromptSource) {
    this.#source = source;
    this.#ranges = new LiveRanges(source.document, source.ranges);
    this.#cursor = new LiveRanges(source.document, [new vscode.Range(source.cursor, source.cursor)]);
  }

  get document(): vscode.TextDocument {
    return this.#source.document;
  }

  /** As it is now. Undefined where what was selected is gone. A document that was closed is as it was then. */
  get present(): PromptSource | undefined {
    const ranges = this.#ranges.ranges.filter((range) => range !== undefined);
    if (ranges.length < this.#source.ranges.length) return undefined;
    return { ...this.#source, ranges, cursor: this.#cursor.starts[0] ?? this.#source.cursor };
  }

  /** The same, to write in: a document that was closed is opened, and gone when others have changed it since. */
  async opened(): Promise<PromptSource | undefined> {
    const { present } = this;
    if (present === undefined || !present.document.isClosed) return present;
    try {
      const document = await vscode.workspace.openTextDocument(present.document.uri);
      if (document.getText() !== present.document.getText()) return undefined;
      const { ranges, cursor } = present;
      this.#follow({ document, ranges, cursor });
      return this.present;
    } catch {
      return undefined;
    }
  }

  /** Other parts of it are meant. */
  select(ranges: readonly vscode.Range[]): void {
    this.#follow({ ...(this.present ?? this.#source), ranges });
  }

  dispose(): void {
    this.#ranges.dispose();
    this.#cursor.dispose();
  }

  #follow(source: PromptSource): void {
    this.dispose();
    this.#source = source;
    this.#ranges = new LiveRanges(source.document, source.ranges);
    this.#cursor = new LiveRanges(source.document, [new vscode.Range(source.cursor, source.cursor)]);
  }
}
