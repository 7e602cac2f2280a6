import { setTimeout as pause } from 'node:timers/promises';
import * as vscode from 'vscode';
import { hiddenCharacters } from '../../../core/safety/hiddenCharacters.ts';
import { changedPart } from '../../../core/prompts/lineMerge.ts';
import { changesSpan, movedSpan } from '../../../core/prompts/textSpan.ts';
import { DisposableList } from '../../platform/disposables.ts';
import { hasChanged } from './applySpans.ts';

/** How a flow ended. Whatever the end, nothing but its own text was changed. */
export type FlowEnd =
  | 'written'
  /** A person edited the text where it was written. */
  | 'disturbed'
  /** The document takes no edits, or was closed. */
  | 'refused'
  /** The person did not want the hidden characters in it. */
  | 'declined';

export interface TextFlowOptions {
  readonly document: vscode.TextDocument;
  /** Where the text goes. */
  readonly at: vscode.Position;
  /** What of the answer so far is to stand in the document. */
  readonly shape: (answer: string, isComplete: boolean) => string;
  /** Asked once, before the first text with hidden characters goes in. */
  readonly confirm: (text: string) => Promise<boolean>;
  /** Told at the first sign that the text cannot go in, and whether some of it stands there. */
  readonly onBroken: (end: FlowEnd, hasBegun: boolean) => void;
  /** Shared by flows that a person takes back at once. Their edits follow each other. */
  readonly step?: FlowStep;
}

/**
 * What flows into one document know of each other's edits, so that all of them are one step of undo. What comes while
 * the document is in no view is a step of its own: VS Code joins the edits of an editor alone.
 */
export class FlowStep {
  /** True until the first edit, and after one of the person's. */
  isNew = true;
  /** The edit that is being made. */
  expected: { readonly offset: number; readonly text: string } | undefined;
}

// A joiner at the end of what has come may turn out to be part of an emoji or a word.
const openEnd = 16;
const maxTries = 10;

/**
 * Text that streams into a document at one place, as one step of undo. A person may go on typing
 * elsewhere; the place moves with their text. While the document is not shown the text waits.
 */
export class TextFlow implements vscode.Disposable {
  readonly #options: TextFlowOptions;
  readonly #own = new DisposableList();
  readonly #lineEnd: string;
  /** Offset of the text in the document. */
  #start: number;
  #written = '';
  #answer = '';
  #isComplete = false;
  #allowed = false;
  readonly #step: FlowStep;
  #isEditing = false;
  #end: FlowEnd | undefined;
  #pumping: Promise<void> | undefined;

  constructor(options: TextFlowOptions) {
    this.#options = options;
    const { document, at } = options;
    this.#lineEnd = document.eol === vscode.EndOfLine.CRLF ? '\r\n' : '\n';
    this.#start = document.offsetAt(at);
    this.#step = options.step ?? new FlowStep();
    this.#own.add(vscode.workspace.onDidChangeTextDocument((event) => this.#changed(event)));
    this.#own.add(vscode.window.onDidChangeVisibleTextEditors(() => this.#pump()));
  }

  /** All of the answer so far. */
  write(answer: string): void {
    this.#answer = answer;
    this.#pump();
  }

