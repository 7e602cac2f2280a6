import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import type { InferenceService } from '../service/inferenceService.ts';
import { prepareGround, startWorkbench, type WorkbenchGround, type WorkbenchOptions } from './useWorkbench.ts';
import type { WorkbenchPage } from './workbenchPage.ts';

export interface KeptWorkbenchOptions extends WorkbenchOptions {
  /** Prepares the folder in which Parlance keeps its files before VS Code first starts. */
  readonly prepareStorage?: (folder: string, cleanup: AsyncDisposableStack) => Promise<void>;
  /** The faults that tests are about. */
  readonly expectedFaults?: RegExp;
}

/**
 * VS Code that is started again and again with the same data, folder, and service. Each start has its own browser
 * profile, so what is restored comes from the disk. What went wrong is an error at the end, unless `watchWorkbench` took
 * it after a test.
 */
export class KeptWorkbench {
  /** The folder in which Parlance keeps its files. */
  readonly storage: string;
  readonly #options: KeptWorkbenchOptions;
  readonly #ground: WorkbenchGround;
  readonly #cleanup: AsyncDisposableStack;
  #started: AsyncDisposableStack | undefined;
  #page: WorkbenchPage | undefined;
  #starts = 0;
  /** Of those that were closed. */
  readonly #earlierFaults: string[] = [];

  private constructor(options: KeptWorkbenchOptions, ground: WorkbenchGround, cleanup: AsyncDisposableStack) {
    this.storage = storageIn(ground.dataFolder ?? '');
    this.#options = options;
    this.#ground = ground;
    this.#cleanup = cleanup;
  }

  static async prepare(options: KeptWorkbenchOptions): Promise<KeptWorkbench> {
    const cleanup = new AsyncDisposableStack();
    const dataFolder = await mkdtemp(join(tmpdir(), 'parlance-kept-'));
    cleanup.defer(() => rm(dataFolder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 }));
    try {
      await mkdir(storageIn(dataFolder), { recursive: true });
      await options.prepareStorage?.(storageIn(dataFolder), cleanup);
      const ground = { ...(await prepareGround(options, cleanup)), dataFolder };
      return new KeptWorkbench(options, ground, cleanup);
    } catch (error) {
      await cleanup.disposeAsync();
      throw error;
    }
  }

  get service(): InferenceService {
    return this.#ground.service;
  }

  /** The currently open one. */
  get page(): WorkbenchPage {
    if (!this.#page) throw new Error('The workbench is not open');
    return this.#page;
  }

  async start(): Promise<WorkbenchPage> {
    await this.close();
    const started = new AsyncDisposableStack();
    this.#started = started;
    this.#page = await startWorkbench(this.#options, this.#ground, started);
    return this.#page;
  }

  /** Closes VS Code like a user. */
  async close(): Promise<void> {
    const [page, started] = [this.#page, this.#started];
    this.#page = undefined;
    this.#started = undefined;
    try {
      if (page) {
        const name = await this.#record(page);
        const faults = await this.#unexpectedFaults(page);
        if (faults.length > 0) console.log(`      see ${await page.keepEvidence(name)}`);
        this.#earlierFaults.push(...faults);
      }
    } finally {
      await started?.disposeAsync();
    }
  }

  /** Ends VS Code's server and its extension host like a power failure, and then the browser. */
  async kill(): Promise<void> {
    await this.page.server.kill();
    await this.close();
  }

  /** What went wrong since the last call, in the open one and in those that were closed. */
  async takeSettledFaults(): Promise<readonly string[]> {
    const ofPage = this.#page ? await this.#unexpectedFaults(this.#page) : [];
    return [...this.#earlierFaults.splice(0), ...ofPage];
  }

  async keepEvidence(name: string): Promise<string | undefined> {
    return this.#page?.keepEvidence(name);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    try {
      await this.close();
      assert.deepEqual(this.#earlierFaults, []);
    } finally {
      await this.#cleanup.disposeAsync();
    }
  }

  async #unexpectedFaults(page: WorkbenchPage): Promise<readonly string[]> {
    const { expectedFaults } = this.#options;
    return (await page.takeSettledFaults()).filter((fault) => expectedFaults?.test(fault) !== true);
  }

  /** @returns the name of the record. */
  async #record(page: WorkbenchPage): Promise<string> {
    this.#starts += 1;
    const name = `${basename(this.#ground.dataFolder ?? '')} ${this.#starts}`;
    await page.boundaries.save(name);
    return name;
  }
}

function storageIn(dataFolder: string): string {
  return join(dataFolder, 'data', 'User', 'globalStorage', 'parlance.parlance');
}
