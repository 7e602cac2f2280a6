import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import { startProcessGroup } from '../workbench/processGroup.ts';
import { contextLength, tinyModel } from './tinyModel.ts';

export interface LlamaServer {
  /** For example `http://127.0.0.1:1234`. */
  readonly origin: string;
  /** Replies that the server is writing now. */
  busySlots(): Promise<number>;
  close(): Promise<void>;
}

const startLimitMs = 60_000;

/** llama.cpp's own server: from `LLAMA_SERVER`, or `llama-server` on PATH; undefined if there's none. */
export async function findLlamaServer(): Promise<string | undefined> {
  const command = process.env['LLAMA_SERVER'] ?? 'llama-server';
  return promisify(execFile)(command, ['--version']).then(
    () => command,
    () => undefined,
  );
}

/** @param more for example `--api-key` and its value */
export async function startLlamaServer(command: string, more: readonly string[] = []): Promise<LlamaServer> {
  const folder = await mkdtemp(join(tmpdir(), 'parlance-llama-'));
  const model = join(folder, 'tiny.gguf');
  await writeFile(model, tinyModel());
  const port = await freePort();
  const args = ['--model', model, '--alias', 'tiny', '--host', '127.0.0.1', '--port', String(port)];
  const limits = ['--ctx-size', String(contextLength), '--parallel', '1', '--threads', '1'];
  const group = startProcessGroup(
    command,
    // The model's tokens are random, including the one that ends a reply: without that one, each reply continues to its
    // limit.
    [...args, ...limits, '--ignore-eos', '--slots', ...more],
    { stdio: ['ignore', 'ignore', 'pipe'] },
  );
  let said = '';
  group.child.stderr?.setEncoding('utf8').on('data', (text: string) => (said = (said + text).slice(-10_000)));
  const origin = `http://127.0.0.1:${port}`;
  const close = async (): Promise<void> => {
    await group.close();
    await rm(folder, { recursive: true, force: true });
  };
  try {
    await whenHealthy(origin, () => group.child.exitCode !== null);
  } catch (error) {
    await close();
    throw new Error(`llama.cpp's server did not start:\n${said}`, { cause: error });
  }
  return {
    origin,
    close,
    busySlots: async () => {
      const slots = (await (await fetch(`${origin}/slots`)).json()) as readonly { readonly is_processing: boolean }[];
      return slots.filter((slot) => slot.is_processing).length;
    },
  };
}

async function whenHealthy(origin: string, hasEnded: () => boolean): Promise<void> {
  for (let waited = 0; waited < startLimitMs; waited += 100) {
    if (hasEnded()) throw new Error('It ended');
    const isHealthy = await fetch(`${origin}/health`).then(
      ({ ok }) => ok,
      () => false,
    );
    if (isHealthy) return;
    await pause(100);
  }
  throw new Error('It was never healthy');
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  if (typeof address !== 'object' || address === null) throw new Error('No free port');
  return address.port;
}
