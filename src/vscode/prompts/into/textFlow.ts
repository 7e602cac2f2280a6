import { setTimeout as pause } from 'node:timers/promises';
import * as vscode from 'vscode';
import { hiddenCharacters } from '../../../core/safety/hiddenCharacters.ts';
import { changedPart } from '../../../core/prompts/lineMerge.ts';
import { changesSpan, movedSpan } from '../../../core/prompts/textSpan.ts';
import { DisposableList } from '../../platform/disposables.ts';
import { commandLinksOf } from '../../platform/documents/confirmInsert.ts';
import { otherLineBreaks } from '../../platform/documents/otherLineBreaks.ts';
import { isCodeLanguage } from '../../platform/documents/openModelText.ts';
import { lengthBeforeCommandLink } from '../../../core/safety/commandLinks.ts';
import { hasChanged } from './applySpans.ts';

/** How a flow ended. In any case, only its own text was changed. */
export type FlowEnd =
  | 'written'
  /** The user edited the text while it was being written. */
  | 'disturbed'
  /** The document can't be edited, or was closed. */
  | 'refused'
  /** The user didn't want its invisible characters or links. */
  | 'declined';

export interface TextFlowOptions {
  readonly document: vscode.TextDocument;
  /** Where the text is written. */
  readonly at: vscode.Position;
  /** The part of it that is already there. */
  readonly written?: string;
  /** The part of the reply so far that belongs in the document. */
  readonly shape: (answer: string, isComplete: boolean) => string;
  /** Called once, before the first text with invisible characters is inserted. */
  readonly confirm: (text: string) => Promise<boolean>;
  /**
   * Called before links are inserted that would run a command, with their targets. From the first one on, the text waits
   * until the reply is complete, so that it's one question, with all of them. If absent, there's no question.
   */
  readonly confirmLinks?: (targets: readonly string[]) => Promise<boolean>;
  /** Called before a text is inserted, with the whole text so far. */
  readonly prepare?: (text: string) => Promise<void>;
  /** Called at the first sign that the text can't be inserted, with whether some of it already is. */
  readonly onBroken: (end: FlowEnd, hasBegun: boolean) => void;
  /** Shared by flows that the user undoes together. Their edits follow each other. */
  readonly step?: FlowStep;
}

/**
 * Lets several flows into one document know about each other's edits, so that all of them are one undo step. VS Code
 * begins another one when the document is saved, and when text arrives while it isn't visible.
 */
export class FlowStep {
  /** True until the first edit, and after each edit by the user. */
  isNew = true;
  /** The edit in progress. */
  expected: { readonly offset: number; readonly text: string } | undefined;
}

// A joiner at the end so far might turn out to be part of an emoji or a word.
const openEnd = 16;
const maxTries = 10;

/**
 * Text that streams into a document at one position, as one undo step. The user can continue typing elsewhere, and the
 * position moves along. While the document isn't visible, the text waits.
 */
