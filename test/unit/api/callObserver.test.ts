import assert from 'node:assert/strict';
import type { Socket } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import type { SentRequest } from '../../../src/api/callObserver.ts';
import type { Exchange } from '../../../src/api/exchange.ts';
import { type InferenceService, startInferenceService } from '../../service/inferenceService.ts';
import { chunk, startRawServer, streamHead } from './rawServer.ts';
import { allOf, hello, instantClock, testClient, type TestClient } from './testClient.ts';
import { chatCompletion } from '../../../src/api/operations/chatCompletion.ts';
import { audioTranscription } from '../../../src/api/operations/audioTranscription.ts';

describe('The observer of a call', () => {
  let service: InferenceService;
  let tested: TestClient;
  before(async () => {
    service = await startInferenceService({ tokensPerSecond: Infinity });
    tested = testClient(service.origin, { apiKey: service.apiKey, clock: instantClock() });
  });
  after(async () => {
    tested.dispose();
    await service.close();
  });

  function observer() {
    const sent: SentRequest[] = [];
    const exchanges: Exchange[] = [];
    return {
      sent,
      exchanges,
      sending: (request: SentRequest) => void sent.push(request),
      exchanged: (exchange: Exchange) => void exchanges.push(exchange),
    };
  }

  it("sees the request as it's sent, without a header, and how its exchange ended", async () => {
    const seen = observer();
    await allOf(tested.client.stream(chatCompletion(hello), { observer: seen }));
    assert.equal(seen.sent.length, 1);
    const [{ method, url, contentType, text } = assert.fail()] = seen.sent;
    assert.deepEqual(
      [method, url.href, contentType, JSON.parse(text ?? '')],
      ['POST', `${service.origin}/v1/chat/completions`, 'application/json', hello],
    );
    assert.ok(!JSON.stringify(seen.sent).includes(service.apiKey));
    assert.deepEqual(
      seen.exchanges.map(({ status, outcome }) => [status, outcome]),
      [[200, 'ok']],
    );
  });

  it('sees each attempt of its own call, and nothing of others', async () => {
    const seen = observer();
    const failing = { ...hello, model: 'local/error-502' };
    await Promise.allSettled([
      allOf(tested.client.stream(chatCompletion(failing), { observer: seen })),
      allOf(tested.client.stream(chatCompletion(hello))),
    ]);
    assert.deepEqual(
      seen.exchanges.map(({ status }) => status),
      [502, 502, 502],
    );
    assert.equal(seen.sent.length, 3);
  });

  it("is notified when each attempt is sent, and of nothing if there's no connection", async () => {
    let count = 0;
    const onWire = () => void (count += 1);
    await allOf(tested.client.stream(chatCompletion(hello), { observer: { onWire } }));
    assert.equal(count, 1);
    const failing = chatCompletion({ ...hello, model: 'local/error-502' });
    await assert.rejects(allOf(tested.client.stream(failing, { observer: { onWire } })));
    assert.equal(count, 4);
    const gone = await startInferenceService({});
    await gone.close();
    const nowhere = testClient(gone.origin, { apiKey: gone.apiKey, clock: instantClock() });
    await assert.rejects(allOf(nowhere.client.stream(chatCompletion(hello), { observer: { onWire } })));
    nowhere.dispose();
    assert.equal(count, 4);
  });

  const delta = (content: string) =>
    chunk(`data: ${JSON.stringify({ choices: [{ index: 0, delta: { content } }] })}\n\n`);
  const end = Buffer.concat([chunk('data: [DONE]\n\n'), chunk('')]);

  /** What a measured reply of these bytes reports, each written once the one before it arrived. */
  async function arrivalsOf(pieces: readonly Buffer[]): Promise<{ readonly arrivals: number; readonly text: string }> {
    let arrivals = 0;
    const server = await startRawServer((socket) => {
      socket.setNoDelay(true);
      void (async () => {
        for (const piece of [streamHead(), ...pieces, end]) {
          socket.write(piece);
          await setTimeout(20);
        }
      })();
    });
    const { client, dispose } = testClient(server.origin);
    const textArrived = () => void (arrivals += 1);
    const events = await allOf(client.stream(chatCompletion(hello), { observer: { textArrived } }));
    dispose();
    await server.close();
    return { arrivals, text: events.map((event) => (event.type === 'text' ? event.text : '')).join('') };
  }

  it('is notified once of all text that was read together, and not of an empty piece', async () => {
    const pieces = [delta(''), Buffer.concat([delta('a'), delta('b')]), delta('c')];
    assert.deepEqual(await arrivalsOf(pieces), { arrivals: 2, text: 'abc' });
  });

  for (const [what, isHeadFirst] of [
    ['after its head', true],
    ['with its head', false],
  ] as const) {
    it(`gets the time of every reply that arrived together ${what} before anything else is done with any of them`, async () => {
      const sockets: Socket[] = [];
      const asked = Promise.withResolvers<void>();
      const server = await startRawServer((socket) => {
        if (isHeadFirst) socket.write(streamHead());
        if (sockets.push(socket) === 3) asked.resolve();
      });
      const measured = testClient(server.origin);
      const arrivedAt: number[] = [];
      let firstTold = 0;
      const told = (): void => void (firstTold ||= performance.now());
      const textArrived = (atMs: number): void => {
        told();
        arrivedAt.push(atMs);
      };
      const replies = [1, 2, 3].map(async () => {
        for await (const { type } of measured.client.stream(chatCompletion(hello), { observer: { textArrived } })) {
          if (type === 'opened' && !isHeadFirst) told();
        }
      });
      await asked.promise;
      // All heads have been read by then, and all sockets become readable in one turn.
      await setTimeout(50);
      const head = isHeadFirst ? [] : [streamHead()];
      for (const socket of sockets) socket.write(Buffer.concat([...head, delta('Hi'), end]));
      await Promise.all(replies);
      measured.dispose();
      await server.close();
      assert.equal(arrivedAt.length, 3);
      for (const atMs of arrivedAt) assert.ok(atMs < firstTold, `${atMs} is after the first was told, ${firstTold}`);
    });
  }

  it('gets no body for a form', async () => {
    const seen = observer();
    const file = { name: 'a.wav', mediaType: 'audio/wav', bytes: new Uint8Array(10) };
    await tested.client.ask(audioTranscription({ model: 'local/transcriber', file }), { observer: seen });
    const [{ contentType, text } = assert.fail()] = seen.sent;
    assert.match(contentType ?? '', /^multipart\/form-data/);
    assert.equal(text, undefined);
  });
});
