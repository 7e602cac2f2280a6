import { Worker } from 'node:worker_threads';
import * as l10n from '@vscode/l10n';
import type { CheckedReply, Expectation, Verdict } from '../../core/checks/expectation.ts';
import { quickVerdict } from '../../core/checks/verdicts/quickVerdict.ts';
import { durationText } from '../../words/duration.ts';
import { type BatchVerdicts, ready, type VerdictBatch, type VerdictPatience, type VerdictTask } from './verdictTask.ts';

/** In milliseconds. Much longer than any pattern that terminates takes on a busy machine. */
const LONGEST_MS = 5000;
/** In MB. A schema or a reply can expand to anything. */
const MOST_MEGABYTES = 256;
/** Replies that arrive within this time are sent together, in milliseconds. */
const GATHERED_MS = 50;
/** Maximum length of the replies that are sent together, in UTF-16 units, unless a single one is longer. */
const MOST_AT_ONCE = 1_000_000;

/** A task with its verdicts so far. */
interface Waiting {
  readonly task: VerdictTask;
  readonly patience: VerdictPatience | undefined;
  /** By the expectation's index. */
  readonly verdicts: Map<number, Verdict>;
  readonly resolve: (verdicts: readonly Verdict[]) => void;
}

/** What the thread is doing. */
interface Working {
  /** In the order in which it gives its verdicts. */
  readonly questions: readonly { readonly of: Waiting; readonly index: number }[];
  readonly begun: Int32Array;
  timer?: NodeJS.Timeout;
}

/**
 * Judges replies on a separate thread, because a pattern, a schema, or a reply full of braces can take forever. The
 * thread is started with the first task, and terminated when a verdict takes too long.
 */
export class VerdictThread {
  readonly #script: URL;
  readonly #bundle: Readonly<Record<string, string>> | undefined;
  readonly #longestMs: number;
  readonly #waiting = new Set<Waiting>();
  #worker: Worker | undefined;
  #working: Working | undefined;
  #isReady = false;
  #gathering: NodeJS.Timeout | undefined;
  #disposed = false;

  /** @param script path of `verdictWorker` */
  constructor(
    script: URL,
    { bundle, longestMs = LONGEST_MS }: { readonly bundle?: Record<string, string>; readonly longestMs?: number } = {},
  ) {
    this.#script = script;
    this.#bundle = bundle;
    this.#longestMs = longestMs;
  }

