import assert from 'node:assert/strict';
import { changedByStreaming, realDocuments } from './documents.ts';

describe('Real documents', function () {
  this.timeout(600_000);

  it('look the same streamed and whole, 500 of them', async () => {
    const documents = await realDocuments();
    assert.ok(documents.length >= 500, `${documents.length} documents`);
    assert.deepEqual(changedByStreaming(documents.slice(0, 500)), []);
  });
});
