import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import { mainServiceId, modelRef, refParts } from '../../../src/shared/modelRef.ts';

describe('A model of a service', () => {
  it('is only its ID at the main service, even if that looks like a model of another one', () => {
    assert.equal(modelRef(mainServiceId, 'maker/model:8b'), 'maker/model:8b');
    for (const odd of ['work::llama3', 'arn:aws:bedrock:us-east-1::foundation-model/x', '::', 'a::']) {
      assert.deepEqual(refParts(modelRef(mainServiceId, odd)), { service: mainServiceId, model: odd });
    }
  });

  it('is never mistaken for one of another service, whatever its name', () => {
    const service = fc.stringMatching(/^[a-z0-9][a-z0-9.-]{0,63}$/);
    fc.assert(
      fc.property(service, fc.string({ minLength: 1 }), (id, model) => {
        assert.deepEqual(refParts(modelRef(id, model)), { service: id, model });
      }),
    );
    fc.assert(
      fc.property(service, service, fc.string({ minLength: 1 }), (one, other, model) => {
        if (one !== other) assert.notEqual(modelRef(one, model), modelRef(other, model));
      }),
    );
  });
});
