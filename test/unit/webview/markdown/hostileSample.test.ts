import assert from 'node:assert/strict';
import { changedByStreaming, realDocuments } from '../../../hostile/documents.ts';
import { assertLinear } from '../../../hostile/parserCost.ts';
import { pathologicalInputs } from '../../../hostile/pathologicalInputs.ts';

// All of them: `npm test -- --only hostile`.
describe('A sample of hostile and of real Markdown', () => {
  it('looks the same streamed and whole: real documents', async () => {
    const documents = await realDocuments('{marked,mocha,valibot,yaml}');
    assert.ok(documents.length >= 8, `${documents.length} documents`);
    assert.deepEqual(changedByStreaming(documents), []);
  });

  for (const name of ['link openers without closers', 'unclosed links', 'many references']) {
    const input = pathologicalInputs[name];
    assert.ok(input);
    it(`takes time in proportion to its length: ${name}`, () => assertLinear(input));
  }
});
