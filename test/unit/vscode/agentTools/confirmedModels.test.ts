import assert from 'node:assert/strict';
import { ConfirmedModels } from '../../../../src/vscode/agentTools/confirmedModels.ts';

describe('The model that a user confirmed', () => {
  it('is the one that runs, once, and only for that tool and input', () => {
    const confirmed = new ConfirmedModels();
    confirmed.shown('video', { prompt: 'A bridge' }, 'local/video');
    assert.equal(confirmed.take('image', { prompt: 'A bridge' }), undefined);
    assert.equal(confirmed.take('video', { prompt: 'A house' }), undefined);
    assert.equal(confirmed.take('video', { prompt: 'A bridge' }), 'local/video');
    assert.equal(confirmed.take('video', { prompt: 'A bridge' }), undefined);
  });

  it('is the one shown last, if the same was asked before', () => {
    const confirmed = new ConfirmedModels();
    confirmed.shown('video', {}, 'local/first');
    confirmed.shown('video', {}, 'local/second');
    assert.equal(confirmed.take('video', {}), 'local/second');
  });

  it('is forgotten after many other questions', () => {
    const confirmed = new ConfirmedModels();
    for (let seed = 0; seed <= 100; seed += 1) confirmed.shown('image', { seed }, 'local/image');
    assert.equal(confirmed.take('image', { seed: 0 }), undefined);
    assert.equal(confirmed.take('image', { seed: 1 }), 'local/image');
  });
});
