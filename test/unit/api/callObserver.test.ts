import assert from 'node:assert/strict';
import type { SentRequest } from '../../../src/api/callObserver.ts';
import type { Exchange } from '../../../src/api/exchange.ts';
import { type InferenceService, startInferenceService } from '../../service/inferenceService.ts';
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

  it('sees the request as it goes out, without a header, and how its exchange ended', async () => {
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

  it('is notified when each attempt is sent, and of nothing without a connection', async () => {
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

  it('gets no body if it is a form', async () => {
    const seen = observer();
    const file = { name: 'a.wav', mediaType: 'audio/wav', bytes: new Uint8Array(10) };
    await tested.client.ask(audioTranscription({ model: 'local/transcriber', file }), { observer: seen });
    const [{ contentType, text } = assert.fail()] = seen.sent;
    assert.match(contentType ?? '', /^multipart\/form-data/);
    assert.equal(text, undefined);
  });
});
