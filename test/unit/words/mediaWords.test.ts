import assert from 'node:assert/strict';
import { keysOf } from '../../../src/shared/mapTable.ts';
import { type FieldName, mediaFields } from '../../../src/shared/media.ts';
import { fieldWords } from '../../../src/words/mediaWords.ts';

describe('The words of the media form', () => {
  it('are in Title Case where they name a button', () => {
    const fields: readonly FieldName[] = keysOf({ ...mediaFields.video, ...mediaFields.image });
    assert.ok(fields.length > 10);
    const lower = fields.filter((field) =>
      fieldWords(field)
        .title.split(' ')
        .some((word, at) => /^[a-z]/.test(word) && !(at > 0 && ['a', 'of', 'per', 'the', 'to'].includes(word))),
    );
    assert.deepEqual(lower, []);
    assert.equal(fieldWords('fps').title, 'Frames per Second');
  });
});
