import assert from 'node:assert/strict';
import { afterEach, describe, it } from 'mocha';
import { modelRef } from '../../../src/shared/modelRef.ts';
import { modelLabel, shortModelLabel, useServiceNames } from '../../../src/words/modelLabel.ts';

describe("A model's name", () => {
  afterEach(() => useServiceNames({}));

  it("is only the model while there's one service", () => {
    useServiceNames({ service: 'host.example' });
    assert.equal(modelLabel('maker/model'), 'maker/model');
    useServiceNames({ work: 'Work' });
    assert.equal(modelLabel(modelRef('work', 'maker/model')), 'maker/model');
  });

  it('includes the service from the second one on', () => {
    useServiceNames({ service: 'host.example', work: 'Work' });
    assert.equal(modelLabel('maker/model'), 'maker/model (host.example)');
    assert.equal(modelLabel(modelRef('work', 'maker/model')), 'maker/model (Work)');
  });

  it('includes it for a removed service, even if one is left', () => {
    useServiceNames({ service: 'host.example' });
    assert.equal(modelLabel(modelRef('work', 'maker/model')), 'maker/model (work)');
  });

  it("keeps the beginning and the end of a long service name in a row, with the model's name and short ones whole", () => {
    useServiceNames({ service: 'Inference cluster in Frankfurt (staging)', work: 'Twelve chars' });
    assert.equal(shortModelLabel('maker/model'), 'maker/model (Infere…ging))');
    assert.equal(shortModelLabel(modelRef('work', 'maker/model')), 'maker/model (Twelve chars)');
  });
});
