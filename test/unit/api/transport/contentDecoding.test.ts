import assert from 'node:assert/strict';
import { createHook } from 'node:async_hooks';
import { randomBytes } from 'node:crypto';
import { EventEmitter, once } from 'node:events';
import { promisify } from 'node:util';
import * as zlib from 'node:zlib';
import { decodeContent } from '../../../../src/api/transport/contentDecoding.ts';
import { createTransport } from '../../../../src/api/transport/createTransport.ts';
import type { ResponseReceiver, TransportRequest } from '../../../../src/api/transport/transport.ts';
import { answer, chunk, delta, done, startRawServer, streamHead, type RawServer } from '../rawServer.ts';
import { hello, outcomeOf, plainSettings, testClient, type TestClient } from '../testClient.ts';
import { chatCompletion } from '../../../../src/api/operations/chatCompletion.ts';

const mebibyte = 1024 * 1024;
const reply = Buffer.from(delta('Grüße 🌍') + done);

/** An endless gzip stream in pieces: 16 KiB decompress to about 16 MiB. */
function endlessBomb(): { readonly head: Buffer; readonly next: Buffer } {
  const { Z_FULL_FLUSH } = zlib.constants;
  const next = zlib.deflateRawSync(delta('x'.repeat(950)).repeat(16_000), { finishFlush: Z_FULL_FLUSH });
  return { head: Buffer.from('1f8b0800000000000003', 'hex'), next };
}

/**
 * Counts the decompression tasks on other threads, in this whole process.
 * @returns `leaveOutNew`: those of streams that are made from then on don't count
 */
function countInflations(): { readonly done: () => number; leaveOutNew(): void; stop(): void } {
  const ofZlib = new Set<number>();
  let inflations = 0;
  let countsNew = true;
  const hook = createHook({
    init: (id, type) => {
      if (type === 'ZLIB' && countsNew) ofZlib.add(id);
    },
    before: (id) => {
      if (ofZlib.has(id)) inflations += 1;
    },
  }).enable();
  return { done: () => inflations, leaveOutNew: () => void (countsNew = false), stop: () => hook.disable() };
}

/** Takes a thousand decompression tasks, between which those of other streams have their turns. */
const longZip = zlib.gzipSync(Buffer.alloc(16 * mebibyte));

