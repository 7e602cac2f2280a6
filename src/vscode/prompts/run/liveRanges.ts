import type * as vscode from 'vscode';
import { changesSpan, losesSpan, movedSpan, movedTo, type TextSpan } from '../../../core/prompts/textSpan.ts';
import type { FollowedChange, FollowedDocument } from '../../platform/documents/followedDocument.ts';
import { documentPlace } from '../into/documentSpan.ts';

interface LiveRange {
  span: TextSpan;
  text: string;
  isLost: boolean;
}

/** Parts of a document that are tracked while a user, or a reply, edits around them. */
export class LiveRanges implements vscode.Disposable {
  readonly #followed: FollowedDocument;
  readonly #ranges: readonly LiveRange[];
  readonly #listener: vscode.Disposable;

  constructor(followed: FollowedDocument, ranges: readonly vscode.Range[]) {
    const { document } = followed;
    this.#followed = followed;
    this.#ranges = ranges.map((range) => ({
      span: { from: document.offsetAt(range.start), to: document.offsetAt(range.end) },
      text: document.getText(range),
      isLost: false,
    }));
    this.#listener = followed.onDidChange((change) => this.#documentChanged(change));
  }

  /** In their original order. Undefined for a part that was replaced completely, or whose edge was edited. */
  get ranges(): readonly (vscode.Range | undefined)[] {
    return this.#ranges.map(({ span, isLost }) => (isLost ? undefined : this.#placeOf(span)));
  }

  /** The start of each one; for a lost part, the position of that edit. */
  get starts(): readonly vscode.Position[] {
    return this.#ranges.map(({ span }) => this.#followed.document.positionAt(span.from));
  }

  dispose(): void {
    this.#listener.dispose();
  }

  #documentChanged(changed: FollowedChange): void {
    const { document } = this.#followed;
    const edits = 'edits' in changed ? changed.edits : [];
    const [only] = edits;
    const isOne = only !== undefined && edits.length === 1;
    for (const range of this.#ranges) {
      if ('offsetOf' in changed) range.span = movedTo(range.span, changed);
      // Lines added below a selection of whole lines come before its last line break, and don't change it.
      const isTouched = range.text !== '' && isOne && changesSpan(range.span, only);
      if (isTouched && document.getText(this.#placeOf(range.span)) === range.text) continue;
      for (const change of edits) {
        range.isLost ||= losesSpan(range.span, change);
        range.span = movedSpan(range.span, change);
      }
      range.text = document.getText(this.#placeOf(range.span));
    }
  }

  #placeOf({ from, to }: TextSpan): vscode.Range {
    return documentPlace(this.#followed.document, from, to);
  }
}
