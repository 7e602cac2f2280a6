import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { build } from 'esbuild';
import { cacheFolder } from '../../workbench/folders.ts';
import type { ClientReport, ClientTask } from './clientProcess.ts';
import type { ClockedReply, Pace } from './clockedReply.ts';
import { clockPath, type Mode, type Workload } from './workload.ts';

const sources = {
  raw: 'client/rawClient.ts',
  parser: 'client/parsingClient.ts',
  parlance: 'client/parlanceClient.ts',
  openai: 'peers/openaiClient.mjs',
  aiSdk: 'peers/aiSdkClient.mjs',
  measuring: 'client/measuringClient.ts',
} as const;

export type ClientName = keyof typeof sources;
/** For the client rows only. */
export const clientNames = ['raw', 'parser', 'parlance', 'openai', 'aiSdk'] as const satisfies readonly ClientName[];

export const clientLabels: Readonly<Record<ClientName, string>> = {
  raw: 'undici, bytes only',
  parser: 'undici + eventsource-parser + JSON.parse',
  parlance: 'Parlance',
  openai: 'openai',
  aiSdk: 'AI SDK',
  measuring: 'Parlance, measuring',
};

const builtFolder = join(cacheFolder, 'bench');

/** The service and the clients, each in its own process. */
export class ClientBench {
  readonly #origin: string;
  readonly #clockedOrigin: string;
  readonly #server: ChildProcess;
  readonly #clients = new Map<ClientName, ChildProcess>();

  private constructor(server: ChildProcess, origin: string, clockedOrigin: string) {
    this.#server = server;
    this.#origin = origin;
    this.#clockedOrigin = clockedOrigin;
  }

  static async open(): Promise<ClientBench> {
    // Bundled like the extension, because Node's own type stripping would count as the client's memory.
    await build({
      absWorkingDir: import.meta.dirname,
      entryPoints: Object.fromEntries([
        ...Object.entries(sources).map(([name, file]) => [name, `../${file}`]),
        ['streamServer', './streamServer.ts'],
      ]) as Record<string, string>,
      bundle: true,
      format: 'esm',
      platform: 'node',
      outExtension: { '.js': '.mjs' },
      outdir: builtFolder,
      logLevel: 'error',
      minify: true,
      banner: {
        js: "import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);",
      },
    });
    const server = fork(join(builtFolder, 'streamServer.mjs'));
    const [[origin, clockedOrigin]] = (await once(server, 'message')) as [[string, string]];
    return new ClientBench(server, origin, clockedOrigin);
  }

  /** The URL at which the service answers at this pace and notes when, for a client in this process. */
  clockedBase(pace: Pace, count: number): URL {
    return new URL(`${this.#clockedOrigin}/${pace}/${count}`);
  }

  /** The replies with a clock since the last time, by request ID. */
  async clocked(): Promise<ReadonlyMap<string, ClockedReply>> {
    const response = await fetch(`${this.#origin}${clockPath}`);
    return new Map((await response.json()) as [string, ClockedReply][]);
  }

  /** @throws {Error} if the client didn't receive the whole text. */
  async run(
    name: ClientName,
    mode: Mode,
    { workload, repeats = 1, atOnce = 1 }: { workload?: Workload; repeats?: number; atOnce?: number } = {},
  ): Promise<ClientReport> {
    let client = this.#clients.get(name);
    if (client === undefined) {
      client = fork(join(builtFolder, `${name}.mjs`));
      this.#clients.set(name, client);
    }
    const count = (workload?.events.length ?? 2) - 1;
    const task: ClientTask = { base: `${this.#origin}/${mode}/${count}`, repeats, atOnce, isStamp: mode === 'first' };
    client.send(task);
    const [report] = (await once(client, 'message')) as [ClientReport];
    if (report.error !== undefined) throw new Error(`${clientLabels[name]}: ${report.error}`);
    if (workload !== undefined) check(name, report, workload, repeats * atOnce);
    return report;
  }

  /** Runs this client next time in a new process. */
  end(name: ClientName): void {
    this.#clients.get(name)?.disconnect();
    this.#clients.delete(name);
  }

  close(): void {
    for (const name of this.#clients.keys()) this.end(name);
    this.#server.disconnect();
  }
}

function check(name: ClientName, report: ClientReport, workload: Workload, streams: number): void {
  const isRight =
    name === 'raw' ? report.bytes === workload.bytes * streams : report.textDigest === workload.textDigest;
  if (!isRight) throw new Error(`${clientLabels[name]} did not give the text that was sent`);
}
