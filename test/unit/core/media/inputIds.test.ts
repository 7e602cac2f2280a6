import assert from 'node:assert/strict';
import { inputIds } from '../../../../src/core/media/inputIds.ts';
import { inputFields, type MediaInput } from '../../../../src/shared/media.ts';

describe('The copied files in a form', () => {
  // A file that isn't listed is deleted as unused.
  it('are those of every input there is', () => {
    const file = (id: string): MediaInput => ({
      kind: 'file',
      id,
      name: 'a.bin',
      mediaType: 'application/octet-stream',
      sizeBytes: 1,
    });
    const inputs = Object.fromEntries(inputFields.map((name) => [name, file(`of ${name}`)]));
    assert.deepEqual(
      inputIds({ texts: {}, inputs }),
      inputFields.map((name) => `of ${name}`),
    );
  });

  it("aren't URLs", () => {
    assert.deepEqual(inputIds({ texts: {}, inputs: { image: { kind: 'address', url: 'https://a.test/b.png' } } }), []);
  });
});
