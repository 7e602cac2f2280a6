import assert from 'node:assert/strict';
import * as v from 'valibot';
import { formValuesOf } from '../../../../src/core/media/formValues.ts';
import { mediaMessageSchema } from '../../../../src/vscode/media/mediaMessage.ts';
import { parametersOf } from '../../../../src/webview/media/parameters.ts';

describe('The form of a video', () => {
  it('sends no field that was left alone', () => {
    const { parameters } = fine(parametersOf('video', { texts: { model: ' maker/film ', prompt: '  ' }, inputs: {} }));
    assert.deepEqual(parameters, { kind: 'video', model: 'maker/film' });
  });

  it('sends all eleven fields, and is filled in again from its request', () => {
    const values = {
      texts: {
        model: 'maker/film',
        prompt: 'A kite',
        duration: '5',
        resolution: '720p',
        fps: '24',
        aspectRatio: '16:9',
        draft: 'on',
        saveAudio: 'off',
        promptUpsampling: 'off',
      },
      inputs: {
        image: { kind: 'address', url: 'https://files.test/a.png' },
        audio: { kind: 'file', id: 'x', name: 'a.wav', mediaType: 'audio/wav', sizeBytes: 9 },
      },
    } as const;
    const { parameters } = fine(parametersOf('video', values));
    assert.deepEqual(parameters, {
      kind: 'video',
      model: 'maker/film',
      prompt: 'A kite',
      duration: 5,
      resolution: '720p',
      fps: 24,
      aspectRatio: '16:9',
      image: values.inputs.image,
      audio: values.inputs.audio,
      draft: true,
      saveAudio: false,
      promptUpsampling: false,
    });
    assert.deepEqual(formValuesOf(parameters), values);
  });

  it('accepts any resolution and ratio, and reports an invalid number or URL', () => {
    const odd = parametersOf('video', { texts: { model: 'm', resolution: '8k', aspectRatio: 'square' }, inputs: {} });
    assert.equal(odd.kind, 'fine');
    const wrong = parametersOf('video', {
      texts: { duration: '2.5', fps: '-1' },
      inputs: { image: { kind: 'address', url: 'javascript:alert(1)' } },
    });
    assert.ok(wrong.kind === 'wrong');
    assert.deepEqual(Object.keys(wrong.complaints).toSorted(), ['duration', 'fps', 'image', 'model']);
  });

  it('sends nothing that the host would reject, and shows what is too much', () => {
    const long = 'x'.repeat(100_001);
    const wrong = parametersOf('video', {
      texts: { model: long, prompt: long, resolution: long, aspectRatio: long, fps: '9'.repeat(400) },
      inputs: { audio: { kind: 'address', url: `data:audio/wav;base64,${'A'.repeat(1024 * 1024)}` } },
    });
    assert.ok(wrong.kind === 'wrong');
    const { model, ...rest } = wrong.complaints;
    assert.equal(model, 'Too long: 100001 of 256 characters');
    assert.deepEqual(Object.keys(rest).toSorted(), ['aspectRatio', 'audio', 'fps', 'prompt', 'resolution']);
    const most = { model: 'm'.repeat(256), prompt: 'p'.repeat(100_000), duration: '9007199254740991' };
    const { parameters } = fine(parametersOf('video', { texts: most, inputs: {} }));
    assert.ok(v.is(mediaMessageSchema, { type: 'run', parameters }));
  });
});

describe('The form of an image', () => {
  it('reads a size as people write it, and a decimal comma', () => {
    for (const size of ['1024x768', '1024 × 768', '1024*768', '1024:768']) {
      const { parameters } = fine(
        parametersOf('image', { texts: { model: 'm', prompt: 'p', size, cfg: '7,5' }, inputs: {} }),
      );
      assert.deepEqual(parameters, { kind: 'image', model: 'm', prompt: 'p', width: 1024, height: 768, cfg: 7.5 });
    }
  });

  it('requires a model and a prompt', () => {
    const wrong = parametersOf('image', { texts: { size: 'large', seed: '1.5', cfg: '9'.repeat(400) }, inputs: {} });
    assert.ok(wrong.kind === 'wrong');
    assert.deepEqual(Object.keys(wrong.complaints).toSorted(), ['cfg', 'model', 'prompt', 'seed', 'size']);
  });
});

function fine<T extends { readonly kind: string }>(parsed: T): Extract<T, { kind: 'fine' }> {
  assert.equal(parsed.kind, 'fine', JSON.stringify(parsed));
  return parsed as Extract<T, { kind: 'fine' }>;
}
