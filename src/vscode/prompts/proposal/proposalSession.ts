import * as vscode from 'vscode';
import { placedCode, type ReplacedText } from '../../../core/prompts/placedCode.ts';
import { Proposal } from '../../../core/prompts/proposal.ts';
import { movedSpan, movedTo } from '../../../core/prompts/textSpan.ts';
import { documentSchemes } from '../../settings/contributions.ts';
import type { ChangedDocument } from '../../platform/documents/confirmInsert.ts';
import { type FollowedChange, FollowedDocument } from '../../platform/documents/followedDocument.ts';
import { DisposableList } from '../../platform/disposables.ts';
import { applySpans, editorOf } from '../into/applySpans.ts';
import { documentPlace, documentSpan } from '../into/documentSpan.ts';
import { indentStyleOf, isProse } from '../into/documentStyle.ts';
import type { PromptSource } from '../run/promptSource.ts';

/** One part of the document that a reply should replace. */
interface Part {
  /** Offsets in the document, which move with edits before them. */
  from: number;
  to: number;
  readonly replaced: ReplacedText;
  answer: string;
  isComplete: boolean;
  proposal: Proposal | undefined;
}

/** A change as the two sides of the diff show it. Lines are counted from 0, ends excluded. */
export interface ShownChange {
  readonly part: number;
  readonly index: number;
  /** Together with the part, identifies it while others are made or rejected. */
  readonly origin: number;
  readonly from: number;
  readonly to: number;
  readonly proposedFrom: number;
  readonly proposedTo: number;
}

/** Whether it's the same change at two times: others can have moved it in the meantime. */
export function isSameChange(one: ShownChange, other: ShownChange): boolean {
  const sizeOf = ({ from, to, proposedFrom, proposedTo }: ShownChange) => [to - from, proposedTo - proposedFrom].join();
  return one.part === other.part && one.origin === other.origin && sizeOf(one) === sizeOf(other);
}

/** `failed`: the reply is incomplete, so it can't replace the current text. */
export type ProposalState = 'writing' | 'ready' | 'failed';

/** How an attempt to apply changes ended. */
export interface Accepted {
  /** `changed`: an edit by the user is now where the change would be. */
  readonly end: 'done' | 'lost' | 'refused' | 'changed';
  /** The lines, counted from 1, at which the user's own edits prevented a change. */
  readonly conflicts: readonly string[];
}

/**
 * A reply that is proposed as a replacement for parts of a document. Both sides of its diff are read-only: the current
 * document, and the proposed one. The document itself only changes when the user accepts.
 */
export class ProposalSession implements vscode.Disposable {
  readonly title: string;
  readonly currentUri: vscode.Uri;
  readonly proposedUri: vscode.Uri;
  readonly #own = new DisposableList();
  readonly #changed = this.#own.add(new vscode.EventEmitter<void>());
  readonly #parts: readonly Part[];
  readonly #followed: FollowedDocument;
  #state: ProposalState = 'writing';
  /** An editor has applied a change. */
  #isWritable = false;
  /** Set while we're changing the document: what its parts will be, and what to note then. */
  #making: { readonly texts: readonly string[]; readonly made: () => void } | undefined;

  /** The text of a side, the changes, or the state have changed. */
  readonly onDidChange = this.#changed.event;

