import assert from 'node:assert/strict';
import { fieldDefaults } from '../../../../src/core/media/fieldDefaults.ts';
import { rejectedField } from '../../../../src/core/media/rejectedField.ts';
import type { ApiFailure } from '../../../../src/shared/apiFailure.ts';

const badRequest = (param: string, message = 'must be at most 60.'): ApiFailure => ({
  kind: 'badRequest',
  status: 400,
  param,
  message,
});
const video = { kind: 'video', model: 'a/b', duration: 99, resolution: '4p' } as const;
const image = { kind: 'image', model: 'a/b', prompt: 'x', width: 8, height: 9, steps: 4 } as const;

describe('The field that a service rejected', () => {
  it('is the one in the form, whatever its name in the request', () => {
    assert.deepEqual(rejectedField(badRequest('duration'), video), {
      field: 'duration',
      value: '99',
      words: 'must be at most 60.',
    });
    assert.equal(rejectedField(badRequest('aspect_ratio'), video)?.field, 'aspectRatio');
    assert.equal(rejectedField(badRequest('positive_prompt'), image)?.field, 'prompt');
    assert.deepEqual(rejectedField(badRequest('height', ''), image), {
      field: 'size',
      value: '8x9',
      words: 'The service rejected this value.',
    });
  });

  it("is none if the service named none, or one that isn't in the form", () => {
    for (const failure of [badRequest('steps'), badRequest('image'), badRequest('model'), undefined]) {
      assert.equal(rejectedField(failure, video), undefined, JSON.stringify(failure));
    }
    assert.equal(rejectedField({ kind: 'badRequest', status: 400, message: 'no' }, video), undefined);
    assert.equal(rejectedField({ kind: 'unexpected', message: 'duration' }, video), undefined);
  });
});

describe('What a model does with an empty field', () => {
  const defaultsIn = (listed: unknown, kind: 'video' | 'image' = 'video') =>
    fieldDefaults(kind, { raw: { default_parameters: listed } });

  it('is taken from its row of the model list, in words', () => {
    assert.deepEqual(defaultsIn({ duration: 5, fps: 24, resolution: '720p', draft: false, prompt: 'x' }), {
      duration: '5 s',
      fps: '24',
      resolution: '720p',
    });
    assert.deepEqual(defaultsIn({ width: 1024, height: 768, steps: 20 }, 'image'), { size: '1024 × 768', steps: '20' });
  });

  it('is empty if the list has nothing that fits', () => {
    for (const listed of [undefined, null, 'x', [], { duration: null, fps: {}, resolution: '' }]) {
      assert.deepEqual(defaultsIn(listed), {}, JSON.stringify(listed));
    }
  });
});
