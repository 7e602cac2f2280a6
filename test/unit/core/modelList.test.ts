import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { compactTokens, groupByProvider, mayChat, modelFacts } from '../../../src/core/modelList.ts';

const raw = {};

describe('The list of models', () => {
  it('stands by provider, sorted as a person would, each model once', () => {
    const models = ['meta/m-10', 'meta/m-2', 'acme/x', 'meta/m-2', 'bare'].map((id) => ({ id, raw }));
    const groups = groupByProvider([...models, { id: 'owned', ownedBy: 'zeta', raw }]);
    assert.deepEqual(
      groups.map((group) => [group.provider, group.models.map((model) => model.id)]),
      [
        ['', ['bare']],
        ['acme', ['acme/x']],
        ['meta', ['meta/m-2', 'meta/m-10']],
        ['zeta', ['owned']],
      ],
    );
  });

  it('knows which models do not chat, and doubts in favour of a model', () => {
    assert.equal(mayChat({ id: 'a', raw }), true);
    assert.equal(mayChat({ id: 'a', kind: 'chat', raw }), true);
    assert.equal(mayChat({ id: 'a', kind: 'something-new', raw }), true);
    assert.equal(mayChat({ id: 'a', kind: 'Video', raw }), false);
    assert.equal(mayChat({ id: 'a', kind: 'multimodal', outputModalities: ['image'], raw }), false);
    assert.equal(mayChat({ id: 'a', kind: 'image', outputModalities: ['text', 'image'], raw }), true);
    const transcriber = { id: 'a', kind: 'audio', inputModalities: ['audio'], outputModalities: ['text'], raw };
    assert.equal(mayChat(transcriber), false);
  });

  it('tells size and price where the catalogue does', () => {
    assert.equal(modelFacts({ id: 'a', raw }), '');
    assert.equal(
      modelFacts({ id: 'a', contextWindow: 131_072, inputPricePerMillion: 0.15, outputPricePerMillion: 0.6, raw }),
      '128k · 0.15 → 0.60 per M tokens',
    );
    assert.equal(modelFacts({ id: 'a', inputPricePerMillion: 0.025, raw }), '0.025 per M tokens');
    assert.equal(modelFacts({ id: 'a', inputPricePerMillion: 0, outputPricePerMillion: 0, raw }), 'free');
    assert.equal(modelFacts({ id: 'a', kind: 'video', raw }), 'video');
  });

  it('writes sizes short', () => {
    const sizes = [512, 4096, 8192, 32_000, 131_072, 200_000, 1_000_000, 1_048_576, 2_097_152];
    assert.deepEqual(sizes.map(compactTokens), ['512', '4k', '8k', '32k', '128k', '200k', '1M', '1M', '2M']);
  });
});
