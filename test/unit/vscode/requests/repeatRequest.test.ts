import assert from 'node:assert/strict';
import type { RequestTap } from '../../../../src/vscode/requests/requestTap.ts';
import { repeatRequest, wentElsewhere, whyNotRepeatable } from '../../../../src/vscode/requests/repeatRequest.ts';
import { type ModelRef, refParts } from '../../../../src/shared/modelRef.ts';
import { RequestsHere } from './requestsHere.ts';
import { chatCompletion } from '../../../../src/api/operations/chatCompletion.ts';
import { videoGeneration } from '../../../../src/api/operations/videoGeneration.ts';
import { imageGeneration } from '../../../../src/api/operations/imageGeneration.ts';
import { listModels } from '../../../../src/api/operations/listModels.ts';

const question = { role: 'user', content: 'Say this back' } as const;
const inParts = { role: 'user', content: [{ type: 'text', text: 'Say this back' }] } as const;
const picture = { type: 'image_url', image_url: { url: `data:image/png;base64,${'A'.repeat(5000)}` } } as const;

async function drain(stream: AsyncIterable<unknown>): Promise<void> {
  for await (const event of stream) void event;
}

describe('A request that is run again', () => {
  let here: RequestsHere;
  before(async () => {
    here = await RequestsHere.start();
  });
  after(() => here.stop());
  afterEach(() => here.clear());

  const asks: Readonly<Record<string, (calls: RequestTap) => Promise<unknown>>> = {
    'a streamed chat': (calls) =>
      drain(
        calls
          .to('service')
          .stream(chatCompletion({ model: 'local/echo', messages: [question], stream: true, temperature: 0.2 })),
      ),
    'a whole chat': (calls) =>
      drain(calls.to('service').stream(chatCompletion({ model: 'local/echo', messages: [question], stream: false }))),
    'a chat of the native API': (calls) =>
      drain(
        calls
          .to('service')
          .stream(chatCompletion({ model: 'local/vision', messages: [inParts], stream: true }), { api: 'native' }),
      ),
    'a video': (calls) =>
      calls.to('service').ask(videoGeneration({ model: 'local/video', prompt: 'x', duration: 1, resolution: '120p' })),
    'an image of the native API': (calls) =>
      calls.to('service').ask(imageGeneration({ model: 'local/image', positive_prompt: 'x', width: 64, height: 32 }), {
        api: 'native',
      }),
    'an image of a compatible service': (calls) =>
      calls.to('service').ask(imageGeneration({ model: 'local/image', positive_prompt: 'x', width: 64, height: 64 }), {
        api: 'compatible',
      }),
    'a catalog': (calls) => calls.to('service').ask(listModels),
  };
  for (const [name, ask] of Object.entries(asks)) {
    it(`is sent to the same place with the same body: ${name}`, async () => {
      const { calls, history } = here.window();
      const earlier = here.service.log().length;
      await ask(calls);
      const [request = assert.fail()] = await history.requests();
      const { request: sent } = await history.bodies(request.id);
      assert.equal(whyNotRepeatable(request, sent), undefined);
      const again = calls.from({ kind: 'again', repeats: request.id }).to('service');
      await repeatRequest(again, { request, sent, target: 'service' }, new AbortController().signal);
      const [first, second] = here.service.log().slice(earlier);
      assert.ok(first !== undefined && second !== undefined);
      assert.deepEqual([second.path, second.requestBody], [first.path, first.requestBody]);
      const repeated = (await history.requests()).find(({ origin }) => origin.repeats === request.id);
      assert.deepEqual([repeated?.operation, repeated?.end?.outcome], [request.operation, 'done']);
    });
  }

  it('uses another model if requested, with the rest unchanged', async () => {
    const { calls, history } = here.window();
    await drain(
      calls
        .to('service')
        .stream(chatCompletion({ model: 'local/echo', messages: [question], stream: true, max_tokens: 9 })),
    );
    const [request = assert.fail()] = await history.requests();
    const { request: sent } = await history.bodies(request.id);
    const repeated = { request, sent, target: 'service' };
    await repeatRequest(calls.to('service'), repeated, new AbortController().signal, 'local/fast');
    assert.deepEqual(here.service.log().at(-1)?.requestBody, {
      model: 'local/fast',
      messages: [question],
      stream: true,
      max_tokens: 9,
    });
  });

  for (const [whom, { isKept, target = 'service', isElsewhere = false, model }] of Object.entries<{
    readonly isKept: boolean;
    readonly target?: string;
    readonly isElsewhere?: boolean;
    readonly model?: ModelRef;
  }>({
    'its own': { isKept: true },
    'its own, which was selected': { isKept: true, model: 'local/echo' },
    another: { isKept: false, model: 'local/fast' },
    'the same of another service': { isKept: false, target: 'other', model: 'other::local/echo' },
    'the same at another URL': { isKept: false, isElsewhere: true },
  }))
    it(`has the reasoning and signatures of its model for that one only: ${whom}`, async () => {
      const { calls, history } = here.window();
      const call = { id: 'a', type: 'function', function: { name: 'get_time', arguments: '{}' } } as const;
      const reasoned = { reasoning_content: 'Hm', reasoning_details: [{ type: 'reasoning.encrypted', data: 'x' }] };
      const signed = { ...call, extra_content: { google: { thought_signature: 'x' } } };
      const said = { role: 'assistant', content: '' } as const;
      const result = { role: 'tool', tool_call_id: 'a', content: '12:00' } as const;
      const messages = [question, { ...said, ...reasoned, tool_calls: [signed] }, result];
      await drain(calls.to('service').stream(chatCompletion({ model: 'local/echo', messages, stream: true })));
      const [request = assert.fail()] = await history.requests();
      const { request: sent } = await history.bodies(request.id);
      const repeated = { request, sent, target, isElsewhere };
      await repeatRequest(calls.to('service'), repeated, new AbortController().signal, model);
      const again: unknown = here.service.log().at(-1)?.requestBody;
      assert.deepEqual(again, {
        model: model === undefined ? 'local/echo' : refParts(model).model,
        messages: isKept ? messages : [question, { ...said, tool_calls: [call] }, result],
        stream: true,
      });
    });

  const forms = {
    native: { positive_prompt: 'x', width: 64, height: 32, seed: 7 },
    compatible: { prompt: 'x', size: '64x32', seed: 7 },
  } as const;
  for (const [from, to] of [
    ['native', 'compatible'],
    ['compatible', 'native'],
  ] as const) {
    it(`has the fields that another service accepts: an image of the ${from} API for a ${to} service`, async () => {
      const ofService = { service: from, other: to };
      const clients = new Map(
        Object.entries(ofService).map(([id, api]) => [id, here.client(undefined, { mediaApi: () => api })]),
      );
      const { calls, history } = here.window({ callsOf: (id) => clients.get(id) ?? assert.fail() });
      await calls
        .to('service')
        .ask(imageGeneration({ model: 'local/image', positive_prompt: 'x', width: 64, height: 32, seed: 7 }));
      const [request = assert.fail()] = await history.requests();
      const { request: sent } = await history.bodies(request.id);
      assert.deepEqual(sent?.body, { model: 'local/image', ...forms[from] });
      const repeated = { request, sent, target: 'other' };
      await repeatRequest(calls.to('other'), repeated, new AbortController().signal, 'other::local/image-base64');
      assert.deepEqual(here.service.log().at(-1)?.requestBody, { model: 'local/image-base64', ...forms[to] });
      const again = (await history.requests()).find(({ id }) => id !== request.id);
      assert.equal(again?.asked, 'x');
    });
  }

  it("isn't sent in part: without its body, its images, or its audio file", async () => {
    const { calls, history } = here.window();
    const messages = [{ role: 'user', content: [{ type: 'text', text: 'x' }, picture] }] as const;
    await drain(calls.to('service').stream(chatCompletion({ model: 'local/vision', messages, stream: true }))).catch(
      () => undefined,
    );
    const [request = assert.fail()] = await history.requests();
    const { request: sent } = await history.bodies(request.id);
    assert.equal(whyNotRepeatable(request, sent), 'fileLeftOut');
    assert.equal(whyNotRepeatable(request, undefined), 'noBody');
    assert.equal(whyNotRepeatable({ ...request, operation: 'audio' }, sent), 'recording');
  });

  it('is known to have been sent to another service', () => {
    const sent = { url: 'https://one.test/v1/chat/completions' };
    const at = (baseUrl: string, nativeUrl = 'https://native.test/api', isNativeElsewhere = false) => ({
      baseUrl: new URL(baseUrl),
      nativeUrl: new URL(nativeUrl),
      isNativeElsewhere,
    });
    const older = (fallbackBaseUrl: string) => ({
      ...at('https://new.test/v1'),
      fallbackBaseUrl: new URL(fallbackBaseUrl),
    });
    assert.equal(wentElsewhere(sent, at('https://one.test/v1')), false);
    assert.equal(wentElsewhere(sent, older('https://one.test/v1')), false);
    assert.equal(wentElsewhere(sent, at('https://two.test/v1')), true);
    assert.equal(wentElsewhere(sent, at('http://one.test/v1')), true);
    assert.equal(wentElsewhere(undefined, at('https://two.test/v1')), false);
    // The host alone isn't the service.
    assert.equal(wentElsewhere(sent, at('https://one.test/team/v1')), true);
    assert.equal(wentElsewhere(sent, at('https://one.test/v')), true);
    assert.equal(wentElsewhere(sent, older('https://one.test/team/v1')), true);
    const native = { url: 'https://one.test/api/v1/svcai/chat/completions' };
    assert.equal(wentElsewhere(native, at('https://one.test/v1', 'https://one.test/api')), false);
    assert.equal(wentElsewhere(native, at('https://one.test/v1', 'https://one.test/api', true)), true);
    assert.equal(wentElsewhere(native, { ...older('https://one.test/v1'), isNativeElsewhere: true }), false);
  });
});
