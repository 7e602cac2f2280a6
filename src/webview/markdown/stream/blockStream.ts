import type { Links, Token } from 'marked';
import { lexBlocks, noLinks } from './boundedLexer.ts';
import { type CodeFence, dedent, readOpeningFence } from './codeFence.ts';
import { type FinalPart, finalPart, isUnsettledLine } from './finalPart.ts';
import { isVisible } from '../blocks/visibleToken.ts';

/** The output of a Markdown stream. A sink draws all text at once and in order. */
export interface BlockSink {
  /**
   * Replaces the blocks after the committed ones. The first `final.blocks` of them, and the first `final.parts` items
   * or rows of the next one, don't change again. After final parts, the first block of the next call continues the same
   * list or table and only contains the parts that follow.
   */
  show(blocks: readonly Token[], final: FinalPart): void;
  /** Text at the end that is too long to be lexed again for each addition. Replaces the last one. */
  showPending(text: string): void;
  openCode(info: string): void;
  addCodeLines(lines: readonly string[]): void;
  /** The unfinished line of the open code block. Replaces the last one. */
  showCodeLine(line: string): void;
  closeCode(): void;
  openPlain(): void;
  addPlain(text: string): void;
  closePlain(): void;
  /** Links that committed text can use from now on. */
  define(labels: readonly string[]): void;
}

/** Characters lexed in one step. Most steps take well under a millisecond. */
const USUAL_WINDOW_CHARS = 1024;
/** If blocks are tiny, a step takes less text, because drawing them is what takes time. */
const LEAST_WINDOW_CHARS = 128;
/** Intended maximum of blocks, items, and rows per step. */
const STEP_PARTS = 32;
/** A longer block is shown as plain text: nobody writes such a block, except attackers. */
const MAX_BLOCK_CHARS = 32_768;
/** marked's time grows with lines × characters without a blank line between them: about 20 ms at this product. */
const MAX_BLOCK_WORK = 2_500_000;
/** Longer open text is only lexed again when it has grown by an eighth. */
const LEX_EACH_TIME_CHARS = 3000;
const PLAIN_STEP_CHARS = 8192;
const CODE_STEP_LINES = 100;

const BLANK_LINES = /\n(?:[ \t]*\n)+/;
const FIRST_LINE_IS_BLANK = /[ \t]*\n/y;
const BLANK_LINE = /\n[ \t]*\n/;
const MAYBE_BLANK_LINE = /\n[ \t]*$/;

/**
 * Turns growing Markdown into blocks, in time proportional to the new text: what is certain is committed and forgotten.
 * The result equals lexing the whole text at once.
 *
 * A block is committed when the next one has a complete line. Link definitions take effect when their block is
 * committed, and the sink then redraws committed text that refers to them.
 */
export class BlockStream {
  readonly #sink: BlockSink;
  readonly #links: Links = noLinks();
  /** Text after the committed part, with `\n` as line breaks. */
  #tail = '';
  #mode: { kind: 'blocks' } | { kind: 'code'; fence: CodeFence } | { kind: 'plain' } = { kind: 'blocks' };
  /** The open list or table whose first parts are committed. `head` is added before each lexing. */
  #continued: { head: string; loose: boolean } | undefined;
  #windowChars = LEAST_WINDOW_CHARS;
  /** The window's size after a commit. */
  #firstWindowChars = LEAST_WINDOW_CHARS;
  /** Length of the tail's complete lines at the last unsuccessful commit. */
  #triedChars = 0;
  /** Length of the tail that is shown as blocks. */
  #lexedChars = 0;
  #isShown = true;
  #isFinished = false;
  #isDone = false;

  constructor(sink: BlockSink) {
    this.#sink = sink;
  }

  get links(): Links {
    return this.#links;
  }

