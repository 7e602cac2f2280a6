import assert from 'node:assert/strict';
import fc from 'fast-check';
import { ExperimentLog } from '../../../../src/core/experiments/experimentLog.ts';
import {
  decodeExperimentRecord,
  encodeExperimentRecord,
  type ExperimentRecord,
} from '../../../../src/core/experiments/experimentRecord.ts';
import { millisecondsBefore } from '../../../../src/core/experiments/spentBefore.ts';
import { someExperiment } from './someExperiment.ts';

const experiment = someExperiment({ repeats: 3, models: [{ id: 'a' }, { id: 'b' }] });
const keys = ['c1.m0.p0.r0', 'c1.m1.p0.r0', 'c1.m0.p0.r1'];

const anyWritten = fc.record({ writer: fc.constantFrom('w1', 'w2'), at: fc.integer({ min: 1, max: 4 }) });
const anyId = fc.constantFrom('x1', 'x2', 'x3');
const anyFact = fc.oneof(
  fc.constant({ type: 'created', version: 1, experiment } as const),
  fc.record({ type: fc.constant('runStarted' as const), run: anyId }),
  fc.record({
    type: fc.constant('sending' as const),
    run: anyId,
    attempt: anyId,
    request: fc.constantFrom(...keys),
  }),
  fc.record(
    {
      type: fc.constant('ended' as const),
      attempt: anyId,
      outcome: fc.constantFrom('done' as const, 'failed' as const, 'stopped' as const),
      isOpen: fc.constant(true as const),
    },
    { requiredKeys: ['type', 'attempt', 'outcome'] },
  ),
  fc.record({ type: fc.constant('runEnded' as const), run: anyId, end: fc.constant({ reason: 'done' } as const) }),
);
const anyRecord = fc.tuple(anyFact, anyWritten).map(([fact, written]): ExperimentRecord => ({ ...fact, ...written }));

function sumOf(records: readonly ExperimentRecord[], isAlive = false): unknown {
  const log = new ExperimentLog();
  for (const record of records) log.apply(record);
  const { createdAt } = log;
  return { createdAt, runs: log.runs(), attempts: log.attempts(), states: [...log.states(() => isAlive)] };
}

const at = { writer: 'w', at: 1 };
const begun: readonly ExperimentRecord[] = [
  { type: 'created', version: 1, experiment, ...at },
  { type: 'runStarted', run: 'r', ...at },
  { type: 'sending', run: 'r', attempt: 'x1', request: 'c1.m0.p0.r0', ...at },
];

function stateOf(records: readonly ExperimentRecord[], isAlive = false): string | undefined {
  const log = new ExperimentLog();
  for (const record of records) log.apply(record);
  return log.states(() => isAlive).get('c1.m0.p0.r0');
}

describe('The record of an experiment', () => {
  it('is the same in whatever order, and however often, the lines of two windows are read', () => {
    fc.assert(
      fc.property(
        fc
          .array(anyRecord, { maxLength: 12 })
          .chain((records) =>
            fc.tuple(
              fc.constant(records),
              fc.shuffledSubarray([...records, ...records], { minLength: records.length * 2 }),
            ),
          ),
        ([records, others]) => {
          assert.deepEqual(sumOf(others), sumOf(records));
        },
      ),
    );
  });

  it('survives being saved and loaded', () => {
    fc.assert(
      fc.property(anyRecord, (record) => {
        assert.deepEqual(decodeExperimentRecord(encodeExperimentRecord(record)), record);
      }),
    );
    const sample = { sentAt: 1.5, totalMs: 3, gapsMs: [0.25], service: { ttftSeconds: 1 } };
    const end = { type: 'ended', attempt: 'x', outcome: 'failed', sample, text: 'Hi', cost: 1, ...at } as const;
    assert.deepEqual(decodeExperimentRecord(encodeExperimentRecord(end)), end);
  });

  it('shows for each request whether it was sent, might have been charged, or is finished', () => {
    assert.equal(stateOf(begun.slice(0, 2)), 'notSent');
    assert.equal(stateOf(begun, true), 'running');
    assert.equal(stateOf(begun, false), 'mayBeCharged');
    assert.equal(
      stateOf([...begun, { type: 'runEnded', run: 'r', end: { reason: 'stopped' }, ...at }], true),
      'mayBeCharged',
    );
    const end = { type: 'ended', attempt: 'x1', outcome: 'failed', ...at } as const;
    assert.equal(stateOf([...begun, end], true), 'finished');
    assert.equal(stateOf([...begun, { ...end, isOpen: true }], true), 'notSent');
  });

  it('counts a run whose window was killed until its last line', () => {
    const log = new ExperimentLog();
    const end = { type: 'ended', attempt: 'x1', outcome: 'done', writer: 'w', at: 61_000 } as const;
    for (const record of [...begun, end]) log.apply(record);
    assert.equal(millisecondsBefore(log, 'another'), 60_999);
    assert.equal(millisecondsBefore(log, 'r'), 0);
  });

  it('never forgets that an earlier attempt might have been charged', () => {
    const second: readonly ExperimentRecord[] = [
      { type: 'sending', run: 'r', attempt: 'x2', request: 'c1.m0.p0.r0', ...at },
      { type: 'ended', attempt: 'x2', outcome: 'failed', isOpen: true, ...at },
    ];
    assert.equal(stateOf([...begun, ...second]), 'mayBeCharged');
  });

  it('skips lines that are incomplete or from another version', () => {
    const line = encodeExperimentRecord(begun[0]!);
    assert.equal(decodeExperimentRecord(line.slice(0, -5)), undefined);
    assert.equal(decodeExperimentRecord(line.replace('"version":1', '"version":2')), undefined);
    assert.equal(decodeExperimentRecord('{"type":"later","at":1,"writer":"w"}'), undefined);
  });
});
