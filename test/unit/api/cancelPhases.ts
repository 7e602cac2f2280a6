import { execFileSync } from 'node:child_process';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { once } from 'node:events';
import { closeSync, constants, openSync } from 'node:fs';
import { mkdtemp, open, rm } from 'node:fs/promises';
import { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { systemClock } from '../../../src/api/clock.ts';
import type { InferenceClient } from '../../../src/api/inferenceClient.ts';
import { openDeafPort } from './deafPort.ts';
import { startProxyServer } from './proxyServer.ts';
import { chunk, delta, head, json, startRawServer, streamHead, type RawServer, type Responder } from './rawServer.ts';
import { hello, plainSettings, testClient } from './testClient.ts';
import { chatCompletion } from '../../../src/api/operations/chatCompletion.ts';
import { audioTranscription } from '../../../src/api/operations/audioTranscription.ts';

/** A phase of a request in which a cancel can occur, and which can be reached repeatedly. */
export interface CancelPhase {
  readonly name: string;
  /**
   * Starts a request, cancels it in this phase, and waits until the other end has seen the close, or, if there's no
   * other end yet, until the call is over.
   * @returns milliseconds from the cancel.
   */
  cancelOnce(): Promise<number>;
  /** Observed at this phase's servers. */
  openConnections(): number;
  close(): Promise<void>;
}

type Call = (client: InferenceClient, signal: AbortSignal, reached: () => void, server: RawServer) => Promise<unknown>;

interface ServedPhase {
  readonly name: string;
  readonly respond: Responder;
  readonly certificate?: string;
  /** Where the client expects the service. */
  readonly origin?: (server: RawServer) => string;
  readonly proxy?: 'tunnel' | 'theServer' | 'unusable';
  readonly call?: Call;
  /**
   * How the phase is recognized: a connection at the server, its first bytes, a whole request, or a report by the call.
   */
  readonly begins: 'connected' | 'sending' | 'asked' | 'told';
  /** No connection is open in this phase. */
  readonly isBetween?: boolean;
}

const nothing: Responder = () => {};
const streaming: Responder = (socket) => socket.write(Buffer.concat([streamHead(), chunk(delta('Hi'))]));
const half = Buffer.concat([head(200, { 'content-length': '1000' }), Buffer.from('{"choices":[')]);
const video = Buffer.concat([
  head(200, { 'content-length': '1000000' }),
  Buffer.from([0x1a, 0x45, 0xdf, 0xa3]),
  Buffer.alloc(100),
]);

const chatUntil =
  (wanted?: 'text' | 'retrying', stream = true) =>
  async (client: InferenceClient, signal: AbortSignal, reached?: () => void): Promise<void> => {
    for await (const { type } of client.stream(chatCompletion({ ...hello, stream }), { signal }))
      if (type === wanted) reached?.();
  };
const upload: Call = (client, signal) => {
  const file = { name: 'a.wav', mediaType: 'audio/wav', bytes: new Uint8Array(8 * 1024 * 1024) };
  return client.ask(audioTranscription({ model: 'm', file }), { signal });
};
const download: Call = (client, signal, reached, { origin }) => {
  const no = (): Promise<never> => Promise.reject(new Error('not in a file that still comes'));
  const done = (): Promise<void> => Promise.resolve();
  const sink = { size: 0, tag: undefined, setTag: done, head: no, restart: no, append: done };
  return client.downloadMedia(`${origin}/files/1.webm`, sink, { signal, onProgress: reached });
};

/** Every phase that a request passes through, in order. */
export async function openCancelPhases(): Promise<readonly CancelPhase[]> {
  const silentTls = (server: RawServer): string => `https://127.0.0.1:${server.port}`;
  const served: readonly ServedPhase[] = [
    { name: 'the tunnel of a proxy', respond: nothing, proxy: 'theServer', begins: 'asked' },
    { name: 'TLS handshake', respond: nothing, origin: silentTls, begins: 'connected' },
    { name: 'TLS handshake in a tunnel', respond: nothing, proxy: 'tunnel', begins: 'connected' },
    { name: 'sending the request', respond: nothing, call: upload, begins: 'sending' },
    { name: 'waiting for headers', respond: nothing, begins: 'asked' },
    { name: 'waiting for headers, over TLS', respond: nothing, certificate: 'good', begins: 'asked' },
    { name: 'in mid-stream', respond: streaming, begins: 'told' },
    { name: 'in mid-stream, over TLS', respond: streaming, certificate: 'good', begins: 'told' },
    { name: "in mid-stream, over the host's fetch", respond: streaming, proxy: 'unusable', begins: 'told' },
    {
      name: 'during a response in one piece',
      respond: (socket) => socket.write(half),
      call: chatUntil(undefined, false),
      begins: 'asked',
    },
    {
      name: 'the wait before a retry',
      respond: (socket) => socket.write(json(429, {}, { 'retry-after': '25', connection: 'close' })),
      call: chatUntil('retrying'),
      begins: 'told',
      isBetween: true,
    },
    { name: 'a download', respond: (socket) => socket.write(video), call: download, begins: 'told' },
  ];
  const all = [await lookingUp(), await connecting(), ...(await Promise.all(served.map((phase) => serve(phase))))];
  return all.filter((phase) => phase !== undefined);
}

async function serve(phase: ServedPhase): Promise<CancelPhase> {
  const server = await startRawServer(phase.respond, phase.certificate);
  const tunnel = phase.proxy === 'tunnel' ? await startProxyServer({ targetPort: server.port }) : undefined;
  const proxy = { tunnel: tunnel?.origin, theServer: server.origin, unusable: 'socks5://proxy.test' };
  const named = phase.proxy === 'unusable' ? `http://service.test:${server.port}` : 'https://service.test';
  const origin = phase.proxy === undefined ? (phase.origin?.(server) ?? server.origin) : named;
  const options = {
    clock: systemClock,
    settings: () => ({ ...plainSettings, proxy: (phase.proxy && proxy[phase.proxy]) ?? '' }),
    // Like a host that knows another route.
    hostFetch: (input: Parameters<typeof fetch>[0], init?: RequestInit) =>
      fetch(new URL(pathOf(input), server.origin), init),
  };
  const call: Call = phase.call ?? chatUntil('text');
  return {
    name: phase.name,
    cancelOnce: async () => {
      // A separate client, because each one only allows a limited number of retries per minute.
      const { client, dispose } = testClient(origin, options);
      try {
        return await cancelServed(phase, server, (signal, reached) => call(client, signal, reached, server));
      } finally {
        dispose();
      }
    },
    openConnections: () => server.open() + (tunnel?.server.open() ?? 0),
    close: async () => {
      await server.close();
      await tunnel?.server.close();
    },
  };
}

function pathOf(target: Parameters<typeof fetch>[0]): string {
  return new URL(target instanceof Request ? target.url : target).pathname;
}

async function cancelServed(
  { begins, isBetween = false }: Pick<ServedPhase, 'begins' | 'isBetween'>,
  server: RawServer,
  call: (signal: AbortSignal, reached: () => void) => Promise<unknown>,
): Promise<number> {
  const abort = new AbortController();
  const told = Promise.withResolvers<void>();
  const arriving = server.nextConnection();
  const asked = server.requests.length;
  const running = call(abort.signal, told.resolve).catch(() => {});
  const socket = await arriving;
  if (begins === 'sending') {
    await once(socket, 'data');
    // Nobody has to assemble it.
    socket.removeAllListeners('data').resume();
  }
  if (begins === 'asked') while (server.requests.length === asked) await nextTurn();
  if (begins === 'told') await told.promise;
  await nextTurn();
  return tookUntil(abort, isBetween ? running : once(socket, 'close'), running);
}

/** A port whose kernel accepts no further connection. Undefined if that isn't possible here. */
async function connecting(): Promise<CancelPhase | undefined> {
  const port = await openDeafPort();
  if (port === undefined) return undefined;
  return unanswered('connecting', `http://127.0.0.1:${port.port}`, () => port.close());
}

/** Names are looked up by threads, and this keeps all of them busy. Undefined if that isn't possible here. */
async function lookingUp(): Promise<CancelPhase | undefined> {
  if (process.platform === 'win32') return undefined;
  const folder = await mkdtemp(join(tmpdir(), 'parlance-pipe-'));
  const pipe = join(folder, 'pipe');
  execFileSync('mkfifo', [pipe]);
  const phase = unanswered('looking up the name', 'http://nobody.invalid', () => rm(folder, { recursive: true }));
  // The files that the first request loads are read by the same threads.
  await phase.cancelOnce();
  return {
    ...phase,
    cancelOnce: async () => {
      const waiting = Array.from({ length: Number(process.env['UV_THREADPOOL_SIZE'] ?? 4) }, () => open(pipe, 'r'));
      try {
        return await phase.cancelOnce();
      } finally {
        // A waiting reader is released by a writer.
        const writer = openSync(pipe, constants.O_RDWR | constants.O_NONBLOCK);
        for (const file of await Promise.all(waiting)) await file.close();
        closeSync(writer);
      }
    },
  };
}

/** A phase before there's a connection: our own socket is closed. */
function unanswered(name: string, origin: string, close: () => Promise<void>): CancelPhase {
  const { client, dispose } = testClient(origin);
  const call = chatUntil();
  return {
    name,
    cancelOnce: async () => {
      const made = Promise.withResolvers<Socket>();
      const onSocket = (message: unknown): void => {
        if (typeof message === 'object' && message !== null && 'socket' in message && message.socket instanceof Socket)
          made.resolve(message.socket);
      };
      subscribe('net.client.socket', onSocket);
      const abort = new AbortController();
      const running = call(client, abort.signal).catch(() => {});
      const socket = await made.promise;
      unsubscribe('net.client.socket', onSocket);
      await nextTurn();
      if (!socket.connecting) throw new Error('it is past this phase');
      return tookUntil(abort, once(socket, 'close'), running);
    },
    openConnections: () => 0,
    close: async () => {
      dispose();
      await close();
    },
  };
}

async function tookUntil(abort: AbortController, closed: Promise<unknown>, running: Promise<unknown>): Promise<number> {
  const startedAt = performance.now();
  abort.abort();
  await closed;
  const tookMs = performance.now() - startedAt;
  await running;
  return tookMs;
}
