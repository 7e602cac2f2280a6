import assert from 'node:assert/strict';
import { type InferenceService, startInferenceService } from '../../service/inferenceService.ts';
import { createModels } from '../../service/models/createModels.ts';
import { oddIdModels } from '../../service/models/aliasModels.ts';
import { forgetfulModels, toolModels } from '../../service/models/chatModels.ts';
import { faultGuide } from '../../service/pages/faultGuide.ts';
import { errorOf, goodBody, question, send } from './serviceClient.ts';

describe('The fault console', () => {
  let service: InferenceService;

  before(async () => {
    service = await startInferenceService({ tokensPerSecond: Infinity });
  });

  after(() => service.close());

  it('lists every error and every fault once', () => {
    const named = faultGuide().flatMap(({ models }) => models.map(({ id }) => id));
    const odd = new Set([...oddIdModels(), ...toolModels(), ...forgetfulModels()].map(({ id }) => id));
    const hidden = [...createModels(Date.now, 40).values()].filter((model) => model.hidden && !odd.has(model.id));
    assert.deepEqual(named.toSorted(), hidden.map(({ id }) => id).toSorted());
    for (const { trouble, models } of faultGuide()) assert.ok(models.length > 0, trouble);
  });

  it('is a page only for this machine, on both forms of the host', async () => {
    const call = { url: `${service.origin}/faults`, method: 'GET', key: null };
    const page = await send(service, undefined, call);
    assert.match(String(page.headers['content-type']), /^text\/html/);
    assert.match(String(page.headers['content-security-policy']), /default-src 'none'/);
    for (const { id } of faultGuide().flatMap(({ models }) => models)) assert.ok(page.text.includes(id), id);
    assert.ok(page.text.includes(`curl -N ${service.origin}/v1/chat/completions`));
    assert.equal((await send(service, undefined, { ...call, headers: { host: 'evil.example' } })).status, 403);
    const legacy = await send(service, undefined, { ...call, url: service.legacyBaseUrl.replace('/v1', '/faults') });
    assert.equal(legacy.status, 200);
  });

  it("states correctly that errors and faults can follow any model's name", async () => {
    for (const model of ['local/writer', 'kestrel/sparrow', 'quill', 'local/fault-reset']) {
      const refused = await send(service, question(`${model}:error-402`, 'Hello'));
      assert.equal(refused.status, 402, model);
      assert.equal(errorOf(refused).code, 'insufficient_quota');
      const broken = await send(service, question(`${model}:fault-unfinished`, 'Hello'));
      assert.match(broken.text, new RegExp(`"model":"${model}:fault-unfinished"`));
      assert.doesNotMatch(broken.text, /\[DONE\]/);
    }
    for (const model of ['local/none:error-402', 'local/writer:error-999', 'local/writer:echo', 'local/writer:']) {
      assert.equal((await send(service, { ...goodBody, model })).status, 404, model);
    }
  });
});
