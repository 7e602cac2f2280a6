import { Worker } from 'node:worker_threads';
import * as l10n from '@vscode/l10n';
import type { CheckedReply, Expectation, Verdict } from '../../core/checks/expectation.ts';
import { quickVerdict } from '../../core/checks/verdicts/quickVerdict.ts';
import { durationText } from '../../words/duration.ts';
import { Queue } from '../disk/queue.ts';
import { ready, type VerdictPatience, type VerdictTask } from './verdictTask.ts';

/** In milliseconds. Much longer than any pattern that terminates takes on a busy machine. */
const LONGEST_MS = 5000;
/** In MB. A schema or a reply can expand to anything. */
const MOST_MEGABYTES = 256;

interface Answer {
  readonly verdicts: readonly Verdict[];
  readonly failure?: string;
  readonly isTooLong?: boolean;
}

/**
 * Judges replies on a separate thread, because a pattern, a schema, or a reply full of braces can take forever. The
 * thread is started with the first task, and terminated when a task takes too long.
 */
export class VerdictThread {
  readonly #script: URL;
  readonly #bundle: Readonly<Record<string, string>> | undefined;
  readonly #longestMs: number;
  readonly #queue = new Queue();
  #worker: Worker | undefined;
  #isReady = false;
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
    const found =
      slow.length === 0 ? [] : [...(await this.#decide({ expectations: slow, reply, isOfJudge: false }, patience))];
    return quick.map((verdict) => verdict ?? found.shift() ?? undecided(''));
  }

  /** Reads a judge's verdict, which is as untrusted as any other reply. Never rejects. */
  async judged(rubric: Expectation, judge: string, patience?: VerdictPatience): Promise<Verdict> {
    const reply = { text: judge, latencyMs: 0 };
    const [verdict] = await this.#decide({ expectations: [rubric], reply, isOfJudge: true }, patience);
    return verdict ?? undecided('');
  }

  #decide({ expectations, ...task }: VerdictTask, patience?: VerdictPatience): Promise<readonly Verdict[]> {
    return this.#queue.run(async () => {
      const all: Verdict[] = [];
      for (let next = expectations[0]; next !== undefined; next = expectations[all.length]) {
        const why = patience?.whyNot(next);
        if (why !== undefined) {
          all.push(undecided(why));
          continue;
        }
        const found = await this.#ask({ ...task, expectations: expectations.slice(all.length) });
        all.push(...found.verdicts);
        const failed = expectations[all.length];
        if (found.failure === undefined) continue;
        all.push(undecided(found.failure));
        if (found.isTooLong === true && failed !== undefined) patience?.tookTooLong(failed);
      }
      return all;
    });
  }

  dispose(): void {
    this.#disposed = true;
    this.#end();
  }

  /** The verdicts in order until one fails, and why. */
  #ask(task: VerdictTask): Promise<Answer> {
    const worker = (this.#worker ??= this.#start());
    const verdicts: Verdict[] = [];
    const { promise, resolve } = Promise.withResolvers<Answer>();
    const fail = (failure: string, isTooLong = false) => {
      this.#end();
      resolve({ verdicts, failure, isTooLong });
    };
    const tooLong = () =>
      fail(l10n.t('This took longer than {0}, so it was stopped.', durationText(this.#longestMs / 1000)), true);
    let timer: NodeJS.Timeout | undefined;
    const wait = () => {
      clearTimeout(timer);
      timer = setTimeout(tooLong, this.#longestMs);
    };
    const take = (said: Verdict | typeof ready) => {
      if (said === ready) this.#isReady = true;
      else verdicts.push(said);
      if (verdicts.length === task.expectations.length) resolve({ verdicts });
      else wait();
    };
    // The time that a thread takes to start isn't the pattern's fault.
    if (this.#isReady) wait();
    const failed = (error: Error) => fail(error.message);
    worker.on('message', take);
    worker.once('error', failed);
    if (this.#disposed) fail('');
    else worker.postMessage(task);
    return promise.finally(() => {
      clearTimeout(timer);
      worker.off('message', take);
      worker.off('error', failed);
    });
  }

  #start(): Worker {
    const worker = new Worker(this.#script, {
      workerData: { bundle: this.#bundle },
      // Without this process's flags, some of which a worker rejects.
      execArgv: [],
      resourceLimits: { maxOldGenerationSizeMb: MOST_MEGABYTES },
      name: 'verdicts',
    });
    worker.unref();
    return worker;
  }

  #end(): void {
    const worker = this.#worker;
    this.#worker = undefined;
    this.#isReady = false;
    void worker?.terminate();
  }
}

function undecided(reason: string): Verdict {
  return { pass: false, score: 0, reason, isUndecided: true };
}
