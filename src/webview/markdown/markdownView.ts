import * as l10n from '@vscode/l10n';
import { BlockStream } from './stream/blockStream.ts';
import { ReferenceNames } from './characterReferences.ts';
import { type CodeBlockView, toggleCodeWrap } from './blocks/codeBlockView.ts';
import { pageHighlighting } from './highlight/codeHighlighting.ts';
import { DomSink } from './domSink.ts';
import { commaSeparated, type TableRows, tabSeparated } from './blocks/tableText.ts';
import { formulaReading } from './stream/formulaReading.ts';
import { lexBlocks, noLinks } from './stream/boundedLexer.ts';

/** What the page does with code and links. The view itself changes nothing outside its element. */
export interface CodeActions {
  /** @param onCopied called once the text is on the clipboard */
  copy(text: string, onCopied: () => void): void;
  insert(text: string): void;
  /** Compares it with the file in the last editor. */
  compare(text: string): void;
  /** `language` is the first word after the fence, as the model wrote it; empty if there's none. */
  open(text: string, language: string): void;
  /** `href` is absolute: http, https, or mailto. */
  openLink(href: string): void;
}

const COPIED_MS = 1500;

/**
 * Draws Markdown that is still being written. `append` only stores the text, and `render` draws it in slices, so that
 * the page decides how much of a frame that uses.
 *
 * Nothing in the text is ever parsed as HTML, loaded, or followed: elements are created one by one, links have no
 * `href`, and images are links.
 */
export class MarkdownView {
  readonly element = document.createElement('div');
  readonly #actions: CodeActions;
  readonly #hrefs = new WeakMap<Element, string>();
  readonly #sink: DomSink;
  readonly #stream: BlockStream;
  readonly #copied = new Map<HTMLElement, { readonly label: string; readonly timer: ReturnType<typeof setTimeout> }>();
  #status: HTMLElement | undefined;
  #source = '';
  /** A carriage return at the end so far, which might be half a line break. */
  #heldReturn = '';
  /** Text that might contain a formula, until the code that reads formulas is loaded. */
  #waiting: string | undefined;
  #isFinished = false;
  /** The text is complete, and its headings are still being checked. */
  #headings: EvenHeadings | undefined;

  /** Makes the first view as fast as later ones, in idle moments. */
  static warm(): void {
    warmLexer();
  }

