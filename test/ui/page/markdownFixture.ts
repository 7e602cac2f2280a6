import { type CodeActions, MarkdownView } from '../../../src/webview/markdown/markdownView.ts';

/** What a test can do with the Markdown views of the fixture page. */
export interface MarkdownFixture {
  /** Calls of the views' actions, each with its arguments. */
  readonly calls: (readonly string[])[];
  readonly violations: string[];
  /** A new view, the only one on the page, that receives text piece by piece, each drawn before the next. */
  stream(pieces: readonly string[]): Promise<void>;
  /** The same for complete text; returns the markup. */
  complete(pieces: readonly string[]): Promise<string>;
  append(text: string): Promise<void>;
  finish(): Promise<void>;
  /** Draws until the view reports that everything is drawn. */
  draw(): Promise<void>;
  /** The markup of the view. */
  markup(): string;
  source(): string;
  dispose(): void;
  /** Contrast of each class of code against its background. */
  contrasts(classNames: readonly string[]): number[];
  /** Changes to the page made by each smallest step, when a complete text is drawn. */
  changes(text: string): Promise<number[]>;
  /** Milliseconds of each `append` and `render` of a reply that arrives in pieces, one per frame. */
  measure(pieces: readonly string[], budgetMs: number): Promise<{ appendMs: number; renderMs: number[] }>;
}

declare global {
  interface Window {
    markdown: MarkdownFixture;
  }
}

let changeCount = 0;
/** Counts the calls of a method, whether they change anything or not: each takes time. */
function count<Target extends object>(target: Target, names: readonly (keyof Target & string)[]): void {
  for (const name of names) {
    const original = target[name] as (...args: unknown[]) => unknown;
    Object.defineProperty(target, name, {
      value(this: unknown, ...args: unknown[]): unknown {
        changeCount += 1;
        return original.apply(this, args);
      },
    });
  }
}
count(Element.prototype, ['append', 'replaceChildren', 'replaceWith', 'remove', 'setAttribute']);
count(DOMTokenList.prototype, ['toggle', 'add']);
count(Document.prototype, ['createElement', 'createTextNode']);

const SLICE_MS = 50;
const calls: (readonly string[])[] = [];
const violations: string[] = [];
const actions: CodeActions = {
  copy: (text, onCopied) => {
    calls.push(['copy', text]);
    onCopied();
  },
  insert: (text) => calls.push(['insert', text]),
  compare: (text) => calls.push(['compare', text]),
  open: (text, language) => calls.push(['open', text, language]),
  openLink: (href) => calls.push(['openLink', href]),
};

let view = new MarkdownView(actions);

function renew(): void {
  view.dispose();
  view = new MarkdownView(actions);
  document.querySelector('main')?.replaceChildren(view.element);
}

function nextFrame(): Promise<number> {
  return new Promise((resolve) => {
    requestAnimationFrame(resolve);
  });
}

/** Relative luminance of a computed color, as WCAG defines it. */
function luminance(color: string): number {
  const [red = 0, green = 0, blue = 0] = (color.match(/\d+/g) ?? []).map((part) => {
    const value = Number(part) / 255;
    return value <= 0.040_45 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

async function draw(): Promise<void> {
  while (!view.render(performance.now() + SLICE_MS)) await nextFrame();
}

document.addEventListener('securitypolicyviolation', (event) => {
  violations.push(`${event.violatedDirective} ${event.blockedURI}`);
});

window.markdown = {
  calls,
  violations,
  draw,
  async stream(pieces) {
    renew();
    for (const piece of pieces) {
      view.append(piece);
      // The pieces don't wait for colors.
      view.render(performance.now() + SLICE_MS);
    }
    await draw();
  },
  async complete(pieces) {
    await window.markdown.stream(pieces);
    await window.markdown.finish();
    return view.element.innerHTML;
  },
  async append(text) {
    view.append(text);
    await draw();
  },
  async finish() {
    view.finish();
    await draw();
  },
  markup: () => view.element.innerHTML,
  source: () => view.source,
  dispose: () => view.dispose(),
  contrasts(classNames) {
    const block = document.querySelector('.md-code');
    const chunk = document.querySelector('.md-code-chunk');
    if (block === null || chunk === null) return [];
    const background = luminance(getComputedStyle(block).backgroundColor);
    return classNames.map((className) => {
      const span = document.createElement('span');
      span.className = className;
      chunk.append(span);
      const text = luminance(getComputedStyle(span).color);
      return (Math.max(text, background) + 0.05) / (Math.min(text, background) + 0.05);
    });
  },
  async changes(text) {
    renew();
    view.append(text);
    view.finish();
    const steps: number[] = [];
    for (let isDone = false; !isDone;) {
      const before = changeCount;
      isDone = view.render(0);
      steps.push(changeCount - before);
      if (steps.length % 500 === 0) await nextFrame();
    }
    return steps;
  },
  async measure(pieces, budgetMs) {
    renew();
    const renderMs: number[] = [];
    let appendMs = 0;
    const render = (): boolean => {
      const start = performance.now();
      const isDone = view.render(start + budgetMs);
      renderMs.push(performance.now() - start);
      return isDone;
    };
    for (const piece of pieces) {
      const start = performance.now();
      view.append(piece);
      appendMs += performance.now() - start;
      render();
      await nextFrame();
    }
    view.finish();
    while (!render()) await nextFrame();
    return { appendMs, renderMs };
  },
};
