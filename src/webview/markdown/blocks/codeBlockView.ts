import * as l10n from '@vscode/l10n';
import { fenceLanguage } from '../stream/codeFence.ts';
import type { CodeHighlighting } from '../highlight/codeHighlighting.ts';
import type { LineStyler } from '../highlight/highlighter.ts';
import type { StyledLine } from '../highlight/highlightProtocol.ts';
import { icon } from '../../kit/element.ts';
import { withText } from './inlineDrawer.ts';

/** Lines in one box whose layout and paint are independent of the rest of the block. */
const CHUNK_LINES = 24;
const MAX_STYLED_LINES = 5000;
const MAX_STYLED_LINE_CHARS = 2000;
/** Maximum length of a line on the page, in characters. Copying still gives all of it. */
const MAX_SHOWN_LINE_CHARS = 10_000;

export type CodeAction = 'copy' | 'insert' | 'compare' | 'open' | 'wrap';

/** One block of code: a header with its actions, and lines that are highlighted once they're finished. */
export class CodeBlockView {
  readonly element = document.createElement('div');
  readonly language: string;
  readonly #highlighting: CodeHighlighting;
  readonly #onUnstyled: () => void;
  readonly #code = document.createElement('code');
  readonly #lines: string[] = [];
  #chunk: HTMLElement | undefined;
  #chunkLines = 0;
  /** Nodes of the lines from `#styledLines` on; empty if there won't be any colors. */
  #plainNodes: Text[] = [];
  #styledLines = 0;
  /** Number of lines that the styler has received. */
  #sentLines = 0;
  #styler: LineStyler | undefined;
  #isStyled: boolean;
  #openLine = '';
  #openNode: Text | undefined;

  /** `onUnstyled` is called when there are lines for {@link style} to work on. */
  constructor(info: string, highlighting: CodeHighlighting, onUnstyled: () => void) {
    this.language = fenceLanguage(info);
    this.#highlighting = highlighting;
    this.#onUnstyled = onUnstyled;
    this.#isStyled = highlighting.knows(this.language);

    const scroller = document.createElement('pre');
    scroller.className = 'md-code-scroller';
    scroller.tabIndex = 0;
    scroller.setAttribute('role', 'group');
    scroller.setAttribute('aria-label', this.language === '' ? l10n.t('Code') : l10n.t('Code, {0}', this.language));
    scroller.append(this.#code);
    this.element.className = 'md-code';
    this.element.append(this.#drawHeader(), scroller);
  }

  get text(): string {
    const lines = this.#openLine === '' ? this.#lines : [...this.#lines, this.#openLine];
    return lines.length === 0 ? '' : `${lines.join('\n')}\n`;
  }

  /** True if there are finished lines that still have to be highlighted. */
  get isWaitingForStyle(): boolean {
    return this.#isStyled && this.#styledLines < this.#lines.length;
  }

  addLines(lines: readonly string[]): void {
    this.#removeOpenNode();
    for (const line of lines) this.#addLine(line);
    if (this.isWaitingForStyle) this.#onUnstyled();
  }

  /** Replaces the finished lines. Their common beginning stays. */
  setLines(lines: readonly string[]): void {
    const isLonger = lines.length >= this.#lines.length && this.#lines.every((line, index) => line === lines[index]);
    if (!isLonger) this.#clear();
    this.addLines(lines.slice(this.#lines.length));
  }

  /** The line being written, which isn't highlighted yet. */
  showOpenLine(line: string): void {
    if (line === this.#openLine && (line === '') === (this.#openNode === undefined)) return;
    this.#openLine = line;
    if (line === '') {
      this.#removeOpenNode();
    } else if (this.#openNode === undefined) {
      this.#openNode = document.createTextNode(shown(line));
      this.#chunkForNextLine().append(this.#openNode);
    } else {
      this.#openNode.data = shown(line);
    }
  }

  /** Highlights finished lines until the deadline. True when there's nothing left to do. */
  style(deadlineMs: number): boolean {
    if (!this.isWaitingForStyle) return true;
    if (this.#styler === undefined) {
      const grammar = this.#highlighting.grammar(this.language);
      if (grammar === 'loading') return false;
      if (grammar === 'none') {
        this.#stopStyling();
        return true;
      }
      this.#styler = grammar.start();
    }
    this.#sendLines(this.#styler);
    while (this.isWaitingForStyle) {
      if (performance.now() >= deadlineMs) return false;
      const pieces = this.#styler?.take();
      if (pieces === undefined) return false;
      this.#styleLine(pieces);
      if (this.#styledLines >= MAX_STYLED_LINES) this.#stopStyling();
    }
    return true;
  }

  /** Call this when it's no longer shown. */
  dispose(): void {
    this.#stopStyling();
  }

  #sendLines(styler: LineStyler): void {
    const lines = this.#lines.slice(this.#sentLines, MAX_STYLED_LINES);
    if (lines.length === 0) return;
    this.#sentLines += lines.length;
    // A line that is too long stays plain, and the grammar continues after it.
    styler.add(lines.map((line) => (line.length > MAX_STYLED_LINE_CHARS ? '' : line)));
  }

  #addLine(line: string): void {
    this.#lines.push(line);
    const node = document.createTextNode(`${shown(line)}\n`);
    this.#chunkForNextLine().append(node);
    this.#chunkLines += 1;
    if (this.#isStyled) this.#plainNodes.push(node);
  }

  #chunkForNextLine(): HTMLElement {
    if (this.#chunk === undefined || this.#chunkLines >= CHUNK_LINES) {
      this.#chunk = document.createElement('span');
      this.#chunk.className = 'md-code-chunk';
      this.#chunkLines = 0;
      this.#code.append(this.#chunk);
    }
    return this.#chunk;
  }

  #styleLine(pieces: StyledLine): void {
    const node = this.#plainNodes[this.#styledLines];
    this.#styledLines += 1;
    if (node === undefined || pieces.every((piece) => piece.className === '')) return;
    node.replaceWith(
      ...pieces.map((piece) => (piece.className === '' ? piece.text : withText('span', piece.className, piece.text))),
      '\n',
    );
  }

  #stopStyling(): void {
    this.#isStyled = false;
    this.#endStyler();
    this.#plainNodes = [];
  }

  #endStyler(): void {
    this.#styler?.dispose();
    this.#styler = undefined;
    this.#sentLines = 0;
  }

  #removeOpenNode(): void {
    this.#openNode?.remove();
    this.#openNode = undefined;
    this.#openLine = '';
  }