export class TextFlow implements vscode.Disposable {
  readonly #options: TextFlowOptions;
  readonly #own = new DisposableList();
  #lineBreaks: vscode.EndOfLine;
  /** Offset of the text in the document. */
  #start: number;
  #written: string;
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
    this.#lineBreaks = document.eol;
    this.#start = document.offsetAt(at);
    this.#written = options.written ?? '';
    this.#step = options.step ?? new FlowStep();
    this.#own.add(vscode.workspace.onDidChangeTextDocument((event) => this.#changed(event)));
    this.#own.add(vscode.window.onDidChangeVisibleTextEditors(() => this.#pump()));
  }

  get document(): vscode.TextDocument {
    return this.#options.document;
  }

  /** The whole reply so far. */
  write(answer: string): void {
    this.#answer = answer;
    this.#pump();
  }

  /** The reply is complete, or there will be no more of it. Settles when it's in the document. */
  async finish(answer: string): Promise<FlowEnd> {
    this.#answer = answer;
    this.#isComplete = true;
    // One that is just ending hasn't seen the rest.
    await this.#pumping;
    this.#pump();
    await this.#pumping;
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
      const lineBreaks = this.#lineBreaks;
      const wanted = this.#wanted();
      if (wanted === this.#written) return;
      // An edit would open it again.
      if (this.#options.document.isClosed) return this.#break('refused');
      const editor = this.#editor();
      if (editor === undefined && !this.#isComplete) return;
      if (!(await this.#mayStand(wanted)) || !(await this.#mayLink(wanted))) return this.#break('declined');
      await this.#options.prepare?.(wanted);
      if (this.#end !== undefined) return;
      if (this.#lineBreaks !== lineBreaks) continue;
      if (!this.#isUntouched()) return this.#break('disturbed');
      if (await this.#put(changedPart(this.#written, wanted), editor)) {
        this.#written = this.#withLineBreaks(wanted);
        tries = 0;
        continue;
      }
      tries += 1;
      if (tries === maxTries) return this.#break('refused');
      // Another edit came first, or the editor is just being hidden.
      await pause(20 * tries);
    }
  }

  #wanted(): string {
    const text = this.#withLineBreaks(this.#options.shape(this.#answer, this.#isComplete));
    if (this.#isComplete) return text;
    return this.#withoutHidden(this.#withoutLinks(text));
  }

  #withLineBreaks(text: string): string {
    return text.replaceAll(/\r\n|\r|\n/g, this.#lineBreaks === vscode.EndOfLine.CRLF ? '\r\n' : '\n');
  }

  /** Undefined for most documents, so that their text isn't searched with each piece of a reply. */
  get #confirmLinks(): TextFlowOptions['confirmLinks'] {
    return isCodeLanguage(this.#options.document.languageId) ? undefined : this.#options.confirmLinks;
  }

  /** Up to the first link that would run a command. */
  #withoutLinks(text: string): string {
    const { document } = this.#options;
    if (this.#confirmLinks === undefined) return text;
    const start = document.positionAt(this.#start);
    const before = document.getText(new vscode.Range(start.with(Math.max(0, start.line - 1), 0), start));
    return text.slice(0, lengthBeforeCommandLink(text, before));
  }

  #withoutHidden(text: string): string {
    if (this.#allowed || text.length <= this.#written.length) return text;
    const tail = text.slice(Math.max(this.#written.length, text.length - openEnd));
    return hiddenCharacters(tail).length === 0 ? text : text.slice(0, text.length - tail.length);
  }

  async #mayStand(wanted: string): Promise<boolean> {
    if (this.#allowed) return true;
    const { from, text } = changedPart(this.#written, wanted);
    const before = wanted.slice(Math.max(0, from - openEnd), from);
    // Everything before it has already been checked.
    if (hiddenCharacters(before + text).length === hiddenCharacters(before).length) return true;
    this.#allowed = await this.#options.confirm(wanted);
    return this.#allowed;
  }

  async #mayLink(wanted: string): Promise<boolean> {
    const { document } = this.#options;
    const confirmLinks = this.#confirmLinks;
    if (confirmLinks === undefined) return true;
    const whole = document.getText();
    const after = whole.slice(0, this.#start) + wanted + whole.slice(this.#start + this.#written.length);
    const targets = commandLinksOf({ document, after });
    return targets.length === 0 || confirmLinks(targets);
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
      // The user's later selections are left alone.
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
      // The editor was closed during the edit.
      return false;
    } finally {
      this.#step.expected = undefined;
      this.#isEditing = false;
    }
  }

  #changed(event: vscode.TextDocumentChangeEvent): void {
    const { document, contentChanges } = event;
    if (document !== this.#options.document || this.#end !== undefined) return;
    const offsetOf = otherLineBreaks(event, this.#lineBreaks);
    this.#lineBreaks = document.eol;
    if (offsetOf !== undefined) {
      this.#start = offsetOf(this.#start);
      this.#written = this.#withLineBreaks(this.#written);
      this.#step.isNew = true;
      return;
    }
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

  /** A document's events can be late, so its current text decides. */
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
 * When text is inserted, VS Code lets an adjacent selection grow to include it, and one keystroke would then delete
 * both. Such a selection becomes a cursor, which VS Code moves along behind the text.
 * @returns restores the selections, if nothing was inserted after all
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
    // The user might have made another selection in the meantime.
    const isSame = selections.length === after.length && selections.every((one, index) => after[index]?.isEqual(one));
    if (isSame) editor.selections = before;
  };
}
