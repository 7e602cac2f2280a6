import { fork } from 'node:child_process';
import { join } from 'node:path';
import { projectFolder, projectPath } from './folders.ts';
import { isFileResult, sumOf, type FileResult, type SuiteResult } from './suiteResult.ts';

export type ToWorker =
  | {
      readonly type: 'run';
      /** Absolute. */
      readonly file: string;
      readonly grep?: string | undefined;
      readonly timeoutMs: number;
    }
  | { readonly type: 'end'; readonly leftoverLimitMs: number };

export type FromWorker =
  | { readonly type: 'printed'; readonly text: string }
  | { readonly type: 'finished'; readonly results: SuiteResult };

export interface FileRun {
  readonly grep?: string | undefined;
  /** For each test and hook without its own. */
  readonly timeoutMs: number;
}

export interface RanFile extends FileResult {
  /** All output of the file, including mocha's report. */
  readonly text: string;
}

/**
 * A process that runs test files one after another, and can keep things open between them (`atWorkerEnd.ts`). A file
 * that ends the process counts as a failure, and the next one gets a new process.
 */
export class TestWorker {
  readonly #options: FileRun;
  #process: RunningWorker | undefined;

  constructor(options: FileRun) {
    this.#options = options;
  }

  /** @param file absolute */
  async run(file: string): Promise<RanFile> {
    const started = performance.now();
    this.#process ??= startWorker();
    const worker = this.#process;
    const { results, text } = await worker.run({ type: 'run', file, ...this.#options });
    if (results === undefined) this.#process = undefined;
    const counts = results === undefined ? { passed: 0, failed: 1, skipped: 0 } : sumOf(results);
    const skips = results?.flatMap((result) => result.skips ?? []) ?? [];
    return { file: projectPath(file), ...counts, skips, ms: performance.now() - started, text };
  }

  /**
   * Closes what the files kept open.
   * @param leftoverLimitMs for what the tests themselves left open to end
   * @returns what went wrong with that, or nothing.
   */
  async end(leftoverLimitMs = 10_000): Promise<string | undefined> {
    const worker = this.#process;
    this.#process = undefined;
    return worker?.end(leftoverLimitMs);
  }
}

interface RunningWorker {
  /** Without results if the process ended before it had any. */
  run(message: ToWorker): Promise<{ readonly results: SuiteResult | undefined; readonly text: string }>;
  end(leftoverLimitMs: number): Promise<string | undefined>;
}

function startWorker(): RunningWorker {
  // Tests read what programs and mocha print, and CI services ask for colors even where no terminal shows them.
  const env = { ...process.env, NO_COLOR: '1', FORCE_COLOR: undefined };
  const child = fork(join(import.meta.dirname, 'testWorker.ts'), { cwd: projectFolder, env });
  const exited = Promise.withResolvers<number>();
  child.once('exit', (code, signal) => {
    // A user pressed Ctrl+C: don't start the next file.
    if (signal === 'SIGINT') process.exit(130);
    exited.resolve(code ?? 1);
  });
  let text = '';
  let finish: ((results: SuiteResult) => void) | undefined;
  child.on('message', (message: FromWorker) => {
    if (message.type === 'printed') text += message.text;
    else if (message.results.every(isFileResult)) finish?.(message.results);
  });
  return {
    async run(message) {
      text = '';
      const finished = Promise.withResolvers<SuiteResult>();
      finish = finished.resolve;
      // One that has ended since its previous file can't receive it; how it ended is the result.
      child.send(message, () => undefined);
      const results = await Promise.race([finished.promise, exited.promise]);
      if (typeof results !== 'number') return { results, text };
      return {
        results: undefined,
        text: `${text}\nThe process ended with code ${results} before the file was done.\n`,
      };
    },
    async end(leftoverLimitMs) {
      text = '';
      if (child.connected) child.send({ type: 'end', leftoverLimitMs } satisfies ToWorker);
      const code = await exited.promise;
      return code === 0 ? undefined : text || `A worker ended with code ${code}.`;
    },
  };
}
