import type { Tokens } from 'marked';
import type { DrawingContext, DrawnBlock } from './drawnBlock.ts';
import { InlineRun } from './inlineRun.ts';
import type { VisibleToken } from './visibleToken.ts';

const TASK_MARK = /^\[[ xX]\] /;

type TextToken = Tokens.Paragraph | Tokens.Heading | Tokens.Text;

/** A paragraph, a heading or the text of a list item. */
export class TextBlock implements DrawnBlock {
  readonly element: HTMLElement;
  readonly #run: InlineRun;
  readonly #kind: string;
  #src = '';

  constructor(token: TextToken, context: DrawingContext) {
    this.#kind = kindOf(token);
    this.element = token.type === 'heading' ? drawHeading(token.depth) : document.createElement('p');
    let text = this.element;
    if (this.#kind === 'task') {
      // A label, because it names the checkbox in it.
      text = document.createElement('label');
      this.element.append(text);
    }
    this.#run = new InlineRun(text, context.inline);
    this.patch(token);
  }

  patch(token: VisibleToken): boolean {
    if (!isTextToken(token) || kindOf(token) !== this.#kind) return false;
    const { text, tokens = [] } = token;
    this.#src = tokens[0]?.type === 'checkbox' ? text.replace(TASK_MARK, '') : text;
    this.#run.patch(tokens);
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

function kindOf(token: TextToken): string {
  if (token.type === 'heading') return `heading ${token.depth}`;
  return token.tokens?.[0]?.type === 'checkbox' ? 'task' : 'paragraph';
}

/**
 * A model's first level is the third of the page: the view has the first, a message the second.
 * Levels below h6 exist only as `aria-level`.
 */
function drawHeading(depth: number): HTMLElement {
  const level = depth + 2;
  const element = document.createElement(`h${Math.min(level, 6)}`);
  element.className = `md-heading md-heading-${depth}`;
  if (level > 6) element.setAttribute('aria-level', String(level));
  return element;
}

/** Raw HTML, shown as the text it is, and everything that has no parts to redraw. */
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
