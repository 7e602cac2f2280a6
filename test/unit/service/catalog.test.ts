import assert from 'node:assert/strict';
import { decodeModels } from '../../../src/api/wire/decodeModels.ts';
import { catalogShapes } from '../../service/catalog/catalogBody.ts';
import {
  type InferenceService,
  type InferenceServiceOptions,
  startInferenceService,
} from '../../service/inferenceService.ts';
import { type Answer, chunksOf, question, send } from './serviceClient.ts';

type Row = Readonly<Record<string, unknown>>;

describe('The catalog of the service', () => {
  let service: InferenceService;

  afterEach(() => service.close());

  async function answerWith(options: InferenceServiceOptions): Promise<Answer> {
    service = await startInferenceService({ tokensPerSecond: Infinity, ...options });
    return send(service, undefined, { url: `${service.baseUrl}/models`, method: 'GET' });
  }

  async function rowsWith(options: InferenceServiceOptions): Promise<readonly Row[]> {
    const { data }: { readonly data: readonly Row[] } = JSON.parse((await answerWith(options)).text);
    return data;
  }

  /** Tokens of a response that is cut after two. */
  async function writtenBy(model: string): Promise<number | undefined> {
    const answer = await send(service, { ...question(model, 'Hello, you there'), max_tokens: 2 });
    return chunksOf(answer.text).at(-1)?.usage?.completion_tokens;
  }

  it('has 40 models of every kind, local/writer first, and each only once', async () => {
    const rows = await rowsWith({});
    assert.equal(rows.length, 40);
    assert.equal(rows[0]?.['id'], 'local/writer');
    assert.equal(new Set(rows.map(({ id }) => id)).size, 40);
    for (const { id } of rows) assert.match(String(id), /^[a-z]+\/[A-Za-z0-9.-]+$/);
    const kinds = new Set(rows.map(({ type }) => type));
    for (const kind of ['chat', 'multimodal', 'image', 'video', 'audio', undefined]) assert.ok(kinds.has(kind), kind);
  });

  it('has prices as strings per token and as numbers per million, and rows without prices', async () => {
    const rows = await rowsWith({});
    const prices = rows.map(({ pricing }) => (pricing ?? {}) as Row);
    assert.ok(prices.some(({ prompt }) => typeof prompt === 'string'));
    assert.ok(prices.some(({ input }) => typeof input === 'number'));
    assert.ok(prices.some((each) => Object.keys(each).length === 0));
    for (const field of ['context_length', 'context_window', 'max_model_len', 'max_input_tokens', 'regions']) {
      assert.ok(
        rows.some((row) => field in row),
        field,
      );
    }
    assert.ok(rows.some((row) => Object.keys(row).length === 4));
  });

  it('has aliases that all respond', async () => {
    const rows = await rowsWith({});
    const others = rows.map(({ id }) => String(id)).filter((id) => !id.startsWith('local/'));
    assert.equal(others.length, 20);
    for (const [index, written] of (await Promise.all(others.map(writtenBy))).entries()) {
      assert.equal(written, 2, others[index]);
    }
  });

  it('can have 5,000 models, one, or none', async () => {
    const rows = await rowsWith({ catalogSize: 5000 });
    assert.equal(new Set(rows.map(({ id }) => id)).size, 5000);
    const last = String(rows.at(-1)?.['id']);
    assert.equal(await writtenBy(last), 2);
    await service.close();
    assert.deepEqual(
      (await rowsWith({ catalogSize: 1 })).map(({ id }) => id),
      ['local/writer'],
    );
    assert.equal((await send(service, question('local/echo', 'Hello'))).status, 200);
    await service.close();
    assert.deepEqual(await rowsWith({ catalogSize: 0 }), []);
  });

  for (const { name, what } of catalogShapes) {
    it(`can be ${what}, and a client finds all models in it`, async () => {
      const body: unknown = JSON.parse((await answerWith({ catalogForm: name })).text);
      const found = decodeModels(body).map(({ id }) => id);
      assert.equal(found.length, name === 'odd-ids' ? 45 : 40);
      assert.equal(found[0], 'local/writer');
    });
  }

  it('can break like any error or fault', async () => {
    assert.equal((await answerWith({ catalogForm: 'error-503' })).status, 503);
    await service.close();
    assert.match((await answerWith({ catalogForm: 'fault-html-200' })).text, /guest network/);
  });
});
