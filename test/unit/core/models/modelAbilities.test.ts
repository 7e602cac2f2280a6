import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { ModelInfo } from '../../../../src/api/wire/decodeModels.ts';
import { abilitiesOf, kindOf, mayChat } from '../../../../src/core/models/modelAbilities.ts';

const raw = {};

describe('What a model can do', () => {
  it('is chat unless the model list says otherwise', () => {
    assert.equal(mayChat({ id: 'a', raw }), true);
    assert.equal(mayChat({ id: 'a', kind: 'chat', raw }), true);
    assert.equal(mayChat({ id: 'a', kind: 'something-new', raw }), true);
    assert.equal(mayChat({ id: 'a', kind: 'Video', raw }), false);
    assert.equal(mayChat({ id: 'a', kind: 'multimodal', outputModalities: ['image'], raw }), false);
    assert.equal(mayChat({ id: 'a', kind: 'image', outputModalities: ['text', 'image'], raw }), true);
    const transcriber = { id: 'a', kind: 'audio', inputModalities: ['audio'], outputModalities: ['text'], raw };
    assert.equal(mayChat(transcriber), false);
  });

  const rows: readonly (readonly [string, Omit<ModelInfo, 'id' | 'raw'>, string, readonly string[]])[] = [
    ['nothing is said', {}, 'unknown', ['chat']],
    ['it is called chat', { kind: 'chat' }, 'chat', ['chat']],
    ['it is called multimodal', { kind: 'multimodal' }, 'multimodal', ['chat', 'multimodal']],
    [
      'it reads pictures',
      { inputModalities: ['text', 'image'], outputModalities: ['text'] },
      'multimodal',
      ['chat', 'multimodal'],
    ],
    ['it is called image', { kind: 'IMAGE' }, 'image', ['image']],
    [
      'it gives text and pictures',
      { inputModalities: ['text'], outputModalities: ['text', 'image'] },
      'image',
      ['chat', 'image'],
    ],
    [
      'it gives videos and takes sound',
      { kind: 'video', inputModalities: ['text', 'image', 'audio'], outputModalities: ['video'] },
      'video',
      ['video'],
    ],
    [
      'it writes down speech',
      { kind: 'transcription', inputModalities: ['audio'], outputModalities: ['text'] },
      'audio',
      ['audio'],
    ],
    ['it speaks', { outputModalities: ['audio'] }, 'audio', ['audio']],
    ['it is for something else', { kind: 'embedding' }, 'unknown', []],
  ];
  for (const [name, model, kind, abilities] of rows) {
    it(`is ${abilities.join(' and ') || 'nothing of ours'} if ${name}`, () => {
      const info = { id: 'a', ...model, raw };
      assert.equal(kindOf(info), kind);
      assert.deepEqual([...abilitiesOf(info)], abilities);
    });
  }
});
