import assert from 'node:assert/strict';
import fc from 'fast-check';
import { newestFirst, RequestLog, requestState } from '../../../../src/core/requests/requestLog.ts';
import {
  decodeRequestRecord,
  encodeRequestRecord,
  type RequestRecord,
} from '../../../../src/core/requests/requestRecord.ts';

const written = { writer: 'w1', at: 1000 };
const started = (id: string, at = 1000): RequestRecord => ({
  type: 'started',
  id,
  pid: 1,
  operation: 'chat',
  origin: { kind: 'chat', conversationId: 'c1' },
  model: 'a/b',
  ...written,
  at,
});
const ended = (id: string, at = 2000): RequestRecord => ({
  type: 'ended',
  id,
  outcome: 'failed',
  metrics: {},
  failure: { kind: 'emptyAnswer', status: 200 },
  ...written,
  at,
});
const deleted = (...ids: string[]): RequestRecord => ({ type: 'deleted', ids, ...written });

function logOf(records: readonly RequestRecord[]): RequestLog {
  const log = new RequestLog();
  for (const record of records) log.apply(record);
  return log;
}

describe('The sum of the request history', () => {
  it('is the same in whatever order and however often the records arrive', () => {
    const records = ['r1', 'r2', 'r3'].flatMap((id, index) => [started(id, index), ended(id)]);
    const expected = newestFirst(logOf([...records, deleted('r2')]).all());
    assert.deepEqual(
      expected.map(({ id, end }) => [id, end?.outcome]),
      [
        ['r3', 'failed'],
        ['r1', 'failed'],
      ],
    );
    const all = [...records, ...records, deleted('r2')];
    fc.assert(
      fc.property(fc.shuffledSubarray(all, { minLength: all.length }), (shuffled) => {
        assert.deepEqual(newestFirst(logOf(shuffled).all()), expected);
      }),
    );
  });

  it('distinguishes running from cut off by whether its window lives', () => {
    const log = logOf([started('r1'), started('r2'), ended('r2')]);
    const state = (id: string, isAlive: boolean) => requestState(log.find(id) ?? assert.fail(), () => isAlive);
    assert.equal(state('r1', true), 'running');
    assert.equal(state('r1', false), 'unknown');
    assert.equal(state('r2', false), 'failed');
  });
});

describe('A line of the request history', () => {
  it('reads as it was written', () => {
    for (const record of [started('r1'), ended('r1'), deleted('r1', 'r2')]) {
      assert.deepEqual(decodeRequestRecord(encodeRequestRecord(record)), record);
    }
  });

  it('of a newer version keeps what is known: an unknown origin becomes "another part", an unknown failure "unexpected"', () => {
    const origin = decodeRequestRecord(JSON.stringify({ ...started('r1'), origin: { kind: 'telepathy' }, news: 1 }));
    assert.deepEqual(origin, { ...started('r1'), origin: { kind: 'other' } });
    const failure = decodeRequestRecord(JSON.stringify({ ...ended('r1'), failure: { kind: 'eclipse' } }));
    assert.equal(failure?.type === 'ended' && failure.failure?.kind, 'unexpected');
  });

  it("is ignored if it's incomplete or of an unknown type", () => {
    const line = encodeRequestRecord(started('r1'));
    for (const text of ['', ' ', 'null', '[]', '"started"', line.slice(0, -1), '{"type":"other","id":"r1"}']) {
      assert.equal(decodeRequestRecord(text), undefined, text);
    }
  });
});