  /**
   * The verdict of each expectation, in order. Never rejects: a verdict that isn't possible says so. Only what might
   * take a long time is sent to the thread, which takes longer than most verdicts do.
   */
  async verdicts(
    expectations: readonly Expectation[],
    reply: CheckedReply,
    patience?: VerdictPatience,
  ): Promise<readonly Verdict[]> {
    const quick = expectations.map((expectation) => quickVerdict(expectation, reply));
    const slow = expectations.filter((_expectation, at) => quick[at] === undefined);
    const found = [...(await this.#decide({ expectations: slow, reply, isOfJudge: false }, patience))];
    return quick.map((verdict) => verdict ?? found.shift() ?? undecided(''));
  }

  /** Reads a judge's verdict, which is as untrusted as any other reply. Never rejects. */
  async judged(rubric: Expectation, judge: string, patience?: VerdictPatience): Promise<Verdict> {
    const reply = { text: judge, latencyMs: 0 };
    const [verdict] = await this.#decide({ expectations: [rubric], reply, isOfJudge: true }, patience);
    return verdict ?? undecided('');
  }

  dispose(): void {
    this.#disposed = true;
    clearTimeout(this.#gathering);
    this.#end();
    for (const { resolve } of this.#waiting) resolve([]);
    this.#waiting.clear();
  }

  async #decide(task: VerdictTask, patience: VerdictPatience | undefined): Promise<readonly Verdict[]> {
    if (task.expectations.length === 0 || this.#disposed) return [];
    const { promise, resolve } = Promise.withResolvers<readonly Verdict[]>();
    this.#waiting.add({ task, patience, verdicts: new Map(), resolve });
    this.#sendSoon();
    return promise;
  }

  #sendSoon(): void {
    if (this.#working === undefined) this.#gathering ??= setTimeout(() => this.#send(), GATHERED_MS);
  }

  #send(): void {
    this.#gathering = undefined;
    const tasks: VerdictTask[] = [];
    const questions: { readonly of: Waiting; readonly index: number }[] = [];
    let size = 0;
    for (const waiting of this.#waiting) {
      const { task, patience, verdicts } = waiting;
      size += task.reply.text.length;
      if (tasks.length > 0 && size > MOST_AT_ONCE) break;
      const open: Expectation[] = [];
      for (const [index, expectation] of task.expectations.entries()) {
        if (verdicts.has(index)) continue;
        const why = patience?.whyNot(expectation);
        if (why !== undefined) verdicts.set(index, undecided(why));
        else {
          open.push(expectation);
          questions.push({ of: waiting, index });
        }
      }
      if (open.length > 0) tasks.push({ ...task, expectations: open });
    }
    if (tasks.length === 0) {
      this.#settle();
      return;
    }
    const working: Working = { questions, begun: new Int32Array(new SharedArrayBuffer(4)) };
    this.#working = working;
    const worker = (this.#worker ??= this.#start());
    worker.postMessage({ tasks, begun: working.begun } satisfies VerdictBatch);
    // The time that a thread takes to start isn't the pattern's fault.
    if (this.#isReady) this.#limit(working);
  }

  /** Ends the thread if it's still at the same verdict after the longest time. */
  #limit(working: Working): void {
    const before = Atomics.load(working.begun, 0);
    working.timer = setTimeout(() => {
      if (Atomics.load(working.begun, 0) === before)
        this.#failed(
          l10n.t('This took longer than {0}, so it was stopped.', durationText(this.#longestMs / 1000)),
          true,
        );
      else this.#limit(working);
    }, this.#longestMs);
  }

  #take(said: BatchVerdicts | typeof ready): void {
    const working = this.#working;
    if (said === ready) {
      this.#isReady = true;
      if (working !== undefined) this.#limit(working);
      return;
    }
    const verdicts = said.flat();
    for (const [at, { of, index }] of (working?.questions ?? []).entries())
      of.verdicts.set(index, verdicts[at] ?? undecided(''));
    this.#settle();
  }

  /** The thread has no verdict, and neither does a new one: only the others are asked for again. */
  #failed(reason: string, isTooLong = false): void {
    const { questions = [], begun } = this.#working ?? {};
    const at = begun === undefined ? 0 : Atomics.load(begun, 0) - 1;
    // If it didn't even start, another one won't either.
    for (const { of, index } of at < 0 ? questions : questions.slice(at, at + 1)) {
      of.verdicts.set(index, undecided(reason));
      const expectation = of.task.expectations[index];
      if (isTooLong && expectation !== undefined) of.patience?.tookTooLong(expectation);
    }
    this.#end();
    this.#settle();
  }

  #settle(): void {
    clearTimeout(this.#working?.timer);
    this.#working = undefined;
    for (const waiting of this.#waiting) {
      const { task, verdicts, resolve } = waiting;
      if (verdicts.size < task.expectations.length) continue;
      this.#waiting.delete(waiting);
      resolve(task.expectations.map((_expectation, index) => verdicts.get(index) ?? undecided('')));
    }
    if (this.#waiting.size > 0) this.#sendSoon();
  }

  #start(): Worker {
    const worker = new Worker(this.#script, {
      workerData: { bundle: this.#bundle },
      // Without this process's flags, some of which a worker rejects.
      execArgv: [],
      resourceLimits: { maxOldGenerationSizeMb: MOST_MEGABYTES },
      name: 'verdicts',
    });
    worker.on('message', (said: BatchVerdicts | typeof ready) => {
      if (worker === this.#worker) this.#take(said);
    });
    // Also when it has nothing to do: without a listener, an error ends the process.
    worker.on('error', (error) => {
      if (worker === this.#worker) this.#failed(error.message);
    });
    worker.unref();
    return worker;
  }

  #end(): void {
    clearTimeout(this.#working?.timer);
    const worker = this.#worker;
    this.#worker = undefined;
    this.#isReady = false;
    void worker?.terminate();
  }
}

function undecided(reason: string): Verdict {
  return { pass: false, score: 0, reason, isUndecided: true };
}
