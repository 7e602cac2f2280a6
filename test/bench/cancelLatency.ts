/**
 * `node test/bench/cancelLatency.ts [rounds]`: milliseconds from a cancel until the server sees the close, in each
 * phase of a request, and the sockets that are left in the end. Real sockets on loopback; the client's own settings.
 */
import { once } from 'node:events';
import * as tls from 'node:tls';
import { systemClock } from '../../src/api/clock.ts';
import { startProxyServer } from '../unit/api/proxyServer.ts';
import {
  chunk,
  delta,
  fixture,
  head,
  json,
  startRawServer,
  streamHead,
  type RawServer,
  type Responder,
} from '../unit/api/rawServer.ts';
import { hello, plainSettings, testClient } from '../unit/api/testClient.ts';

interface Phase {
  readonly name: string;
  readonly respond: Responder;
  readonly certificate?: string;
  readonly scheme?: 'https';
  readonly stream?: boolean;
  readonly throughProxy?: boolean;
  /** When the request is in this phase; where not given, when it came whole to the server. */
  readonly at?: 'connection' | 'text' | 'retrying';
}

const begun = Buffer.concat([streamHead(), chunk(delta('Hi'))]);
const begunJson = Buffer.concat([head(200, { 'content-length': '1000' }), Buffer.from('{"choices":[')]);
const nothing: Responder = () => {};

const phases: readonly Phase[] = [
  { name: 'TLS handshake', respond: nothing, scheme: 'https', at: 'connection' },
  { name: 'TLS handshake in a tunnel', respond: nothing, scheme: 'https', throughProxy: true, at: 'connection' },
  { name: 'waiting for headers', respond: nothing },
  { name: 'waiting for headers, over TLS', respond: nothing, certificate: 'good' },
  { name: 'in mid-stream', respond: (socket) => socket.write(begun), at: 'text' },
  { name: 'in mid-stream, over TLS', respond: (socket) => socket.write(begun), certificate: 'good', at: 'text' },
  { name: 'in a whole body', respond: (socket) => socket.write(begunJson), stream: false },
  {
    name: 'the wait before a retry',
    respond: (socket) => socket.write(json(429, {}, { 'retry-after': '25', connection: 'close' })),
    at: 'retrying',
  },
];

/** Milliseconds from the cancel to the close at the server, or to the end of the call where no socket is open then. */
async function cancelOnce(phase: Phase, server: RawServer, origin: string, proxy: string): Promise<number> {
  const { client, dispose } = testClient(origin, { clock: systemClock, settings: () => ({ ...plainSettings, proxy }) });
  const abort = new AbortController();
  const reached = Promise.withResolvers<void>();
  const arrived = server.nextConnection();
  const running = (async () => {
    const request = { ...hello, stream: phase.stream ?? true };
    for await (const event of client.streamChat(request, { signal: abort.signal })) {
      if (event.type === phase.at) reached.resolve();
    }
  })().catch(() => {});
  const socket = await arrived;
  if (phase.at === 'connection') setImmediate(reached.resolve);
  if (phase.at === undefined) {
    const before = server.requests.length;
    while (server.requests.length === before) await new Promise((resolve) => setImmediate(resolve));
    setImmediate(reached.resolve);
  }
  await reached.promise;
  const closed = socket.destroyed ? undefined : once(socket, 'close');
  const startedAt = performance.now();
  abort.abort();
  await (phase.at === 'retrying' ? running : closed);
  const tookMs = performance.now() - startedAt;
  await running;
  dispose();
  return tookMs;
}

tls.setDefaultCACertificates([...tls.getCACertificates('default'), fixture('authority')]);
const rounds = Number(process.argv[2] ?? 100);
console.log(`${'ms from cancel to close'.padEnd(32)} median    95 %     max   sockets left`);
for (const phase of phases) {
  const server = await startRawServer(phase.respond, phase.certificate);
  const proxy = phase.throughProxy === true ? await startProxyServer({ targetPort: server.port }) : undefined;
  const direct = phase.scheme === undefined ? server.origin : `https://127.0.0.1:${server.port}`;
  const origin = proxy === undefined ? direct : 'https://service.test';
  const times: number[] = [];
  for (let round = 0; round < rounds; round++) {
    times.push(await cancelOnce(phase, server, origin, proxy?.origin ?? ''));
  }
  await server.allClosed();
  times.sort((one, other) => one - other);
  const at = (share: number): string => (times[Math.floor((times.length - 1) * share)] ?? NaN).toFixed(2).padStart(8);
  const left = server.open() + (proxy?.server.open() ?? 0);
  console.log(`${phase.name.padEnd(30)} ${at(0.5)}${at(0.95)}${at(1)}   ${left}`);
  await server.close();
  await proxy?.server.close();
}
