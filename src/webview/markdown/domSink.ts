import type { Links, Token, Tokens } from 'marked';
import { BlockGroup } from './blocks/blockGroup.ts';
import type { BlockSink } from './stream/blockStream.ts';
import { lexInline } from './stream/boundedLexer.ts';
import type { ReferenceNames } from './characterReferences.ts';
import { CodeBlockView } from './blocks/codeBlockView.ts';
import type { CodeHighlighting } from './highlight/codeHighlighting.ts';
import { drawBlock } from './blocks/drawBlock.ts';
import type { DrawingContext, DrawnBlock, TableTexts } from './blocks/drawnBlock.ts';
import type { FormulaParts } from './formulas/formulaParts.ts';
import type { FormulaView } from './formulas/formulaView.ts';
import type { FinalPart } from './stream/finalPart.ts';
import { InlineDrawer } from './blocks/inlineDrawer.ts';
import type { InlineRun } from './blocks/inlineRun.ts';
import { ListBlock } from './blocks/listBlock.ts';
import { PlainBlock } from './blocks/plainBlock.ts';
import { ReferenceIndex } from './stream/referenceIndex.ts';
import { TableBlock } from './blocks/tableBlock.ts';
import { formulaReading } from './stream/formulaReading.ts';
import type { FormulaToken } from './stream/formulaToken.ts';
import { isVisible, type VisibleToken } from './blocks/visibleToken.ts';

/** Number of committed blocks in one box, which isn't laid out while it's far from the viewport. */
const SECTION_BLOCKS = 16;
/**
 * The containers of sections, innermost first, and the maximum number of children of each: when something grows, a
 * browser visits all children of its parent, and all boxes that it might have to lay out.
 */
const SHELVES = [
  { className: 'md-chapter', children: 8 },
  { className: 'md-volume', children: 16 },
] as const;
/**
 * Maximum number of a list's items, or a table's rows, in one element, because a browser lays a table out as a whole.
 */
const PIECE_PARTS = 100;

/** A page that is never idle still typesets, one formula at a time. */
const LONGEST_WAIT_MS = 100;
const LEAST_IDLE_MS = 2;

type Redraw = { readonly src: string; readonly run: InlineRun };

/** Draws a {@link BlockStream} into an element. */
export class DomSink implements BlockSink, DrawingContext {
  readonly inline: InlineDrawer;
  readonly #root: HTMLElement;
  readonly #highlighting: CodeHighlighting;
  readonly #links: () => Links;
  readonly #references = new ReferenceIndex<Redraw>();
  readonly #open: BlockGroup;
  readonly tables = new WeakMap<Element, TableTexts>();
  readonly #codes = new Map<HTMLElement, CodeBlockView>();
  readonly #unstyled = new Set<CodeBlockView>();
  readonly #untypeset = new Set<FormulaView>();
  #idle: number | undefined;
  readonly #redraws = new Set<Redraw>();
  /** The last shelf of each kind. */
  readonly #shelves: HTMLElement[] = [];
  /** The ones before: full, but perhaps still in view. */
  readonly #fullShelves: (HTMLElement | undefined)[] = [];
  #section: HTMLElement;
  #sectionBlocks = 0;
  /** All pieces of the list or table that is still open, because a list can turn out loose. */
  #pieces: (ListBlock | TableBlock)[] = [];
  #hasOpenParts = false;
  #arePiecesLoose = false;
  #code: CodeBlockView | undefined;
  #plain: PlainBlock | undefined;
  #pending: HTMLElement | undefined;

  constructor(
    root: HTMLElement,
    hrefs: WeakMap<Element, string>,
    names: ReferenceNames,
    highlighting: CodeHighlighting,
    links: () => Links,
  ) {
    this.#root = root;
    this.#highlighting = highlighting;
    this.#links = links;
    this.inline = new InlineDrawer(names, hrefs, (token) => this.newFormula(token, 'span'));
    this.#section = this.#newSection();
    this.#open = new BlockGroup(this.#section, this);
  }

  show(tokens: readonly Token[], final: FinalPart): void {
    this.#open.patch(tokens, final.blocks);
    this.#loosenPieces(tokens[0]);
    for (const token of tokens.slice(0, final.blocks)) if (isVisible(token)) this.#commitBlock(token);
    const rest = tokens[final.blocks];
    if (final.parts > 0 && rest !== undefined && isVisible(rest)) this.#commitParts(rest, final.parts, false);
  }

