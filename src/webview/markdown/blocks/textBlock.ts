import type { Tokens } from 'marked';
import type { DrawingContext, DrawnBlock } from './drawnBlock.ts';
import { InlineRun } from './inlineRun.ts';
import { isVisible, type VisibleToken } from './visibleToken.ts';

const TASK_MARK = /^\[[ xX]\] /;

type TextToken = Tokens.Paragraph | Tokens.Heading | Tokens.Text;

/** A paragraph, a heading, or the text of a list item. */
export class TextBlock implements DrawnBlock {
  readonly element: HTMLElement;
  readonly #run: InlineRun;
  readonly #kind: string;
  readonly #box: HTMLElement | undefined;
  #src = '';

  constructor(token: TextToken, context: DrawingContext) {
    this.#kind = tokenKind(token);
    this.element = token.type === 'heading' ? drawHeading(token.depth) : document.createElement('p');
    if (this.#kind === 'task') {
      const text = document.createElement('span');
      const box = drawCheckbox();
      this.element.append(box, text);
      this.#box = box;
      this.#run = new InlineRun(text, context.inline, () => box.setAttribute('aria-label', text.textContent));
    } else this.#run = new InlineRun(this.element, context.inline);
    this.patch(token);
  }

  patch(token: VisibleToken): boolean {
    if (!isTextToken(token) || tokenKind(token) !== this.#kind) return false;
    const { text, tokens = [] } = token;
    const [first, ...rest] = tokens;
    const mark = first !== undefined && isVisible(first) && first.type === 'checkbox' ? first : undefined;
    this.#box?.setAttribute('aria-checked', String(mark?.checked === true));
    this.#src = mark === undefined ? text : text.replace(TASK_MARK, '');
    this.#run.patch(mark === undefined ? tokens : rest);
    return true;
  }

  eachRun(visit: (src: string, run: InlineRun) => void): void {
    visit(this.#src, this.#run);
  }

  drop(): void {}
}

function isTextToken(token: VisibleToken): token is TextToken {
  return token.type === 'paragraph' || token.type === 'text' || token.type === 'heading';
}

function tokenKind(token: TextToken): string {
  if (token.type === 'heading') return `heading ${token.depth}`;
  return token.tokens?.[0]?.type === 'checkbox' ? 'task' : 'paragraph';
}

/** Not a form control: browsers store the state of each of those for their history, all of them every second. */
function drawCheckbox(): HTMLElement {
  const box = document.createElement('span');
  box.className = 'md-checkbox';
  box.setAttribute('role', 'checkbox');
  box.setAttribute('aria-disabled', 'true');
  return box;
}

/**
 * A model's top level is the third of the page: the view has the first, a message the second. Levels below h6 only
 * exist as `aria-level`.
 */
function drawHeading(depth: number): HTMLElement {
  const level = depth + 2;
  const element = document.createElement(`h${Math.min(level, 6)}`);
  element.className = `md-heading md-heading-${depth}`;
  if (level > 6) element.setAttribute('aria-level', String(level));
  return element;
}

/** Raw HTML, shown as text, and everything without parts to redraw. */
export class StaticBlock implements DrawnBlock {
  readonly element: HTMLElement;
  readonly #type: string;
  readonly #raw: string;

  constructor(token: VisibleToken) {
    this.#type = token.type;
    this.#raw = token.raw;
    this.element = document.createElement(token.type === 'hr' ? 'hr' : 'p');
    if (token.type === 'hr') return;
    this.element.className = 'md-html';
    this.element.textContent = token.raw.replace(/\n+$/, '');
  }

  patch(token: VisibleToken): boolean {
    return token.type === this.#type && (token.type === 'hr' || token.raw === this.#raw);
  }

  eachRun(): void {}

  drop(): void {}
}