  /** `text` uses `\n` as line breaks. */
  append(text: string): void {
    if (text === '' || this.#isFinished) return;
    this.#tail += text;
    this.#isShown = false;
  }

  finish(): void {
    if (this.#isFinished) return;
    this.#isFinished = true;
    this.#isShown = false;
  }

  /** One small piece of work. False when all text so far is drawn. */
  step(): boolean {
    if (this.#isShown || this.#isDone) return false;
    if (this.#mode.kind === 'code') return this.#stepCode(this.#mode.fence);
    if (this.#mode.kind === 'plain') return this.#stepPlain();
    return this.#stepBlocks();
  }

  #stepBlocks(): boolean {
    if (this.#continued === undefined && this.#openCode()) return true;
    if (this.#tail.length > this.#windowChars) return this.#stepWindow();
    if (this.#isFinished) {
      this.#commitRest();
      return false;
    }
    const lines = this.#tail.slice(0, this.#tail.lastIndexOf('\n') + 1);
    if (lines.length > 0 && isDue(lines.length, this.#triedChars)) {
      if (this.#commit(lines)) return true;
      this.#triedChars = lines.length;
    }
    this.#showOpen();
    return false;
  }

  /** Works through text that is too long for one step. */
  #stepWindow(): boolean {
    const window = this.#tail.slice(0, this.#windowChars);
    const lines = window.slice(0, window.lastIndexOf('\n') + 1);
    if (lines.length > 0 && this.#commit(lines)) return true;
    if (lexingWork(window) > MAX_BLOCK_WORK || window.length >= MAX_BLOCK_CHARS) this.#openPlain();
    else this.#windowChars *= 2;
    return true;
  }

  /** Commits what is final in `lines`, the complete lines at the start of the tail. */
  #commit(lines: string): boolean {
    const head = this.#continued?.head ?? '';
    const { tokens, definitions } = lexBlocks(head + lines, this.#links);
    this.#loosen(tokens[0]);
    const final = finalPart(head + lines, tokens);
    const committedChars = final.chars - head.length;
    if (committedChars <= 0) return false;

    this.#sink.show(tokens, final);
    const open = tokens[final.blocks];
    if (final.parts > 0 && open !== undefined) {
      const wasLoose = final.blocks === 0 && this.#continued?.loose === true;
      this.#continued = { head: final.head, loose: wasLoose || final.isLoose };
    } else {
      this.#continued = undefined;
    }
    this.#firstWindowChars = windowFor(committedChars / (final.blocks + final.parts));
    this.#drop(committedChars);
    if (Object.keys(definitions).length > 0)
      this.#define(lexBlocks((head + lines).slice(0, final.chars), noLinks()).definitions);
    return true;
  }

  #commitRest(): void {
    const head = this.#continued?.head ?? '';
    const { tokens, definitions } = lexBlocks(head + this.#tail, this.#links);
    this.#loosen(tokens[0]);
    this.#sink.showPending('');
    this.#sink.show(tokens, { blocks: tokens.length, parts: 0 });
    this.#continued = undefined;
    this.#drop(this.#tail.length);
    this.#define(definitions);
    this.#isDone = true;
  }

  /** Shows what isn't committed, including the line that is still being written. */
  #showOpen(): void {
    const lastLineStart = this.#tail.lastIndexOf('\n') + 1;
    const isUnsettled = isUnsettledLine(this.#tail.slice(lastLineStart));
    const text = isUnsettled ? this.#tail.slice(0, lastLineStart) : this.#tail;
    this.#isShown = true;
    if (text.length >= this.#lexedChars && !isDue(text.length, this.#lexedChars)) {
      this.#sink.showPending(text.slice(this.#lexedChars));
      return;
    }
    const { tokens } = lexBlocks((this.#continued?.head ?? '') + text, this.#links, { isOpen: true });
    this.#loosen(tokens[0]);
    this.#sink.showPending('');
    this.#sink.show(tokens, { blocks: 0, parts: 0 });
    this.#lexedChars = text.length;
  }

  #openCode(): boolean {
    let start = 0;
    FIRST_LINE_IS_BLANK.lastIndex = 0;
    while (FIRST_LINE_IS_BLANK.test(this.#tail)) start = FIRST_LINE_IS_BLANK.lastIndex;
    if (start > 0) this.#drop(start);
    const lineEnd = this.#tail.indexOf('\n');
    if (lineEnd === -1) return false;
    const fence = readOpeningFence(this.#tail.slice(0, Math.min(lineEnd, USUAL_WINDOW_CHARS)));
    if (fence === undefined) return false;
    this.#drop(lineEnd + 1);
    this.#sink.showPending('');
    this.#sink.show([], { blocks: 0, parts: 0 });
    this.#sink.openCode(fence.info);
    this.#mode = { kind: 'code', fence };
    return true;
  }

  #stepCode(fence: CodeFence): boolean {
    const lines: string[] = [];
    let start = 0;
    let isClosed = false;
    while (lines.length < CODE_STEP_LINES && start < this.#tail.length) {
      let end = this.#tail.indexOf('\n', start);
      if (end === -1 && !this.#isFinished) break;
      if (end === -1) end = this.#tail.length;
      const line = this.#tail.slice(start, end);
      start = end + 1;
      if (fence.close.test(line)) {
        isClosed = true;
        break;
      }
      lines.push(dedent(line, fence.indent));
    }
    if (lines.length > 0) this.#sink.addCodeLines(lines);
    this.#drop(Math.min(start, this.#tail.length));
    if (isClosed || (this.#isFinished && this.#tail === '')) {
      this.#sink.showCodeLine('');
      this.#sink.closeCode();
      this.#mode = { kind: 'blocks' };
      return true;
    }
    if (lines.length > 0) return true;
    this.#sink.showCodeLine(isUnsettledLine(this.#tail) ? '' : dedent(this.#tail, fence.indent));
    this.#isShown = true;
    return false;
  }

  #openPlain(): void {
    this.#continued = undefined;
    this.#drop(0);
    this.#sink.showPending('');
    this.#sink.show([], { blocks: 0, parts: 0 });
    this.#sink.openPlain();
    this.#mode = { kind: 'plain' };
  }

  /** Plain text continues to the next blank line. */
  #stepPlain(): boolean {
    const piece = this.#tail.slice(0, PLAIN_STEP_CHARS);
    const blank = BLANK_LINE.exec(piece);
    const isLast = piece.length === this.#tail.length;
    // A line break at the end might be the first half of a blank line.
    const held = isLast && this.#isFinished ? null : MAYBE_BLANK_LINE.exec(piece);
    const end = blank?.index ?? (held !== null && held.index > 0 ? held.index : held === null ? piece.length : 0);
    if (end > 0) this.#sink.addPlain(piece.slice(0, end));
    this.#drop(blank === null ? end : end + blank[0].length);
    if (blank !== null || (this.#isFinished && this.#tail === '')) {
      this.#sink.closePlain();
      this.#mode = { kind: 'blocks' };
      return true;
    }
    if (end > 0 && !isLast) return true;
    if (end === 0 && !isLast) {
      // Nothing but white space in the whole piece, so it isn't worth waiting.
      this.#sink.addPlain(piece);
      this.#drop(piece.length);
      return true;
    }
    this.#isShown = true;
    return false;
  }

  #loosen(first: Token | undefined): void {
    if (this.#continued?.loose !== true || first === undefined || !isVisible(first)) return;
    if (first.type === 'list') first.loose = true;
  }

  #drop(chars: number): void {
    if (chars > 0) this.#tail = this.#tail.slice(chars);
    this.#windowChars = this.#firstWindowChars;
    this.#triedChars = 0;
    this.#lexedChars = 0;
  }

  #define(definitions: Links): void {
    const labels: string[] = [];
    for (const [label, link] of Object.entries(definitions)) {
      if (this.#links[label] !== undefined) continue;
      this.#links[label] = link;
      labels.push(label);
    }
    if (labels.length > 0) this.#sink.define(labels);
  }
}

/**
 * Doubled each time, so that every window has one of the same sizes, and the limit for a text doesn't depend on the
 * text before it.
 */
function windowFor(charsPerPart: number): number {
  let chars = LEAST_WINDOW_CHARS;
  while (chars < USUAL_WINDOW_CHARS && chars < charsPerPart * STEP_PARTS) chars *= 2;
  return chars;
}

function isDue(chars: number, doneChars: number): boolean {
  if (chars <= LEX_EACH_TIME_CHARS) return chars !== doneChars;
  return chars < doneChars || chars >= doneChars * 1.125;
}

function lexingWork(text: string): number {
  return text.split(BLANK_LINES).reduce((sum, lines) => sum + lines.length * lines.split('\n').length, 0);
}
