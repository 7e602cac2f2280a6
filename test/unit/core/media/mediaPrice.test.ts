import assert from 'node:assert/strict';
import { mediaPrice } from '../../../../src/core/media/mediaPrice.ts';

const film = { kind: 'video', model: 'maker/film' } as const;
const picture = { kind: 'image', model: 'maker/picture', prompt: 'A kite' } as const;
const of = (pricing: unknown) => ({ raw: { pricing } });

describe('The cost of a run by the model list', () => {
  it('is the price of a run and of its seconds, as numbers or texts', () => {
    assert.equal(mediaPrice(of({ request: '0.05', second: '0.01' }), { ...film, duration: 5 }), 0.1);
    assert.equal(mediaPrice(of({ per_second: 0.02 }), { ...film, duration: 10 }), 0.2);
    assert.equal(mediaPrice(of({ video: 0.4 }), film), 0.4);
    assert.equal(mediaPrice(of({ prompt: '0', completion: '0', image: '0.02' }), picture), 0.02);
  });

  it("isn't guessed if it depends on what the service decides", () => {
    const perSecond = of({ request: 0.05, second: 0.01 });
    const audio = { kind: 'address', url: 'https://files.test/a.wav' } as const;
    assert.equal(mediaPrice(perSecond, film), undefined);
    assert.equal(mediaPrice(perSecond, { ...film, duration: 5, audio }), undefined);
    assert.equal(mediaPrice(of({ video: 0.4 }), { ...film, draft: true }), undefined);
  });

  it('is unknown if the model list prices tokens, or something else', () => {
    for (const pricing of [
      undefined,
      null,
      'cheap',
      7,
      [],
      { prompt: '0.1' },
      { request: '' },
      { request: -1 },
      { request: 'x' },
    ]) {
      assert.equal(mediaPrice(of(pricing), picture), undefined, JSON.stringify(pricing));
    }
  });
});