describe('A compressed response', () => {
  let server: RawServer;
  let tested: TestClient | undefined;
  afterEach(async () => {
    tested?.dispose();
    tested = undefined;
    await server.close();
  });

  const readable: readonly (readonly [name: string, encoding: string, bytes: Buffer])[] = [
    ['gzip', 'gzip', zlib.gzipSync(reply)],
    ['gzip under its old name', 'X-GZip', zlib.gzipSync(reply)],
    ['deflate by the letter', 'deflate', zlib.deflateSync(reply)],
    ['deflate without its header', 'deflate', zlib.deflateRawSync(reply)],
    ['brotli', 'br', zlib.brotliCompressSync(reply)],
    ['zstd', 'zstd', zlib.zstdCompressSync(reply)],
    ['gzip, and identity besides', 'gzip, identity', zlib.gzipSync(reply)],
    ['nothing, though the header says gzip', 'gzip', reply],
    ['nothing, though the header says deflate', 'deflate', reply],
    ['nothing, though the header says br', 'br', reply],
    ['nothing, though the header says zstd', 'zstd', reply],
  ];
  for (const [name, encoding, bytes] of readable) {
    it(`is read when it's ${name}`, async () => {
      const head = { 'content-type': 'text/event-stream', 'content-encoding': encoding };
      server = await startRawServer((socket) => socket.write(answer(200, bytes, head)));
      tested = testClient(server.origin);
      assert.deepEqual(await outcomeOf(tested.client.stream(chatCompletion(hello))), {
        text: 'Grüße 🌍',
        reasoning: '',
        complete: true,
      });
    });
  }

  it('is read byte by byte', async () => {
    for (const [, encoding, bytes] of readable) {
      const body = Buffer.concat([...bytes].map((byte) => chunk(Buffer.of(byte))));
      const head = streamHead({ 'content-encoding': encoding });
      server = await startRawServer((socket) => socket.write(Buffer.concat([head, body, Buffer.from('0\r\n\r\n')])));
      tested = testClient(server.origin);
      assert.equal((await outcomeOf(tested.client.stream(chatCompletion(hello)))).text, 'Grüße 🌍', encoding);
      tested.dispose();
      await server.close();
    }
  });

  it("isn't decompressed any further once it was refused", async () => {
    const { head, next } = endlessBomb();
    const bomb = Buffer.concat([head, ...Array.from({ length: 64 }, () => next)]);
    server = await startRawServer((socket) => {
      socket.write(Buffer.concat([streamHead({ 'content-encoding': 'gzip' }), chunk(bomb)]));
    });
    tested = testClient(server.origin);
    const inflations = countInflations();
    try {
      const { failure } = await outcomeOf(tested.client.stream(chatCompletion(hello)));
      assert.deepEqual(failure, { kind: 'tooLarge', what: 'reply', limitBytes: 16 * mebibyte });
      const untilRefused = inflations.done();
      assert.ok(untilRefused > 0);
      inflations.leaveOutNew();
      await promisify(zlib.gunzip)(longZip);
      // One might have been running.
      assert.ok(inflations.done() - untilRefused <= 1, `${inflations.done() - untilRefused} more`);
    } finally {
      inflations.stop();
    }
    await server.allClosed();
  });

  it("is fetched no faster than it's decompressed", async () => {
    server = await startRawServer(() => {});
    const bytes = zlib.gzipSync(randomBytes(2 * mebibyte));
    let [pauses, length] = [0, 0];
    const source = new EventEmitter();
    const told = new EventEmitter();
    const decoding = decodeContent(
      'gzip',
      {
        sent: () => {},
        head: () => {},
        data: (piece) => (length += piece.length),
        end: () => void told.emit('end'),
        failed: (failure) => void told.emit('error', new Error(failure.kind)),
      },
      { pause: () => void (pauses += 1), resume: () => void source.emit('resumed') },
    );
    assert.ok(decoding !== undefined);
    const ended = once(told, 'end');
    let taken = 0;
    for (let at = 0; at < bytes.length; at += 64 * 1024) {
      const before = pauses;
      const resumed = once(source, 'resumed');
      decoding.events.data(bytes.subarray(at, at + 64 * 1024));
      taken += 1;
      assert.equal(decoding.isFull, pauses > before);
      if (decoding.isFull) await resumed;
    }
    decoding.events.end();
    await ended;
    assert.equal(length, 2 * mebibyte);
    assert.ok(pauses > taken / 2, `paused ${pauses} times in ${taken} pieces`);
  });

  it('is neither decompressed nor fetched while its reader has paused, and continues after that', async () => {
    const { head, next } = endlessBomb();
    let written = 0;
    server = await startRawServer((socket, _request, index) => {
      if (index > 0) return void socket.write(answer(200, longZip, { 'content-encoding': 'gzip' }));
      socket.write(Buffer.concat([streamHead({ 'content-encoding': 'gzip' }), chunk(head)]));
      const write = (): void => {
        do written += 1;
        while (!socket.destroyed && socket.write(chunk(next)));
      };
      socket.on('drain', write);
      write();
    });
    const transport = createTransport({ settings: () => plainSettings });
    const inflations = countInflations();
    let unpackedBytes = 0;
    const told = new EventTarget();
    const receiver: ResponseReceiver = {
      head: () => {},
      data: (bytes) => {
        unpackedBytes += bytes.length;
        told.dispatchEvent(new Event('data'));
      },
      end: () => {},
      failed: () => {},
    };
    try {
      const url = new URL('/v1/chat/completions', server.origin);
      const endpoint = { baseUrl: new URL('/v1', url), nativeUrl: new URL('/api', url), apiKey: 'k' };
      const request: TransportRequest = {
        endpoint,
        url,
        method: 'POST',
        accept: '*/*',
        body: { contentType: 'application/json', content: '{}' },
        patience: 'stream',
      };
      const control = transport.send(request, receiver);
      await once(told, 'data');
      control.pause();
      const unpackedAtPause = unpackedBytes;
      inflations.leaveOutNew();
      const otherReply = (): Promise<void> =>
        new Promise((resolve, reject) => {
          transport.send(request, { head: () => {}, data: () => {}, end: resolve, failed: reject });
        });
      const state = () => [unpackedBytes, inflations.done(), written].join(' ');
      // Running tasks finish, and the sockets' buffers fill up. Then nothing happens while all of another one arrives.
      let before = '';
      for (let others = 0; before !== state(); others += 1) {
        assert.ok(others < 20, `${before}, then ${state()}`);
        before = state();
        await otherReply();
      }
      assert.equal(unpackedBytes, unpackedAtPause);
      control.resume();
      const enough = unpackedAtPause + 64 * mebibyte;
      for (;;) {
        await once(told, 'data');
        if (unpackedBytes >= enough) break;
      }
      control.abandon();
    } finally {
      inflations.stop();
      transport.dispose();
    }
  });
});
