import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { decodeModels } from '../../../../src/api/wire/decodeModels.ts';
import { localServerName } from '../../../../src/core/services/localServerName.ts';

describe('A server found on this computer', () => {
  const named = (...owners: readonly (string | undefined)[]) =>
    localServerName(decodeModels(owners.map((owner, at) => ({ id: `m${at}`, object: 'model', owned_by: owner }))));

  it('is named by what its model list says', () => {
    assert.equal(named('library'), 'Ollama');
    assert.equal(named('organization_owner'), 'LM Studio');
    assert.equal(named('llamacpp'), 'llama.cpp');
    assert.equal(named('vllm'), 'vLLM');
    // Ollama writes a user's name for a model that isn't from its library.
    assert.equal(named('someone', 'library'), 'Ollama');
  });

  it('has no name if its list says nothing, no matter which port it uses', () => {
    assert.equal(named(), undefined);
    assert.equal(named(undefined, 'constructor', 'openai'), undefined);
  });
});
