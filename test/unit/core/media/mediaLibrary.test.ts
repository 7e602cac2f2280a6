import assert from 'node:assert/strict';
import { MediaLibrary } from '../../../../src/core/media/mediaLibrary.ts';
import { decodeMediaRecord } from '../../../../src/core/media/mediaRecord.ts';

const parameters = { kind: 'video', model: 'maker/film', prompt: 'A kite' } as const;

function libraryOf(...facts: readonly object[]): MediaLibrary {
  const library = new MediaLibrary();
  for (const [index, fact] of facts.entries()) {
    const record = decodeMediaRecord(JSON.stringify({ writer: 'w', at: index * 1000, ...fact }));
    assert.ok(record, JSON.stringify(fact));
    library.apply(record);
  }
  return library;
}

const started = (id: string, at: number, more: object = {}) =>
  ({ type: 'started', id, pid: 1, at, parameters: { ...parameters, ...more } }) as const;
const made = (id: string, at: number) =>
  ({ type: 'made', id, at, outputs: [{ url: 'https://files.test/a' }] }) as const;

describe('The library of runs', () => {
  it('lists the newest first, and leaves out deleted ones, which are restored unchanged', () => {
    const facts = [started('a', 1000), started('b', 2000), made('a', 3000), { type: 'deleted', id: 'a' }] as const;
    assert.deepEqual(
      libraryOf(...facts)
        .runs()
        .map(({ id }) => id),
      ['b'],
    );
    const restored = libraryOf(...facts, { type: 'restored', id: 'a' }).runs();
    assert.deepEqual(
      restored.map(({ id, outcome }) => [id, outcome]),
      [
        ['b', undefined],
        ['a', 'made'],
      ],
    );
  });

  it('accepts a response that arrived after all', () => {
    const run = libraryOf(started('a', 0), { type: 'ended', id: 'a', outcome: 'unknown' }, made('a', 9000)).get('a');
    assert.equal(run?.outcome, 'made');
    const late = libraryOf(started('a', 0), made('a', 9000), { type: 'ended', id: 'a', outcome: 'unknown' }).get('a');
    assert.equal(late?.outcome, 'made');
  });

  it('estimates how long a model usually takes, with drafts separate', () => {
    const library = libraryOf(
      ...[4, 8, 6].flatMap((seconds, index) => [
        started(`${index}`, index * 100_000),
        made(`${index}`, index * 100_000 + seconds * 1000),
      ]),
      started('draft', 900_000, { draft: true }),
      made('draft', 901_000),
      started('failed', 950_000),
      { type: 'ended', id: 'failed', outcome: 'failed' },
    );
    assert.equal(library.usualSeconds(parameters), 6);
    assert.equal(library.usualSeconds({ ...parameters, draft: true }), 1);
    assert.equal(library.usualSeconds({ ...parameters, model: 'maker/other' }), undefined);
  });

  it('reads no line that could lead a file out of its folder, or that is incomplete', () => {
    const saved = { type: 'saved', id: 'a', output: 0, mediaType: 'video/webm', sizeBytes: 1, writer: 'w', at: 0 };
    for (const file of ['../x.webm', '/etc/passwd', 'a/b.webm', 'a.webm/..', '..', 'a\0.webm', 'x'.repeat(200)]) {
      assert.equal(decodeMediaRecord(JSON.stringify({ ...saved, file })), undefined, file);
    }
    assert.ok(decodeMediaRecord(JSON.stringify({ ...saved, file: 'a-0.webm' })));
    assert.equal(decodeMediaRecord('{"type":"started","id":"a"'), undefined);
    assert.equal(decodeMediaRecord('{"type":"later"}'), undefined);
  });
});