  /** @param sent what was sent for each of the source's ranges, which the user might have changed since */
  constructor(title: string, source: PromptSource, sent: readonly string[]) {
    this.title = title;
    this.#followed = this.#own.add(new FollowedDocument(source.document));
    const style = indentStyleOf(source.editor);
    this.#parts = source.ranges.map((range, index): Part => {
      const { document } = source;
      return {
        from: document.offsetAt(range.start),
        to: document.offsetAt(range.end),
        replaced: {
          text: lf(sent[index] ?? document.getText(range)),
          before: document.lineAt(range.start.line).text.slice(0, range.start.character),
          style,
          isProse: isProse(document),
        },
        answer: '',
        isComplete: false,
        proposal: undefined,
      };
    });
    const path = `/${source.document.uri.path.split('/').at(-1) ?? ''}`;
    // Never the ID of another one: a diff from an earlier window can be reopened.
    const id = crypto.randomUUID();
    const uri = (side: string) => vscode.Uri.from({ scheme: documentSchemes.proposal, path, query: `${id}-${side}` });
    this.currentUri = uri('current');
    this.proposedUri = uri('proposed');
    this.#own.add(this.#followed.onDidChange((change) => this.#documentChanged(change)));
  }

  get document(): vscode.TextDocument {
    return this.#followed.document;
  }

  get state(): ProposalState {
    return this.#state;
  }

  /** A part's whole reply so far. */
  write(part: number, answer: string): void {
    const written = this.#parts[part];
    if (written === undefined) return;
    written.answer = answer;
    this.#changed.fire();
  }

  /** The reply for a part is complete. The last one makes the proposal ready. */
  complete(part: number, answer: string): void {
    const written = this.#parts[part];
    if (written === undefined) return;
    const { replaced } = written;
    written.answer = answer;
    written.isComplete = true;
    const proposed = placedCode(answer, replaced, true);
    // An empty reply isn't a proposal to delete everything.
    written.proposal = new Proposal(replaced.text, proposed === '' ? replaced.text : proposed);
    written.proposal.present = this.#textOf(written);
    if (this.#parts.every(({ isComplete }) => isComplete)) this.#state = 'ready';
    this.#changed.fire();
  }

  /** Nothing more will arrive: complete parts can be applied, and half a reply can't replace a whole text. */
  end(): void {
    if (this.#state !== 'writing') return;
    const isAny = this.#parts.some(({ isComplete }) => isComplete);
    for (const part of isAny ? this.#parts : []) part.proposal ??= new Proposal(this.#textOf(part), this.#textOf(part));
    this.#state = isAny ? 'ready' : 'failed';
    this.#changed.fire();
  }

  /** Its diff was closed. */
  get isOver(): boolean {
    return this.#own.disposed;
  }

  /** The current document, with `\n`, or the document with everything that is proposed. */
  text(uri: vscode.Uri): string {
    const whole = this.document.getText();
    if (uri.toString() !== this.proposedUri.toString()) return lf(whole);
    let text = '';
    let end = 0;
    for (const part of this.#parts) {
      text += lf(whole.slice(end, part.from)) + this.#proposedText(part);
      end = part.to;
    }
    return text + lf(whole.slice(end));
  }

  /** First line of the first part in the document. */
  get firstLine(): number {
    return this.document.positionAt(this.#parts[0]?.from ?? 0).line;
  }

  /** The changes that can be accepted, in order. */
  changes(): readonly ShownChange[] {
    if (this.#state !== 'ready') return [];
    let shift = 0;
    return this.#parts.flatMap(({ from, proposal }, part) => {
      if (proposal === undefined) return [];
      const line = this.document.positionAt(from).line;
      const changes = proposal.changes().map((change, index) => ({
        part,
        index,
        origin: change.origin,
        from: line + change.from,
        to: line + change.to,
        proposedFrom: line + shift + change.proposedFrom,
        proposedTo: line + shift + change.proposedTo,
      }));
      shift += lineCount(proposal.result) - lineCount(proposal.present);
      return changes;
    });
  }

  /** The lines, counted from 1, at which the user's own edits prevent a change. */
  conflicts(): readonly string[] {
    return this.#parts.flatMap(({ from, proposal }) => {
      const line = this.document.positionAt(from).line;
      return (proposal?.conflicts() ?? []).map((conflict) => {
        const [first, last] = [line + conflict.from + 1, line + Math.max(conflict.to, conflict.from + 1)];
        return first === last ? String(first) : `${first}–${last}`;
      });
    });
  }

  /** What is proposed, without the rest of the document: to read, or to apply by hand. */
  reply(): string {
    return this.#parts.map(({ proposal, answer }) => proposal?.proposed ?? answer).join('\n');
  }

  /** The lines that would be added to the document. */
  added(changes: readonly ShownChange[]): string {
    const lines = this.text(this.proposedUri).split('\n');
    return changes.map(({ proposedFrom, proposedTo }) => lines.slice(proposedFrom, proposedTo).join('\n')).join('\n');
  }

  /** The document with these changes. */
  changed(changes: readonly ShownChange[]): ChangedDocument {
    const lines = this.text(this.currentUri).split('\n');
    const proposed = this.text(this.proposedUri).split('\n');
    for (const { from, to, proposedFrom, proposedTo } of changes.toReversed()) {
      lines.splice(from, to - from, ...proposed.slice(proposedFrom, proposedTo));
    }
    return { document: this.document, after: lines.join('\n') };
  }

  /**
   * Makes one change in the document, or all, as one undo step. The first time, this might bring the document to the
   * front.
   */
  async accept(change: ShownChange | 'all'): Promise<Accepted> {
    const document = await this.#followed.open();
    if (document === undefined) return { end: 'lost', conflicts: [] };
    const editor = await editorOf(document, { shows: !this.#isWritable });
    // The user can have edited the document since the decision.
    const conflicts = this.conflicts();
    const present = change === 'all' ? undefined : this.changes().find((other) => isSameChange(other, change));
    if (change !== 'all' && present === undefined) return { end: 'changed', conflicts };
    const one = present && this.#parts[present.part]?.proposal;
    const accepted = present && one?.accept(present.index);
    const texts = this.#parts.map((part) => {
      const { proposal } = part;
      if (proposal === undefined) return this.#textOf(part);
      if (change === 'all') return proposal.result;
      return (proposal === one ? accepted?.text : undefined) ?? proposal.present;
    });
    const spans = this.#parts.flatMap((part, index) =>
      documentSpan(this.document, part.from, this.#textOf(part), texts[index] ?? ''),
    );
    this.#making = { texts, made: () => accepted && one?.made(accepted) };
    try {
      const done = await applySpans(this.document, spans, editor);
      this.#isWritable ||= done;
      return { end: done ? 'done' : 'refused', conflicts };
    } finally {
      this.#making = undefined;
      this.#look();
    }
  }

  reject(change: ShownChange): void {
    this.#parts[change.part]?.proposal?.reject(change.index);
    this.#changed.fire();
  }

  dispose(): void {
    this.#own.dispose();
  }

  #proposedText(part: Part): string {
    if (part.proposal !== undefined) return part.proposal.result;
    const present = this.#textOf(part);
    const lines = placedCode(part.answer, part.replaced, false).split('\n');
    if (part.answer === '' || lines.join('') === '') return present;
    // Parts that haven't been written yet show the current text, so that the diff doesn't start by deleting everything.
    const rest = present.split('\n').slice(lines.length);
    return [...lines, ...rest].join('\n');
  }

  #textOf({ from, to }: Part): string {
    return lf(this.document.getText(documentPlace(this.document, from, to)));
  }

  #documentChanged(changed: FollowedChange): void {
    if ('offsetOf' in changed) {
      for (const part of this.#parts) Object.assign(part, movedTo(part, changed));
    } else if (!this.#tookOver()) {
      // An edit across an edge counts as an edit of the part.
      for (const edit of changed.edits) {
        for (const part of this.#parts) Object.assign(part, movedSpan(part, edit));
      }
    }
    this.#look();
  }

  /** Whether the document now has the text that we were writing, so that the parts are known. */
  #tookOver(): boolean {
    if (this.#making === undefined) return false;
    const { texts, made } = this.#making;
    const lineEnd = this.document.eol === vscode.EndOfLine.CRLF ? '\r\n' : '\n';
    let shift = 0;
    const next = this.#parts.map(({ from, to }, index) => {
      const raw = (texts[index] ?? '').replaceAll('\n', lineEnd);
      const place = { from: from + shift, to: from + shift + raw.length };
      shift += raw.length - (to - from);
      return { ...place, raw };
    });
    const whole = this.document.getText();
    if (next.some(({ from, to, raw }) => whole.slice(from, to) !== raw)) return false;
    for (const [index, part] of this.#parts.entries()) {
      part.from = next[index]?.from ?? part.from;
      part.to = next[index]?.to ?? part.to;
    }
    made();
    this.#making = undefined;
    return true;
  }

  #look(): void {
    for (const part of this.#parts) if (part.proposal !== undefined) part.proposal.present = this.#textOf(part);
    this.#changed.fire();
  }
}

function lf(text: string): string {
  return text.replaceAll('\r\n', '\n');
}

function lineCount(text: string): number {
  return text.split('\n').length;
}
