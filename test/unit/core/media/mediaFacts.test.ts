import assert from 'node:assert/strict';
import { formText, mediaDetails, mediaFacts } from '../../../../src/core/media/mediaFacts.ts';
import type { MediaRun } from '../../../../src/core/media/mediaLibrary.ts';
import { useServiceNames } from '../../../../src/words/modelLabel.ts';

const run: MediaRun = {
  id: 'a',
  parameters: { kind: 'video', model: 'maker/film', duration: 5, resolution: '720p', draft: true, saveAudio: false },
  writer: 'w',
  pid: 1,
  startedAt: 0,
  outcome: 'made',
  outputs: [],
  isDeleted: false,
};
const costOf = (facts: Partial<MediaRun>) => mediaFacts({ ...run, ...facts }).find((fact) => fact.startsWith('cost'));
const row = (facts: Partial<MediaRun>, name: string) =>
  mediaDetails({ ...run, ...facts }).find((detail) => detail.name === name)?.value;

describe('What a card shows about a run', () => {
  it('is what was set, in one line and in full', () => {
    assert.deepEqual(mediaFacts(run), ['Draft', '5 s', '720p']);
    assert.deepEqual(mediaDetails({ ...run, requestId: 'req_1' }), [
      { name: 'Model', value: 'maker/film' },
      { name: 'Duration', value: '5 s' },
      { name: 'Resolution', value: '720p' },
      { name: 'Draft', value: 'yes' },
      { name: 'Keep audio', value: 'no' },
      { name: 'Request ID', value: 'req_1' },
    ]);
    const image = { kind: 'image', model: 'm', prompt: 'p', width: 64, height: 48, steps: 3, cfg: 0, seed: 0 } as const;
    assert.deepEqual(mediaFacts({ ...run, parameters: image }), ['64 × 48', '3 steps', 'seed 0']);
    assert.equal(row({ parameters: image }, 'Guidance'), '0');
  });

  it('is, before it costs anything, everything that was set besides the prompt and the files', () => {
    const image = { kind: 'address', url: 'https://a.test/b.png' } as const;
    const parameters = { kind: 'video', model: 'm', prompt: 'A bridge', fps: 24, aspectRatio: '16:9', image } as const;
    assert.equal(
      formText({ ...parameters, duration: 5, resolution: '720p', draft: true }),
      '5 s · 720p · 24 fps · 16:9 · Draft',
    );
    assert.equal(formText({ ...parameters, draft: false }), '24 fps · 16:9');
    assert.equal(formText({ kind: 'video', model: 'm', prompt: 'A bridge' }), '');
  });

  it('names the service of its model if there are several, or if it was removed', () => {
    const model = (ref: string) => row({ parameters: { kind: 'image', model: ref, prompt: 'p' } }, 'Model');
    try {
      useServiceNames({ service: 'Northwind', home: 'Home server' }, { gone: 'Old studio' });
      assert.equal(model('maker/film'), 'maker/film (Northwind)');
      assert.equal(model('home::maker/film'), 'maker/film (Home server)');
      assert.equal(model('gone::maker/film'), 'maker/film (Old studio)');
    } finally {
      useServiceNames({});
    }
  });

  it("is the service's cost, otherwise the list price, and none if nothing was charged", () => {
    assert.equal(costOf({ cost: 0.123456, estimate: 0.1 }), 'cost 0.123');
    assert.equal(row({ cost: 0.123456 }, 'Cost'), '0.123456, reported by the service');
    assert.equal(costOf({ estimate: 0.1 }), 'cost ≈ 0.10');
    assert.equal(row({ estimate: 0.1 }, 'Cost'), '≈ 0.10 at list price');
    assert.equal(costOf({ estimate: 0.1, outcome: 'unknown' }), 'cost ≈ 0.10');
    assert.equal(costOf({ estimate: 0.1, outcome: 'failed' }), undefined);
    assert.equal(costOf({ estimate: 0.1, outcome: 'stopped', unsent: true }), undefined);
    assert.equal(row({ estimate: 0.1, outcome: 'failed' }, 'Cost'), undefined);
  });

  it('describes an input without the megabytes in it', () => {
    const parameters = {
      kind: 'video',
      model: 'm',
      image: { kind: 'address', url: `data:image/png;base64,${'A'.repeat(9000)}` },
      audio: { kind: 'file', id: 'x', name: 'wind.wav', mediaType: 'audio/wav', sizeBytes: 9 },
    } as const;
    assert.equal(row({ parameters }, 'Image'), 'data:');
    assert.equal(row({ parameters }, 'Audio'), 'wind.wav');
  });
});