  #clear(): void {
    this.#code.replaceChildren();
    this.#lines.length = 0;
    this.#plainNodes = [];
    this.#styledLines = 0;
    this.#endStyler();
    this.#chunk = undefined;
    this.#openNode = undefined;
    this.#openLine = '';
  }

  #drawHeader(): HTMLElement {
    const header = document.createElement('div');
    header.className = 'md-code-header';
    const actions = document.createElement('span');
    actions.className = 'md-code-actions';
    actions.append(
      drawWrapButton(),
      drawButton('copy', l10n.t('Copy'), l10n.t('Copy code')),
      drawButton('insert', l10n.t('Insert'), l10n.t('Insert at Cursor')),
      drawButton('compare', l10n.t('Compare'), l10n.t('Compare with Current File')),
      drawButton('open', l10n.t('New File'), l10n.t('Open as New File')),
    );
    header.append(withText('span', 'md-code-language', this.language === '' ? l10n.t('text') : this.language), actions);
    return header;
  }
}

function drawButton(action: CodeAction, label: string, name: string): HTMLElement {
  const button = withText('button', 'md-code-button', label);
  button.type = 'button';
  button.dataset['action'] = action;
  button.setAttribute('aria-label', name);
  return button;
}

/** Whether long lines of all code on the page are wrapped. */
export function toggleCodeWrap(): void {
  const isOn = document.documentElement.classList.toggle('md-code-wrap');
  for (const button of document.querySelectorAll('.md-code-button[data-action=wrap]')) {
    button.setAttribute('aria-pressed', String(isOn));
  }
}

function drawWrapButton(): HTMLElement {
  const name = l10n.t('Wrap Lines');
  const button = drawButton('wrap', '', name);
  button.title = name;
  button.setAttribute('aria-pressed', String(document.documentElement.classList.contains('md-code-wrap')));
  button.append(icon('word-wrap'));
  return button;
}

function shown(line: string): string {
  if (line.length <= MAX_SHOWN_LINE_CHARS) return line;
  return `${line.slice(0, MAX_SHOWN_LINE_CHARS)}… ${l10n.t('({0} more characters)', line.length - MAX_SHOWN_LINE_CHARS)}`;
}