  showPending(text: string): void {
    if (text === '') {
      this.#pending?.remove();
      this.#pending = undefined;
      return;
    }
    if (this.#pending === undefined) {
      this.#pending = document.createElement('p');
      this.#pending.className = 'md-plain';
      this.#section.append(this.#pending);
    }
    this.#pending.textContent = text;
  }

  openCode(info: string): void {
    this.#endParts();
    this.#code = this.newCode(info);
    this.#place(this.#code.element);
  }

  addCodeLines(lines: readonly string[]): void {
    this.#code?.addLines(lines);
  }

  showCodeLine(line: string): void {
    this.#code?.showOpenLine(line);
  }

  closeCode(): void {
    this.#code = undefined;
  }

  openPlain(): void {
    this.#endParts();
    this.#plain = new PlainBlock();
    this.#place(this.#plain.element);
  }

  addPlain(text: string): void {
    this.#plain?.add(text);
  }

  closePlain(): void {
    this.#plain = undefined;
  }

  define(labels: readonly string[]): void {
    for (const label of labels) for (const redraw of this.#references.take(label)) this.#redraws.add(redraw);
  }

  /** Redraws one text whose links a definition changed. False if there's none. */
  redrawNext(): boolean {
    const [redraw] = this.#redraws;
    if (redraw === undefined) return false;
    this.#redraws.delete(redraw);
    redraw.run.redraw(lexInline(redraw.src, this.#links()));
    return true;
  }

  /** Highlights code until the deadline, and has formulas typeset. True when nothing is left. */
  style(deadlineMs: number): boolean {
    const areTypeset = this.#typeset();
    return this.#color(deadlineMs) && areTypeset;
  }

  /** Between frames, because typesetting one formula takes longer than everything else in a frame. */
  #typeset(): boolean {
    if (this.#untypeset.size > 0 && this.#idle === undefined)
      this.#idle = requestIdleCallback((idle) => this.#typesetUntil(idle), { timeout: LONGEST_WAIT_MS });
    return this.#untypeset.size === 0;
  }

  #typesetUntil(idle: IdleDeadline): void {
    this.#idle = undefined;
    for (const formula of this.#untypeset) {
      // Text that is still being written is redrawn again and again.
      if (this.#root.contains(formula.element) && !formula.typeset()) return;
      this.#untypeset.delete(formula);
      if (idle.timeRemaining() < LEAST_IDLE_MS) return;
    }
  }

  #color(deadlineMs: number): boolean {
    for (const code of this.#unstyled) {
      if (!code.style(deadlineMs)) return false;
      this.#unstyled.delete(code);
    }
    return true;
  }

  codeOf(button: Element): CodeBlockView | undefined {
    const element = button.closest<HTMLElement>('.md-code');
    return element === null ? undefined : this.#codes.get(element);
  }

  tableOf(button: Element): TableTexts | undefined {
    const element = button.closest('.md-table-box');
    return element === null ? undefined : this.tables.get(element);
  }

  draw(token: VisibleToken, isFinal: boolean): DrawnBlock {
    return drawBlock(token, this, isFinal);
  }

  newCode(info: string): CodeBlockView {
    const code = new CodeBlockView(info, this.#highlighting, () => this.#unstyled.add(code));
    this.#codes.set(code.element, code);
    return code;
  }

  newFormula(token: FormulaToken, name: 'div' | 'span'): HTMLElement {
    const formula = new (partsOfFormulas().FormulaView)(token, name);
    this.#untypeset.add(formula);
    return formula.element;
  }

  newFormulaBlock(token: FormulaToken): DrawnBlock {
    return new (partsOfFormulas().FormulaBlock)(token, this);
  }

  dropCode(code: CodeBlockView): void {
    this.#codes.delete(code.element);
    this.#unstyled.delete(code);
    code.dispose();
  }

  /** Stops highlighting code that is no longer shown. */
  dispose(): void {
    for (const code of this.#codes.values()) this.dropCode(code);
    if (this.#idle !== undefined) cancelIdleCallback(this.#idle);
  }

  #commitBlock(token: VisibleToken): void {
    // A list that was complete at once is split in the same way as one that grew.
    if (token.type === 'list') this.#commitParts(token, token.items.length - 1, true);
    if (token.type === 'table') this.#commitParts(token, token.rows.length - 1, true);
    for (const block of this.#open.release(1)) this.#remember(block);
    this.#endParts();
    this.#countBlock();
  }

  #commitParts(token: VisibleToken, count: number, isFinal: boolean): void {
    if (token.type !== 'list' && token.type !== 'table') return;
    let committed = 0;
    while (committed < count) {
      const block = this.#open.first;
      if (!(block instanceof ListBlock) && !(block instanceof TableBlock)) return;
      if (!this.#hasOpenParts) {
        this.#pieces = [block];
        this.#arePiecesLoose = block.element.classList.contains('md-loose');
      }
      this.#hasOpenParts = true;
      const parts = Math.min(count - committed, PIECE_PARTS - block.finalParts);
      for (const part of block.commitParts(parts)) this.#remember(part);
      committed += parts;
      if (block.finalParts >= PIECE_PARTS) this.#continueAfter(block, token, committed, isFinal);
    }
  }

  /** After the first `parts` of a list or table, the rest continues in its own element. */
  #continueAfter(
    block: ListBlock | TableBlock,
    token: Tokens.List | Tokens.Table,
    parts: number,
    isFinal: boolean,
  ): void {
    this.#open.release(1);
    const piece =
      block instanceof ListBlock && token.type === 'list'
        ? block.next({ ...token, items: token.items.slice(parts) }, isFinal)
        : block instanceof TableBlock && token.type === 'table'
          ? block.next({ ...token, rows: token.rows.slice(parts) })
          : undefined;
    // A full piece has as much in it as a section can contain.
    this.#countBlock(SECTION_BLOCKS);
    if (piece === undefined) return;
    this.#pieces.push(piece);
    this.#open.continueWith(piece);
    this.#open.moveTo(this.#section);
  }

  #loosenPieces(first: Token | undefined): void {
    if (!this.#hasOpenParts || first === undefined || !isVisible(first) || first.type !== 'list') return;
    // Only when that changes, because a list can have thousands of pieces. The last one is already correct.
    if (first.loose === this.#arePiecesLoose) return;
    this.#arePiecesLoose = first.loose;
    for (const piece of this.#pieces) piece.element.classList.toggle('md-loose', first.loose);
  }

  #endParts(): void {
    this.#hasOpenParts = false;
    this.#pieces = [];
  }

  #remember(part: Pick<DrawnBlock, 'eachRun'>): void {
    part.eachRun((src, run) => {
      if (src.includes('[')) this.#references.add(src, { src, run });
    });
  }

  #place(element: HTMLElement): void {
    this.#section.append(element);
    this.#countBlock();
  }

  #countBlock(weight = 1): void {
    this.#sectionBlocks += weight;
    if (this.#sectionBlocks < SECTION_BLOCKS) return;
    this.#section.classList.add('md-section-full');
    this.#sectionBlocks = 0;
    this.#section = this.#newSection();
    this.#open.moveTo(this.#section);
  }

  #newSection(): HTMLElement {
    const section = document.createElement('div');
    section.className = 'md-section';
    this.#shelf(0).append(section);
    return section;
  }

  /** The element for the next section, or for the next shelf of the previous kind. */
  #shelf(kind: number): HTMLElement {
    const { className, children } = SHELVES[kind] ?? {};
    if (className === undefined || children === undefined) return this.#root;
    const last = this.#shelves[kind];
    if (last !== undefined && last.childElementCount < children) return last;
    // One step later: moving what is in view would lay out and paint it again, all at once.
    this.#fullShelves[kind]?.classList.add(`${className}-full`);
    this.#fullShelves[kind] = last;
    const shelf = document.createElement('div');
    shelf.className = className;
    this.#shelf(kind + 1).append(shelf);
    this.#shelves[kind] = shelf;
    return shelf;
  }
}

function partsOfFormulas(): FormulaParts {
  const { parts } = formulaReading;
  if (parts === undefined) throw new Error('No formula is found before what draws it is there');
  return parts;
}
