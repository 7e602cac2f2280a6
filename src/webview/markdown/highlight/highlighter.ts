import type { LanguageRegistration } from '@shikijs/types';
import { grammarModules } from './grammarModules.ts';
import { HighlightJob } from './highlightJob.ts';
import type { FromHighlightWorker, StyledLine, ToHighlightWorker } from './highlightProtocol.ts';
import workerScript from 'worker:./highlightWorker.ts';

/**
 * For these, languages embedded in their strings are left out: Ruby would load C++ and eleven more, 1.3 MB before its
 * first line is highlighted.
 */
const byThemselves = new Set(['graphql', 'julia', 'perl', 'ruby']);
/** A worker that doesn't respond for this long is stuck in one pattern. No grammar takes that long for a line. */
const PATIENCE_MS = 2000;

/** Highlights the lines of one piece of code, in order. */
export interface LineStyler {
  add(lines: readonly string[]): void;
  /** The next line that was added; undefined while it isn't highlighted yet. */
  take(): StyledLine | undefined;
  dispose(): void;
}

export interface Grammar {
  start(): LineStyler;
}

/**
 * The page's side of the worker that highlights code, in a separate chunk together with the worker's script. The worker
 * has one batch of lines at a time, so that the line in which it gets stuck is known: it stays plain, and another
 * worker continues after it.
 */
export class Highlighter {
  #worker: Worker;
  /** Counts the workers, because a new one has no grammars and no state. */
  #generation = 0;
  readonly #languages = new Map<string, readonly LanguageRegistration[]>();
  readonly #known = new Set<string>();
  readonly #jobs = new Map<number, HighlightJob>();
  #codes = 0;
  /** The piece of code that the worker is highlighting. */
  #busyWith: number | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #isBroken = false;

  constructor() {
    this.#worker = this.#startWorker();
  }

  /** @param name one of the grammars in {@link grammarModules}. */
  async load(name: string): Promise<Grammar | undefined> {
    const languages = await languagesOf(name);
    if (languages.length === 0) return undefined;
    this.#languages.set(name, languages);
    this.#teach(name);
    return { start: () => this.#start(name) };
  }

  #start(grammar: string): LineStyler {
    const code = (this.#codes += 1);
    const job = new HighlightJob(grammar);
    this.#jobs.set(code, job);
    return {
      add: (lines) => {
        job.add(lines);
        this.#next();
      },
      take: () => job.take() ?? (this.#isBroken ? [] : undefined),
      dispose: () => {
        // A response that is still on its way is then ignored.
        this.#jobs.delete(code);
        this.#post({ type: 'drop', code });
      },
    };
  }

  /** Sends the worker its next batch, if it has none. */
  #next(): void {
    if (this.#busyWith !== undefined || this.#isBroken) return;
    for (const [code, job] of this.#jobs) {
      const lines = job.nextBatch(this.#generation);
      if (lines.length === 0) continue;
      this.#teach(job.grammar);
      this.#busyWith = code;
      this.#post({ type: 'lines', code, grammar: job.grammar, lines });
      this.#wait();
      return;
    }
  }

  #answered(message: FromHighlightWorker): void {
    if (message.type === 'alive') {
      if (this.#busyWith !== undefined) this.#wait();
      return;
    }
    clearTimeout(this.#timer);
    if (this.#busyWith !== undefined) this.#jobs.get(this.#busyWith)?.styled(message.lines);
    this.#busyWith = undefined;
    this.#next();
  }

  #wait(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#restart(), PATIENCE_MS);
  }

  #restart(): void {
    this.#worker.terminate();
    this.#known.clear();
    this.#generation += 1;
    this.#worker = this.#startWorker();
    const code = this.#busyWith;
    const job = code === undefined ? undefined : this.#jobs.get(code);
    if (code !== undefined && job !== undefined) {
      job.stuck();
      // Other code comes first, because this one might contain more such lines.
      this.#jobs.delete(code);
      this.#jobs.set(code, job);
    }
    this.#busyWith = undefined;
    this.#next();
  }

  #startWorker(): Worker {
    // From a blob: the page's policy forbids fetching, and a worker must have the page's own origin.
    const address = URL.createObjectURL(new Blob([workerScript], { type: 'text/javascript' }));
    const worker = new Worker(address);
    URL.revokeObjectURL(address);
    worker.addEventListener('message', ({ data }: MessageEvent<FromHighlightWorker>) => {
      // A terminated worker might have responded just before.
      if (worker === this.#worker) this.#answered(data);
    });
    // Everything after this stays plain, without waiting.
    worker.addEventListener('error', () => {
      this.#isBroken = true;
      clearTimeout(this.#timer);
    });
    return worker;
  }

  #teach(grammar: string): void {
    const languages = this.#languages.get(grammar);
    if (languages === undefined || this.#known.has(grammar)) return;
    this.#known.add(grammar);
    this.#post({ type: 'grammar', name: grammar, languages });
  }

  #post(message: ToHighlightWorker): void {
    this.#worker.postMessage(message);
  }
}

/** A language, with its directly and indirectly embedded ones. */
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
