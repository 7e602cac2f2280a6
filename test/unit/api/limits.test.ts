import assert from 'node:assert/strict';
import type { Socket } from 'node:net';
import { gzipSync } from 'node:zlib';
import type { ApiFailure } from '../../../src/shared/apiFailure.ts';
import { chunkings } from './chunkings.ts';
import { chunk, chunksOf, delta, event, lastChunk, startRawServer, streamHead, type RawServer } from './rawServer.ts';
import { failureOf, hello, outcomeOf, testClient, type TestClient } from './testClient.ts';
import { chatCompletion } from '../../../src/api/operations/chatCompletion.ts';
import { imageGeneration } from '../../../src/api/operations/imageGeneration.ts';
import { listModels } from '../../../src/api/operations/listModels.ts';

const mebibyte = 1024 * 1024;
const png = Buffer.from('89504e470d0a1a0a', 'hex');

/** Writes the same bytes for as long as someone reads them. */
function writeForever(socket: Socket, bytes: Buffer): void {
  const write = (): void => {
    while (!socket.destroyed && socket.write(bytes));
  };
  socket.on('drain', write);
  write();
}

describe('An endless response', () => {
  let server: RawServer;
  let tested: TestClient;
  afterEach(async () => {
    tested.dispose();
    await server.close();
  });

  async function failureAfter(head: Buffer, forever: Buffer): Promise<ApiFailure | undefined> {
    server = await startRawServer((socket) => {
      socket.write(head);
      writeForever(socket, forever);
    });
    tested = testClient(server.origin);
    const { failure } = await outcomeOf(tested.client.stream(chatCompletion(hello)));
    await server.allClosed();
    return failure;
  }

  for (const chunking of chunkings) {
    it(`ends at its limit in ${chunking.name}`, async () => {
      const startOf = (contentType: string, body: string): Buffer =>
        Buffer.concat([streamHead({ 'content-type': contentType }), chunk(body)]);
      // A limit is 16 million bytes away: everything before it arrives in one piece, everything after it in small
      // pieces.
      const nearlyFull = [
        // 335 times 50,000 is just under 16 MiB; the other one starts 1,000 short of 8 MiB.
        ['reply', 16, startOf('text/event-stream', delta('x'.repeat(50_000)).repeat(335)), delta('x'.repeat(50_000))],
        ['body', 8, startOf('application/json', `{"id":"${'x'.repeat(8 * mebibyte - 1000)}`), 'x'.repeat(2000)],
      ] as const;
      for (const [what, mebibytes, start, rest] of nearlyFull) {
        server = await startRawServer((socket) => {
          socket.write(start);
          socket.write(chunksOf(chunking.cut(Buffer.from(rest))));
        });
        tested = testClient(server.origin);
        const { failure } = await outcomeOf(tested.client.stream(chatCompletion(hello)));
        assert.deepEqual(failure, { kind: 'tooLarge', what, limitBytes: mebibytes * mebibyte });
        await server.allClosed();
        if (what === 'reply') await server.close();
        tested.dispose();
      }
    });

    it(`ends once the limit of an image is exceeded in ${chunking.name}`, async () => {
      server = await startRawServer((socket) => {
        socket.write(Buffer.concat([streamHead({ 'content-type': 'image/png' }), chunk(png)]));
        socket.write(chunk(Buffer.alloc(24 * mebibyte - 1000 - png.length)));
        socket.write(chunksOf(chunking.cut(Buffer.alloc(2000))));
      });
      tested = testClient(server.origin);
      const failure = await failureOf(tested.client.ask(imageGeneration({ model: 'm', positive_prompt: 'p' })));
      assert.deepEqual(failure, { kind: 'tooLarge', what: 'body', limitBytes: 24 * mebibyte });
      await server.allClosed();
    });

    it(`is an image up to its limit in ${chunking.name}`, async () => {
      server = await startRawServer((socket) => {
        socket.write(Buffer.concat([streamHead({ 'content-type': 'image/png' }), chunk(png)]));
        socket.write(chunk(Buffer.alloc(24 * mebibyte - 1000 - png.length)));
        socket.write(Buffer.concat([chunksOf(chunking.cut(Buffer.alloc(1000))), lastChunk]));
      });
      tested = testClient(server.origin);
      const { images } = await tested.client.ask(imageGeneration({ model: 'm', positive_prompt: 'p' }));
      assert.equal(images[0]?.kind === 'bytes' && images[0].bytes.length, 24 * mebibyte);
    });
  }

  it('of text ends after 16 MiB of it', async () => {
    const failure = await failureAfter(streamHead(), chunk(delta('x'.repeat(50_000))));
    assert.deepEqual(failure, { kind: 'tooLarge', what: 'reply', limitBytes: 16 * mebibyte });
  });

  it('of comments ends after 64 MiB of them', async () => {
    const failure = await failureAfter(streamHead(), chunk(': keep-alive\n\n'.repeat(4000)));
    assert.deepEqual(failure, { kind: 'tooLarge', what: 'reply', limitBytes: 64 * mebibyte });
  });

  it('in one event ends after 8 MiB', async () => {
    const failure = await failureAfter(Buffer.concat([streamHead(), chunk('data: ')]), chunk('x'.repeat(60_000)));
    assert.deepEqual(failure, { kind: 'tooLarge', what: 'event', limitBytes: 8 * mebibyte });
  });

  it('in many lines of one event ends at 8 MiB', async () => {
    const failure = await failureAfter(streamHead(), chunk(`data: ${'x'.repeat(1000)}\n`.repeat(50)));
    assert.deepEqual(failure, { kind: 'tooLarge', what: 'event', limitBytes: 8 * mebibyte });
  });

  it('as one JSON text ends at 8 MiB', async () => {
    const head = Buffer.concat([streamHead({ 'content-type': 'application/json' }), chunk('{"id":"')]);
    const failure = await failureAfter(head, chunk('x'.repeat(60_000)));
    assert.deepEqual(failure, { kind: 'tooLarge', what: 'body', limitBytes: 8 * mebibyte });
  });

  it('in one line of JSON after the first ends at 8 MiB', async () => {
    const line = `${JSON.stringify({ choices: [] })}\n{"id":"`;
    const failure = await failureAfter(Buffer.concat([streamHead(), chunk(line)]), chunk('x'.repeat(60_000)));
    assert.deepEqual(failure, { kind: 'tooLarge', what: 'event', limitBytes: 8 * mebibyte });
  });

  it("of white space isn't a reply", async () => {
    const failure = await failureAfter(streamHead({ 'content-type': 'text/plain' }), chunk(' '.repeat(60_000)));
    assert.equal(failure?.kind, 'notTheService');
  });

  it('of HTML is quoted from its beginning', async () => {
    const failure = await failureAfter(
      streamHead({ 'content-type': 'text/html' }),
      chunk('<p>Welcome</p>'.repeat(4000)),
    );
    assert.equal(failure?.kind, 'notTheService');
  });

  it('in an error body ends at 64 KiB, with the status and the start of the message', async () => {
    const head = Buffer.from('HTTP/1.1 500 No\r\ntransfer-encoding: chunked\r\n\r\n');
    assert.deepEqual(await failureAfter(head, chunk('x'.repeat(60_000))), {
      kind: 'serverError',
      status: 500,
      message: `${'x'.repeat(199)}…`,
      body: 'text',
    });
  });

  it('in headers is a network failure', async () => {
    const failure = await failureAfter(
      Buffer.from('HTTP/1.1 200 OK\r\n'),
      Buffer.from(`x-more: ${'x'.repeat(8000)}\r\n`),
    );
    assert.equal(failure?.kind, 'network');
  });

  it('in a catalog ends at 8 MiB', async () => {
    server = await startRawServer((socket) => {
      socket.write(Buffer.concat([streamHead({ 'content-type': 'application/json' }), chunk('["')]));
      writeForever(socket, chunk('x'.repeat(60_000)));
    });
    tested = testClient(server.origin);
    const failure = await failureOf(tested.client.ask(listModels));
    assert.deepEqual(failure, { kind: 'tooLarge', what: 'body', limitBytes: 8 * mebibyte });
    await server.allClosed();
  });

  it('that is compressed counts with its decompressed size', async () => {
    const bomb = gzipSync(event({ choices: [{ delta: { content: 'x'.repeat(900_000) } }] }).repeat(100));
    assert.ok(bomb.length < 200_000);
    server = await startRawServer((socket) => {
      socket.write(Buffer.concat([streamHead({ 'content-encoding': 'gzip' }), chunk(bomb)]));
    });
    tested = testClient(server.origin);
    const { failure } = await outcomeOf(tested.client.stream(chatCompletion(hello)));
    assert.deepEqual(failure, { kind: 'tooLarge', what: 'reply', limitBytes: 16 * mebibyte });
    await server.allClosed();
  });
});
