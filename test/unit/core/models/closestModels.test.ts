import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { closestModels } from '../../../../src/core/models/closestModels.ts';
import { ModelIndex } from '../../../../src/core/models/modelIndex.ts';

const ids = [
  'meta/llama-3.1-70b-instruct',
  'meta/llama-3.1-8b-instruct',
  'mistral/mistral-large',
  'mistral/mistral-small',
  'qwen/qwen-2.5-coder',
  'bare',
];
const index = new ModelIndex([
  ...ids.map((id) => ({ id, raw: {} })),
  { id: 'meta/llama-video', kind: 'video', raw: {} },
]);

describe('The models closest to a name', () => {
  const rows: readonly (readonly [string, string])[] = [
    ['llama-3.1-70b-instruct', 'meta/llama-3.1-70b-instruct'],
    ['meta/llama-3.1-70b', 'meta/llama-3.1-70b-instruct'],
    ['META/LLAMA_3.1_8B_INSTRUCT', 'meta/llama-3.1-8b-instruct'],
    ['mistral/mistral-lrage', 'mistral/mistral-large'],
    ['openrouter/qwen/qwen-2.5-coder', 'qwen/qwen-2.5-coder'],
    ['qwen2.5 coder', 'qwen/qwen-2.5-coder'],
    ['some/bare', 'bare'],
  ];
  for (const [wanted, closest] of rows) {
    it(`start with ${closest} for ${wanted}`, () => assert.equal(closestModels(index, wanted, 3)[0], closest));
  }

  it("are as many as requested, and don't include quite different ones", () => {
    assert.equal(closestModels(index, 'meta/llama', 1).length, 1);
    assert.deepEqual(closestModels(index, 'xyzzy-9000', 3), []);
    assert.deepEqual(closestModels(index, '', 3), []);
  });

  it("are of the requested kind if it isn't chat", () => {
    assert.deepEqual(closestModels(index, 'meta/llama-vid', 3, 'video'), ['meta/llama-video']);
  });

  it("include neither models that can't chat nor the name itself", () => {
    assert.ok(!closestModels(index, 'meta/llama-video', 9).includes('meta/llama-video'));
    assert.ok(!closestModels(index, 'bare', 9).includes('bare'));
  });
});
