import assert from 'node:assert/strict';
import type { ModelInfo } from '../../src/api/wire/decodeModels.ts';
import type { MeasuredFigures } from '../../src/core/models/measuredModel.ts';
import { modelInformation } from '../../src/vscode/languageModel/modelInformation.ts';

const model = (facts: Partial<ModelInfo> = {}): ModelInfo => ({ id: 'kestrel/sparrow', raw: {}, ...facts });
const figures: MeasuredFigures = {
  requestCount: 12,
  failureCount: 0,
  timeToFirstTokenSeconds: { p50: 0.312, p95: 0.9, from: 'service' },
  tokensPerSecond: { p50: 84.2, p95: 60, from: 'service' },
  latest: [],
};

describe("A model as VS Code's own chat shows it", () => {
  it('can be picked, also in VS Code versions that hide models unless told otherwise', () => {
    assert.equal(Reflect.get(modelInformation(model()), 'isUserSelectable'), true);
  });

  it('has its median speed here, and the number of requests behind it', () => {
    const { detail, tooltip } = modelInformation(model({ contextWindow: 131_072 }), { figures });
    assert.equal(detail, 'kestrel · 84 tok/s · 0.31 s');
    assert.equal(tooltip, 'kestrel/sparrow\n128k context\nMeasured here: 84 tok/s · 0.31 s (median of 12 requests).');
  });

  it("is marked as not measured, except at a service whose figures aren't kept", () => {
    assert.match(modelInformation(model(), { figures: undefined }).tooltip ?? '', /Not measured/);
    assert.equal(modelInformation(model()).tooltip, 'kestrel/sparrow');
  });

  it("accepts images if its list doesn't say what it supports", () => {
    const takes = (facts: Partial<ModelInfo>) => modelInformation(model(facts)).capabilities.imageInput;
    assert.deepEqual(
      [takes({}), takes({ kind: 'multimodal' }), takes({ kind: 'chat' }), takes({ inputModalities: ['text'] })],
      [true, true, false, false],
    );
  });
});
