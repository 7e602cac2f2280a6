import assert from 'node:assert/strict';
import type { Socket } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import * as tls from 'node:tls';
import { chunkings, type Chunking } from './chunkings.ts';
import {
  chunksOf,
  delta,
  finished,
  fixture,
  head,
  lastChunk,
  startRawServer,
  streamHead,
  type RawServer,
} from './rawServer.ts';
import { hello, outcomeOf, testClient, type Outcome } from './testClient.ts';
import { chatCompletion } from '../../../src/api/operations/chatCompletion.ts';
import { seenStreamRows } from './seenStreamRows.ts';
import { hi, type Row } from './streamRow.ts';
import { streamRows } from './streamRows.ts';

describe('The stream table', () => {
  let server: RawServer | undefined;
  const ownAuthorities = tls.getCACertificates('default');
  before(() => tls.setDefaultCACertificates([...ownAuthorities, fixture('authority')]));
  after(() => tls.setDefaultCACertificates(ownAuthorities));
  afterEach(() => server?.close());

  for (const row of [...streamRows, ...seenStreamRows]) {
    it(row.input, async () => {
      for (const chunking of row.chunkings ?? chunkings) {
        const outcome = await run(row, chunking);
        const { failure } = row.result;
        const expected =
          failure?.kind === 'connectionLost'
            ? { ...row.result, failure: { ...failure, host: new URL(server?.origin ?? '').host } }
            : row.result;
        assert.deepEqual(outcome, expected, chunking.name);
        const isRetried = failure?.kind === 'backendUnavailable';
        assert.equal(server?.requests.length, isRetried ? 3 : 1, chunking.name);
      }
    });
  }

  for (const certificate of [undefined, 'good']) {
    it(`${certificate === undefined ? 'a reset' : 'a TLS abort'} in mid-event: connection lost, text kept`, async () => {
      for (const chunking of chunkings) {
        const body = `${delta('Hi')}data: {"choices":[{"del`;
        const aborted: Row = { input: '', body, ending: 'reset', result: hi };
        const outcome = await run(certificate === undefined ? aborted : { ...aborted, certificate }, chunking);
        assert.equal(outcome.text, 'Hi', chunking.name);
        assert.equal(outcome.failure?.kind, 'connectionLost', chunking.name);
        assert.equal(outcome.complete, undefined, chunking.name);
        assert.equal(server?.requests.length, 1, chunking.name);
      }
    });
  }

  it('a reset after a finish reason: the reply is whole', async () => {
    for (const chunking of chunkings) {
      const body = delta('Hi') + finished;
      const outcome = await run({ input: '', body, ending: 'reset', result: hi }, chunking);
      assert.deepEqual(outcome, { ...hi, finish: 'stop' }, chunking.name);
      assert.equal(server?.requests.length, 1);
    }
  });

  async function run(row: Row, chunking: Chunking): Promise<Outcome> {
    await server?.close();
    const isBare = row.headers?.['content-type'] === '';
    const headers = isBare ? { 'transfer-encoding': 'chunked' } : row.headers;
    server = await startRawServer((socket: Socket) => {
      if (row.isUnframed === true) {
        const start = head(row.status ?? 200, { 'content-type': 'text/event-stream', ...headers });
        void writeInTurns(socket, chunking.cut(Buffer.concat([start, Buffer.from(row.body)])));
        return;
      }
      if (isBare) socket.write(head(200, headers ?? {}));
      else if (row.status !== undefined) socket.write(head(row.status, { 'transfer-encoding': 'chunked', ...headers }));
      else socket.write(streamHead(headers));
      socket.write(chunksOf(chunking.cut(Buffer.from(row.body))), () => {
        // Without the closing message that TLS sends.
        if (row.ending === 'reset') setImmediate(() => (row.certificate ? socket.destroy() : socket.resetAndDestroy()));
      });
      if (row.ending === undefined || row.ending === 'end') socket.write(lastChunk);
    }, row.certificate);
    // Only a response that never ends needs a short wait after its finish reason.
    const timeouts = { silenceMs: 5000, ...(row.ending === 'stayOpen' && { settleMs: 200 }) };
    const { client, dispose } = testClient(server.origin, { timeouts });
    try {
      const outcome = await outcomeOf(client.stream(chatCompletion(hello)));
      // A response that never ends is cut off, and so is one that is too large.
      if (row.ending === 'stayOpen' || outcome.failure?.kind === 'tooLarge') await server.allClosed();
      return outcome;
    } finally {
      dispose();
    }
  }
});

/** Each piece is sent before the next one is written. */
async function writeInTurns(socket: Socket, pieces: readonly Uint8Array[]): Promise<void> {
  socket.setNoDelay(true);
  for (const piece of pieces) {
    socket.write(piece);
    await nextTurn();
  }
  socket.end();
}
