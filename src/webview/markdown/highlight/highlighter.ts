import type { LanguageRegistration } from '@shikijs/types';
import { grammarModules } from './grammarModules.ts';
import { HighlightJob } from './highlightJob.ts';
import type { FromHighlightWorker, StyledLine, ToHighlightWorker } from './highlightProtocol.ts';
import workerScript from 'worker:./highlightWorker.ts';

/**
 * Of these the languages that may stand in their strings are left out: Ruby would bring C++ and eleven more, 1.3 MB
 * before its first line has colors.
 */
const byThemselves = new Set(['graphql', 'julia', 'perl', 'ruby']);
/** A worker that says nothing for so long is stuck in one pattern: no grammar's line takes that long otherwise. */
const PATIENCE_MS = 2000;

/** Colors the lines of one piece of code, in their order. */
export interface LineStyler {
  add(lines: readonly string[]): void;
  /** The next line that was added; undefined while it is not colored yet. */
  take(): StyledLine | undefined;
  dispose(): void;
}

export interface Grammar {
  start(): LineStyler;
}

/**
 * The page's end of the worker that colors code; in a chunk of its own, with the worker's script. The worker has one
 * batch of lines at a time, so that it is known which line it is stuck in: that one stays plain, and another worker
 * goes on after it.
 */
export class Highlighter {
  #worker: Worker;
  /** Counts the workers: another one knows no grammar, and nothing of the lines before. */
  #generation = 0;
  readonly #languages = new Map<string, readonly LanguageRegistration[]>();
  readonly #known = new Set<string>();
  readonly #jobs = new Map<number, HighlightJob>();
  #codes = 0;
  /** The piece of code that the worker has lines of. */
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
        // An answer that is still on its way belongs to nobody then.
        this.#jobs.delete(code);
        this.#post({ type: 'drop', code });
      },
    };
  }

  /** Gives the worker its next batch, if it has none. */
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
      // Other code comes first: in this one there may be more such lines.
      this.#jobs.delete(code);
      this.#jobs.set(code, job);
    }
    this.#busyWith = undefined;
    this.#next();
  }

  #startWorker(): Worker {
    // From a blob: the page's policy lets nothing be fetched, and a worker must come from the page's own origin.
    const address = URL.createObjectURL(new Blob([workerScript], { type: 'text/javascript' }));
    const worker = new Worker(address);
    URL.revokeObjectURL(address);
    worker.addEventListener('message', ({ data }: MessageEvent<FromHighlightWorker>) => {
      // One that was ended may have said something just before.
      if (worker === this.#worker) this.#answered(data);
    });
    // What it is asked for afterwards stays plain, and nobody waits for it.
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
