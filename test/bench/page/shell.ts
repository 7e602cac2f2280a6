import { idle, parlance, plainText } from './ownRenderers.ts';
import type { MakeRenderer, Renderer } from './renderer.ts';

const budgetMs = 3;

/** What the benchmark calls from outside. */
export interface Shell {
  open(name: string): Promise<void>;
  /** Draws everything, over as many frames as the renderer needs. */
  fill(text: string): Promise<void>;
  /**
   * One piece per frame, until all are drawn or `limitMs` has passed. Returns the number of frames and the time of each
   * call.
   */
  stream(pieces: readonly string[], limitMs: number): Promise<{ readonly frames: number; readonly callsMs: number[] }>;
  /** Draws every text with the same view, all of them on the page. */
  openAll(texts: readonly string[]): Promise<void>;
  /** The content of the page, to check it. */
  census(): Readonly<Record<string, number>>;
}

declare global {
  interface Window {
    shell: Shell;
  }
}

const scroller = document.querySelector('main') ?? document.body;
const root = document.createElement('div');
scroller.append(root);
let renderer: Renderer | undefined;

const frame = (): Promise<number> => new Promise((resolve) => requestAnimationFrame(resolve));

window.shell = {
  async open(name) {
    const own: Record<string, MakeRenderer> = { parlance, plain: plainText, idle };
    const make = own[name] ?? (await peer(name));
    renderer = make(root);
  },
  async fill(text) {
    renderer?.append(text);
    do await frame();
    while (renderer?.render(performance.now() + 20) === false);
    scroller.scrollTop = scroller.scrollHeight;
    for (let settled = 0; settled < 3; settled += 1) await frame();
  },
  async stream(pieces, limitMs) {
    const callsMs: number[] = [];
    const started = performance.now();
    for (const piece of pieces) {
      await frame();
      const before = performance.now();
      renderer?.append(piece);
      renderer?.render(before + budgetMs);
      callsMs.push(performance.now() - before);
      scroller.scrollTop = scroller.scrollHeight;
      if (performance.now() - started > limitMs) break;
    }
    await frame();
    return { frames: callsMs.length, callsMs };
  },
  async openAll(texts) {
    const views = texts.map((text) => {
      const view = parlance(root);
      view.append(text);
      return view;
    });
    // A worker provides the colors for all of them.
    for (let rest = views; rest.length > 0; await frame()) {
      rest = rest.filter((view) => !view.render(performance.now() + 1000));
    }
    scroller.scrollTop = scroller.scrollHeight;
    for (let shown = 0; shown < 3; shown += 1) await frame();
  },
  census: () => {
    const count = (selector: string): number => root.querySelectorAll(selector).length;
    return {
      headings: count('h1,h2,h3,h4,h5,h6'),
      items: count('li'),
      rows: count('tr'),
      code: count('pre'),
      strong: count('strong,[data-streamdown="strong"]'),
      formulas: count('math'),
      untypeset: count('.md-formula') - count('math'),
      chars: root.textContent.length,
    };
  },
};

async function peer(name: string): Promise<MakeRenderer> {
  // Not a literal, because its types exist only where the peers are installed.
  const file = './peers.js';
  const { peers } = (await import(file)) as { peers: Record<string, MakeRenderer> };
  const make = peers[name];
  if (make === undefined) throw new Error(`No renderer is named ${name}`);
  return make;
}
