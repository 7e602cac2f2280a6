import type { LanguageRegistration } from '@shikijs/types';
import { grammarModules } from './grammarModules.ts';
import type { FromHighlightWorker, StyledLine, ToHighlightWorker } from './highlightProtocol.ts';
import workerScript from 'worker:./highlightWorker.ts';

/**
 * Of these the languages that may stand in their strings are left out: Ruby would bring C++ and eleven more, 1.3 MB
 * before its first line has colours.
 */
const byThemselves = new Set(['graphql', 'julia', 'perl', 'ruby']);

/** Colours the lines of one piece of code, in their order. */
export interface LineStyler {
  add(lines: readonly string[]): void;
  /** The next line that was added; undefined while it is not coloured yet. */
  take(): StyledLine | undefined;
  dispose(): void;
}

export interface Grammar {
  start(): LineStyler;
}

/** The page's end of the worker that colours code; in a chunk of its own, with the worker's script. */
export class Highlighter {
  readonly #worker: Worker;
  /** Coloured lines that were not taken yet, by piece of code. */
  readonly #coloured = new Map<number, StyledLine[]>();
  #codes = 0;
  #isBroken = false;

  constructor() {
    // From a blob: the page's policy lets nothing be fetched, and a worker must come from the page's own origin.
    const address = URL.createObjectURL(new Blob([workerScript], { type: 'text/javascript' }));
    this.#worker = new Worker(address);
    URL.revokeObjectURL(address);
    this.#worker.addEventListener('message', ({ data }: MessageEvent<FromHighlightWorker>) => {
      this.#coloured.get(data.code)?.push(...data.lines);
    });
    // What it is asked for afterwards stays plain, and nobody waits for it.
    this.#worker.addEventListener('error', () => {
      this.#isBroken = true;
    });
  }

  /** @param name one of the grammars in {@link grammarModules}. */
  async load(name: string): Promise<Grammar | undefined> {
    const languages = await languagesOf(name);
    if (languages.length === 0) return undefined;
    this.#post({ type: 'grammar', name, languages });
    return { start: () => this.#start(name) };
  }

  #start(grammar: string): LineStyler {
    const code = (this.#codes += 1);
    const coloured: StyledLine[] = [];
    this.#coloured.set(code, coloured);
    return {
      add: (lines) => this.#post({ type: 'lines', code, grammar, lines }),
      take: () => coloured.shift() ?? (this.#isBroken ? [] : undefined),
      dispose: () => {
        this.#coloured.delete(code);
        this.#post({ type: 'drop', code });
      },
    };
  }

  #post(message: ToHighlightWorker): void {
    this.#worker.postMessage(message);
  }
}

/** A language, with those that may stand in it and in them. */
async function languagesOf(name: string): Promise<LanguageRegistration[]> {
  const found = new Map<string, readonly LanguageRegistration[]>();
  const find = async (each: string): Promise<void> => {
    if (found.has(each)) return;
    found.set(each, []);
    const own = (await grammarModules[each]?.()) ?? [];
    found.set(each, own);
    if (!byThemselves.has(each)) await Promise.all(own.flatMap(({ embeddedLangs = [] }) => embeddedLangs).map(find));
  };
  await find(name);
  return [...found.values()].flat();
}
