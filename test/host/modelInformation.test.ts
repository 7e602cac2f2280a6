import assert from 'node:assert/strict';
import type { ModelInfo } from '../../src/api/wire/decodeModels.ts';
import type { MeasuredFigures } from '../../src/core/models/measuredModel.ts';
import { modelRef } from '../../src/shared/modelRef.ts';
import { modelInformation } from '../../src/vscode/languageModel/modelInformation.ts';
import { useServiceNames } from '../../src/words/modelLabel.ts';

const model = (facts: Partial<ModelInfo> = {}): ModelInfo => ({ id: 'kestrel/sparrow', raw: {}, ...facts });
const figures: MeasuredFigures = {
  requestCount: 12,
  failureCount: 0,
  timeToFirstTokenSeconds: { p50: 0.312, p95: 0.9, from: 'service' },
  tokensPerSecond: { p50: 84.2, p95: 60, from: 'service' },
  latest: [],
};

describe("A model as VS Code's own chat shows it", () => {
  afterEach(() => useServiceNames({}));

  it('can be selected, even in VS Code versions that hide models by default', () => {
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

  it('names its service if there are several, and never shows how Parlance identifies it', () => {
    useServiceNames({ home: 'Ollama' });
    const { name, detail, tooltip } = modelInformation(model({ id: modelRef('home', 'llama3') }), { figures });
    assert.deepEqual([name, detail], ['llama3', '84 tok/s · 0.31 s']);
    assert.match(tooltip ?? '', /^llama3\n/);
    useServiceNames({ service: 'Northwind', home: 'Ollama' });
    const ofHome = modelInformation(model({ id: modelRef('home', 'kestrel/sparrow') }), { figures });
    assert.deepEqual([ofHome.name, ofHome.detail], ['sparrow (Ollama)', 'kestrel · 84 tok/s · 0.31 s']);
    assert.match(ofHome.tooltip ?? '', /^kestrel\/sparrow \(Ollama\)\n/);
    assert.equal(modelInformation(model(), { figures }).name, 'sparrow (Northwind)');
    // VS Code itself groups the models of a service that was added in its own list.
    assert.equal(modelInformation(model()).name, 'sparrow');
  });

  it('is plain text, where VS Code draws Markdown and icons, whatever its service calls it', () => {
    const words = '[press](command:x) ![a](https://canary.invalid/a.png) $(squirrel)';
    const { name, detail, tooltip } = modelInformation(model({ id: `a [b](c:d)/${words}`, kind: words }), { figures });
    for (const text of [name, detail, tooltip]) assert.doesNotMatch(text ?? '', /\]\(|\$\(|:\/\//);
    assert.equal(name.replaceAll('\u200B', ''), words);
    assert.match(tooltip ?? '', /\nMeasured here/);
  });

  it("says that its service doesn't support chat, if that is known, and accepts no images if its service accepts none", () => {
    const lack = "Painter doesn't support this: Chat";
    const lacking = modelInformation(model({ contextWindow: 131_072 }), { figures }, { lack, lacksImages: true });
    assert.equal(lacking.detail, lack);
    assert.match(lacking.tooltip ?? '', /^kestrel\/sparrow\nPainter doesn't support this: Chat\n128k context\n/);
    assert.equal(lacking.capabilities.imageInput, false);
  });

  it("accepts images if its list doesn't say what it supports, or if it has accepted one and its list doesn't deny it", () => {
    for (const hasAcceptedImages of [false, true]) {
      const takes = (facts: Partial<ModelInfo>) =>
        modelInformation(model(facts), undefined, { hasAcceptedImages }).capabilities.imageInput;
      assert.deepEqual(
        [takes({}), takes({ kind: 'multimodal' }), takes({ kind: 'chat' }), takes({ inputModalities: ['text'] })],
        [true, true, hasAcceptedImages, false],
      );
    }
  });
});