  constructor(actions: CodeActions) {
    this.#actions = actions;
    this.element.className = 'md';
    this.#sink = new DomSink(
      this.element,
      this.#hrefs,
      new ReferenceNames(),
      pageHighlighting(),
      () => this.#stream.links,
    );
    this.#stream = new BlockStream(this.#sink);
    this.element.addEventListener('click', this.#onClick);
    this.element.addEventListener('auxclick', this.#onClick);
    this.element.addEventListener('keydown', this.#onKeydown);
  }

  /** All text that was appended, unchanged. */
  get source(): string {
    return this.#source;
  }

  /** Adds text to draw. Ignored after {@link finish}. */
  append(text: string): void {
    const before = this.#source;
    this.#source += text;
    if (this.#waiting !== undefined) this.#waiting += text;
    else if (formulaReading.isWaitingFor(text, before)) this.#waiting = text;
    else this.#take(text);
  }

  #take(text: string): void {
    const whole = this.#heldReturn + text;
    this.#heldReturn = whole.endsWith('\r') ? '\r' : '';
    this.#stream.append(whole.slice(0, whole.length - this.#heldReturn.length).replace(/\r\n?/g, '\n'));
  }

  /** The text is complete. {@link render} still has to draw the rest. */
  finish(): void {
    this.#isFinished = true;
    if (this.#waiting === undefined) this.#end();
  }

  #end(): void {
    if (this.#heldReturn !== '') this.#stream.append('\n');
    this.#heldReturn = '';
    this.#stream.finish();
    this.#headings = new EvenHeadings(this.element);
  }

  /**
   * Draws until `performance.now()` passes `deadlineMs`, but at least one small step. True when all text is drawn, all
   * formulas are typeset, and all code with a grammar is highlighted; false while anything needed for that is being
   * loaded.
   */
  render(deadlineMs: number): boolean {
    if (this.#waiting !== undefined && !formulaReading.isLoading) {
      this.#take(this.#waiting);
      this.#waiting = undefined;
      if (this.#isFinished) this.#end();
    }
    return this.#draw(deadlineMs) && this.#waiting === undefined;
  }

  #draw(deadlineMs: number): boolean {
    do {
      if (!this.#stream.step() && !this.#sink.redrawNext()) {
        if (this.#headings === undefined) return this.#sink.style(deadlineMs);
        if (!this.#headings.step()) this.#headings = undefined;
      }
    } while (performance.now() < deadlineMs);
    return false;
  }

  dispose(): void {
    for (const { timer } of this.#copied.values()) clearTimeout(timer);
    this.#copied.clear();
    this.#sink.dispose();
    this.element.removeEventListener('click', this.#onClick);
    this.element.removeEventListener('auxclick', this.#onClick);
    this.element.removeEventListener('keydown', this.#onKeydown);
    this.element.remove();
  }

  readonly #onClick = (event: MouseEvent): void => {
    if (!(event.target instanceof Element)) return;
    if (this.#followLink(event.target, event)) return;
    const button = event.target.closest<HTMLElement>('.md-code-button, .md-table-button');
    const code = button === null ? undefined : this.#sink.codeOf(button);
    const table = button === null ? undefined : this.#sink.tableOf(button);
    if (button === null || event.type !== 'click') return;
    if (code !== undefined) this.#act(button, code);
    if (table !== undefined) this.#copyTable(button, table.texts());
  };

  readonly #onKeydown = (event: KeyboardEvent): void => {
    if (event.key === 'Enter' && event.target instanceof Element) this.#followLink(event.target, event);
  };

  #followLink(target: Element, event: Event): boolean {
    const link = target.closest('.md-link');
    const href = link === null ? undefined : this.#hrefs.get(link);
    if (href === undefined) return false;
    event.preventDefault();
    // The webview's own click handler must not open it a second time.
    event.stopPropagation();
    const isContextClick = event instanceof MouseEvent && event.button === 2;
    if (!isContextClick) this.#actions.openLink(href);
    return true;
  }

  #act(button: HTMLElement, code: CodeBlockView): void {
    const action = button.dataset['action'];
    if (action === 'wrap') toggleCodeWrap();
    if (action === 'insert') this.#actions.insert(code.text);
    if (action === 'compare') this.#actions.compare(code.text);
    if (action === 'open') this.#actions.open(code.text, code.language);
    if (action === 'copy') this.#actions.copy(code.text, () => this.#confirmCopy(button));
  }

  #copyTable(button: HTMLElement, rows: TableRows): void {
    const text = button.dataset['action'] === 'copyCsv' ? commaSeparated(rows) : tabSeparated(rows);
    this.#actions.copy(text, () => this.#confirmCopy(button));
  }

  #confirmCopy(button: HTMLElement): void {
    const label = this.#copied.get(button)?.label ?? button.textContent;
    clearTimeout(this.#copied.get(button)?.timer);
    const copied = l10n.t('Copied');
    button.textContent = copied;
    this.#announce(copied);
    const restore = (): void => {
      this.#copied.delete(button);
      button.textContent = label;
      this.#announce('');
    };
    this.#copied.set(button, { label, timer: setTimeout(restore, COPIED_MS) });
  }

  #announce(text: string): void {
    if (this.#status === undefined) {
      this.#status = document.createElement('div');
      this.#status.className = 'md-status';
      this.#status.setAttribute('role', 'status');
      this.element.append(this.#status);
    }
    this.#status.textContent = text;
  }
}

/** Everything that a reply is likely to contain, in pieces that each take a few milliseconds the first time. */
const PIECES: readonly string[] = [
  'a b c\n\nd\n',
  'a **b** *c* `d` [e](https://f.example) ~~g~~ <h> &amp; https://i.example\n',
  '# a\n\nb\n===\n',
  '- a\n- b\n  - c\n',
  '1. a\n\n   b\n',
  '> a\n> b\n',
  '| a | b |\n| --- | :-: |\n| `c` | d |\n',
  '    a\n\n<b>\nc\n</b>\n\n[d]: /e "f"\n\n---\n',
];

/**
 * The browser compiles the lexer's expressions when they're first used, and again at the second use. If that's done in
 * idle moments before, it doesn't delay the first words of the first reply.
 */
function warmLexer(pieces: readonly string[] = PIECES): void {
  const [piece, ...rest] = pieces;
  if (piece === undefined) return;
  requestIdleCallback(() => {
    for (let use = 0; use < 2; use += 1) lexBlocks(piece, noLinks());
    warmLexer(rest);
  });
}

/** A message is the second level of the page. */
const messageLevel = 2;
/** Number of headings checked in one step, because a text can consist of nothing but headings. */
const STEP_HEADINGS = 200;

/**
 * Gives each heading a level at most one below the previous one, as users who navigate by headings expect: a model that
 * starts with its third level skips two. What is visible stays as the model wrote it. Works in small steps.
 */
class EvenHeadings {
  readonly #headings: HTMLCollectionOf<Element>;
  #next = 0;
  /** Original levels of the headings that the next one can belong to. */
  #above: readonly number[] = [];

  constructor(root: Element) {
    this.#headings = root.getElementsByClassName('md-heading');
  }

  /** @returns false when all headings are done. */
  step(): boolean {
    for (let count = 0; count < STEP_HEADINGS; count += 1) {
      const heading = this.#headings.item(this.#next);
      if (heading === null) return false;
      this.#next += 1;
      const own = Number(heading.localName.slice(1));
      const written = Number(heading.getAttribute('aria-level') ?? own);
      this.#above = [...this.#above.filter((level) => level < written), written];
      const level = messageLevel + this.#above.length;
      if (level !== written) heading.setAttribute('aria-level', String(level));
    }
    return true;
  }
}