  /** The answer is whole, or there will be no more of it. Settles when it stands in the document. */
  async finish(answer: string): Promise<FlowEnd> {
    this.#answer = answer;
    this.#isComplete = true;
    this.#pump();
    while (this.#pumping !== undefined) await this.#pumping;
    this.#end ??= 'written';
    this.dispose();
    return this.#end;
  }

  dispose(): void {
    this.#own.dispose();
  }

  #pump(): void {
    if (this.#pumping !== undefined || this.#end !== undefined) return;
    this.#pumping = this.#writeAll().finally(() => {
      this.#pumping = undefined;
    });
  }

  async #writeAll(): Promise<void> {
    let tries = 0;
    while (this.#end === undefined) {
      const wanted = this.#wanted();
      if (wanted === this.#written) return;
      // An edit would open it again.
      if (this.#options.document.isClosed) return this.#break('refused');
      const editor = this.#editor();
      if (editor === undefined && !this.#isComplete) return;
      if (!(await this.#mayStand(wanted))) return this.#break('declined');
      if (this.#end !== undefined) return;
      if (!this.#isUntouched()) return this.#break('disturbed');
      if (await this.#put(changedPart(this.#written, wanted), editor)) {
        this.#written = wanted;
        tries = 0;
        continue;
      }
      tries += 1;
      if (tries === maxTries) return this.#break('refused');
      // Somebody else's edit came first, or the editor is just being hidden.
      await pause(20 * tries);
    }
  }

  #wanted(): string {
    const text = this.#options.shape(this.#answer, this.#isComplete).replaceAll(/\r\n|\r|\n/g, this.#lineEnd);
    if (this.#isComplete || this.#allowed || text.length <= this.#written.length) return text;
    const tail = text.slice(Math.max(this.#written.length, text.length - openEnd));
    return hiddenCharacters(tail).length === 0 ? text : text.slice(0, text.length - tail.length);
  }

  async #mayStand(wanted: string): Promise<boolean> {
    if (this.#allowed) return true;
    const { from, text } = changedPart(this.#written, wanted);
    const before = wanted.slice(Math.max(0, from - openEnd), from);
    // In front of it there is nothing that was not looked at.
    if (hiddenCharacters(before + text).length === hiddenCharacters(before).length) return true;
    this.#allowed = await this.#options.confirm(wanted);
    return this.#allowed;
  }

  async #put(
    part: { readonly from: number; readonly to: number; readonly text: string },
    editor: vscode.TextEditor | undefined,
  ): Promise<boolean> {
    const { document } = this.#options;
    const offset = this.#start + part.from;
    const range = new vscode.Range(document.positionAt(offset), document.positionAt(this.#start + part.to));
    const isFollowed =
      editor !== undefined && isInView(editor, document.positionAt(this.#start + this.#written.length));
    this.#step.expected = { offset, text: part.text };
    this.#isEditing = true;
    try {
      if (editor === undefined) {
        const edit = new vscode.WorkspaceEdit();
        edit.replace(document.uri, range, part.text);
        return await vscode.workspace.applyEdit(edit);
      }
      const undo = { undoStopBefore: this.#step.isNew, undoStopAfter: false };
      const { version } = document;
      // What a person selects later is theirs.
      const giveBack = this.#written === '' ? deselectAt(document, range.start) : undefined;
      const done = await editor.edit((edit) => edit.replace(range, part.text), undo);
      if (!done) giveBack?.();
      if (done && !(await hasChanged(document, version))) {
        giveBack?.();
        this.#break('refused');
        return false;
      }
      if (done) this.#step.isNew = false;
      const end = document.positionAt(offset + part.text.length);
      if (done && isFollowed) editor.revealRange(new vscode.Range(end, end), vscode.TextEditorRevealType.Default);
      return done;
    } catch {
      // The editor was closed while it was edited.
      return false;
    } finally {
      this.#step.expected = undefined;
      this.#isEditing = false;
    }
  }

  #changed({ document, contentChanges }: vscode.TextDocumentChangeEvent): void {
    if (document !== this.#options.document || this.#end !== undefined) return;
    for (const change of contentChanges) {
      const { expected } = this.#step;
      const isExpected =
        expected !== undefined && change.rangeOffset === expected.offset && change.text === expected.text;
      if (isExpected && this.#isEditing) continue;
      if (!isExpected) this.#step.isNew = true;
      const own = { from: this.#start, to: this.#start + this.#written.length };
      if (changesSpan(own, change)) this.#break('disturbed');
      else this.#start = movedSpan(own, change).from;
    }
  }

  /** The events of a document may come late, so what stands there has the last word. */
  #isUntouched(): boolean {
    const { document } = this.#options;
    const range = new vscode.Range(
      document.positionAt(this.#start),
      document.positionAt(this.#start + this.#written.length),
    );
    return document.getText(range) === this.#written;
  }

  #editor(): vscode.TextEditor | undefined {
    return vscode.window.visibleTextEditors.find(({ document }) => document === this.#options.document);
  }

  #break(end: FlowEnd): void {
    if (this.#end !== undefined) return;
    this.#end = end;
    this.#options.onBroken(end, this.#written !== '');
  }
}

function isInView(editor: vscode.TextEditor, position: vscode.Position): boolean {
  return editor.visibleRanges.some((range) => range.contains(position));
}

/**
 * Where text is about to be put, VS Code lets a selection grow around it, and one key would then wipe both. Such a
 * selection becomes a cursor, which VS Code moves on behind the text.
 *
 * @returns gives the selections back, for where nothing was put there after all
 */
function deselectAt(document: vscode.TextDocument, at: vscode.Position): () => void {
  const undo = vscode.window.visibleTextEditors
    .filter((editor) => editor.document === document)
    .map((editor) => deselectIn(editor, at));
  return () => {
    for (const giveBack of undo) giveBack();
  };
}

function deselectIn(editor: vscode.TextEditor, at: vscode.Position): () => void {
  const before = editor.selections;
  const isLeft = (selection: vscode.Selection) => selection.isEmpty || !selection.contains(at);
  if (before.every(isLeft)) return () => undefined;
  const after = before.map((selection) => (isLeft(selection) ? selection : new vscode.Selection(at, at)));
  editor.selections = after;
  return () => {
    const { selections } = editor;
    // The person may have selected something else meanwhile.
    const isSame = selections.length === after.length && selections.every((one, index) => after[index]?.isEqual(one));
    if (isSame) editor.selections = before;
  };
}
