import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { once } from 'node:events';
import { type InferenceService, startInferenceService } from '../../service/inferenceService.ts';
import { chunksOf, errorOf, goodBody, send, textOf } from './serviceClient.ts';

interface Catalog {
  readonly object: string;
  readonly data: readonly Readonly<Record<string, unknown>>[];
}

function isHidden({ id }: Readonly<Record<string, unknown>>): boolean {
  return /\/(error|fault)-/.test(String(id));
}

function formPart(name: string, value: string): string {
  return `Content-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n--x\r\n`;
}

const formFile =
  'Content-Disposition: form-data; name="file"; filename="a.txt"\r\nContent-Type: text/plain\r\n\r\nnothing to hear\r\n';

describe('The URLs of the service', () => {
  let service: InferenceService;

  beforeEach(async () => {
    service = await startInferenceService({ tokensPerSecond: Infinity, apiKey: 'key-of-this-test' });
  });

  afterEach(() => service.close());

  async function catalog(url: string): Promise<Catalog> {
    const answer = await send(service, undefined, { url, method: 'GET' });
    assert.equal(answer.status, 200);
    return JSON.parse(answer.text);
  }

  it('are those of the specification', () => {
    assert.equal(service.baseUrl, `${service.origin}/v1`);
    assert.equal(service.nativeUrl, `${service.origin}/api`);
    assert.match(service.legacyBaseUrl, /^http:\/\/127\.0\.0\.1:\d+\/v1$/);
    assert.notEqual(new URL(service.legacyBaseUrl).origin, service.origin);
  });

  it('include the legacy host, with the same key, the same service, and the same log', async () => {
    const answer = await send(service, goodBody, { url: `${service.legacyBaseUrl}/chat/completions` });
    assert.equal(textOf(chunksOf(answer.text)), goodBody.messages[0].content);
    assert.equal(service.log().at(-1)?.host, 'legacy');
    const refused = await send(service, goodBody, {
      url: `${service.legacyBaseUrl}/chat/completions`,
      key: 'local-key',
    });
    assert.equal(refused.status, 401);
    await send(service, goodBody);
    assert.equal(service.log().at(-1)?.host, 'current');
  });

  for (const host of ['current', 'legacy'] as const) {
    it(`respond to every operation on the ${host} host, under the service's own name`, async () => {
      const own = await startInferenceService({ nativeSegment: 'acme', tokensPerSecond: Infinity, videoSeconds: 0 });
      try {
        const base = host === 'current' ? own.baseUrl : own.legacyBaseUrl;
        const native = `${new URL(base).origin}/api/v1/acme`;
        const video = { model: 'local/video', resolution: '32p', duration: 1, fps: 2 };
        const audio = `--x\r\n${formPart('model', 'local/transcriber')}${formFile}--x--\r\n`;
        const multipart = { 'content-type': 'multipart/form-data; boundary=x' };
        for (const [url, body, headers] of [
          [`${base}/chat/completions`, goodBody, {}],
          [`${base}/videos/generations`, video, {}],
          [`${base}/images/generations`, { model: 'local/image', prompt: 'x' }, {}],
          [`${base}/audio/transcriptions`, audio, multipart],
          [`${native}/chat/completions`, goodBody, {}],
          [`${native}/image/generation`, { model: 'local/image', positive_prompt: 'x' }, {}],
          [`${native}/audio/transcribe`, audio, multipart],
          [`${native}/multimodal/chat`, { ...goodBody, model: 'local/vision' }, {}],
        ] as const) {
          const answer = await send(own, body, { url, headers });
          assert.equal(answer.status, 200, `${url}: ${answer.text}`);
          const entry = own.log().at(-1);
          assert.deepEqual([entry?.host, entry?.status, entry?.outcome], [host, 200, 'done']);
          assert.ok(entry?.kind && entry.promptTokens !== undefined && entry.completionTokens !== undefined);
          assert.ok((entry.cost ?? -1) >= 0);
        }
      } finally {
        await own.close();
      }
    });
  }

  it('return the same catalog at the compatible and the native base URL', async () => {
    const rows = await catalog(`${service.baseUrl}/models`);
    assert.equal(rows.object, 'list');
    assert.deepEqual(await catalog(`${service.nativeUrl}/v1/models`), rows);
    assert.deepEqual(
      rows.data.find(({ id }) => id === 'local/small'),
      {
        id: 'local/small',
        object: 'model',
        created: 1_735_689_600,
        owned_by: 'local',
        description: 'Repeats the last user message; its context window is 256 tokens.',
        type: 'chat',
        context_length: 256,
        max_output_tokens: 256,
        pricing: { prompt: '0.0000002', completion: '0.0000008', request: '0' },
        architecture: { modality: 'text->text', input_modalities: ['text'], output_modalities: ['text'] },
      },
    );
    assert.equal(rows.data.find(({ id }) => id === 'local/video')?.['type'], 'video');
  });

  it('require the key for the catalog too', async () => {
    const answer = await send(service, undefined, { url: `${service.baseUrl}/models`, method: 'GET', key: null });
    assert.equal(answer.status, 401);
    assert.equal(errorOf(answer).type, 'authentication_error');
  });

  it('list errors and faults only on request', async () => {
    assert.equal((await catalog(`${service.baseUrl}/models`)).data.some(isHidden), false);
    const listing = await startInferenceService({ listFaults: true });
    try {
      const answer = await send(listing, undefined, { url: `${listing.baseUrl}/models`, method: 'GET' });
      const rows: Catalog = JSON.parse(answer.text);
      assert.ok(rows.data.filter(isHidden).length > 50);
    } finally {
      await listing.close();
    }
  });

  it('count the open connections', async () => {
    assert.equal(service.openConnections(), 0);
    const socket = connect(Number(new URL(service.legacyBaseUrl).port), '127.0.0.1');
    // The service counts the connection, not the client: a response proves that it was counted.
    socket.write('GET /nowhere HTTP/1.1\r\nHost: x\r\n\r\n');
    await once(socket, 'data');
    assert.equal(service.openConnections(), 1);
    const gone = once(socket, 'close');
    await service.close();
    await gone;
    assert.equal(service.openConnections(), 0);
  });

  it('have ports that are free again after closing, and closing twice does no harm', async () => {
    const port = Number(new URL(service.origin).port);
    const legacyPort = Number(new URL(service.legacyBaseUrl).port);
    await service.close();
    await service.close();
    service = await startInferenceService({ port, legacyPort });
    assert.equal(service.origin, `http://127.0.0.1:${port}`);
  });

  it("aren't served if a port is taken, and the other port isn't left open", async () => {
    const port = Number(new URL(service.legacyBaseUrl).port);
    await assert.rejects(startInferenceService({ legacyPort: port }), { code: 'EADDRINUSE' });
  });
});
