import assert from 'node:assert/strict';
import { checkedAttempt } from '../../../../src/core/checks/checkedAttempt.ts';
import { expectationKinds } from '../../../../src/core/checks/expectation.ts';
import { expectationText } from '../../../../src/core/checks/expectationText.ts';
import { readChecksFile } from '../../../../src/core/checks/readChecksFile.ts';
import { caseVerdict } from '../../../../src/core/checks/verdicts/caseVerdict.ts';
import { verdictOf } from '../../../../src/core/checks/verdicts/verdict.ts';

const someExpectation = { kind: 'contains', isInverse: false, value: 'x', weight: 1, from: 0, to: 1 } as const;
const text = 'Done: {"ok": true, "items": [1]}';
/** By expectation, as YAML: whether a reply meets it, and the message if not. */
const table: readonly (readonly [written: string, reply: string, meets: boolean, said?: string])[] = [
  ['type: equals\n        value: "Done"', 'Done', true],
  ['type: equals\n        value: { ok: true }', '{"ok":true}', true],
  ['type: equals\n        value: "Done"', 'done', false, 'equals "Done"'],
  ['type: contains\n        value: "ok"', text, true],
  ['type: icontains\n        value: "DONE"', text, true],
  ['type: contains-all\n        value: ok, zebra', text, false, 'contains-all "ok", "zebra" · Missing: "zebra"'],
  ['type: contains-any\n        value: [zebra, ok]', text, true],
  ['type: icontains-all\n        value: [DONE, OK]', text, true],
  ['type: icontains-any\n        value: [ZEBRA]', text, false, 'icontains-any "ZEBRA"'],
  ['type: starts-with\n        value: Done', text, true],
  ['type: regex\n        value: ^Done.*\\}$', text, true],
  ['type: is-json', text, false],
  ['type: contains-json\n        value: { required: [ok], type: object }', text, true],
  ['type: contains-json\n        value: { required: [no], type: object }', text, false],
  ['type: word-count\n        value: { min: 2, max: 4 }', text, false, 'word-count ≥ 2, ≤ 4 · 5'],
  ['type: latency\n        threshold: 1000', text, false, 'latency ≤ 1.0 s · 2.0 s°'],
  ['type: cost\n        threshold: 0.01', text, true],
  ['type: finish-reason\n        value: STOP', text, true],
];

async function expectationOf(written: string) {
  const file = `judge: j\ncases:\n  - messages: [{ role: user, content: x }]\n    assert:\n      - ${written}\n`;
  const { cases, remarks } = await readChecksFile(file, { promptFile: 'p', readFile: async () => ({ fault: '' }) });
  assert.deepEqual(remarks, [], written);
  const [expectation] = cases[0]?.expectations ?? [];
  assert.ok(expectation);
  return expectation;
}

describe('A verdict', () => {
  const circumstances = { latencyMs: 2000, cost: 0.002, finishReason: 'stop' };

  it('is reversed between each kind and its not- form', async () => {
    for (const [written, reply, meets, said] of table) {
      const expectation = await expectationOf(written);
      const inverse = await expectationOf(written.replace('type: ', 'type: not-'));
      const verdict = verdictOf(expectation, { text: reply, ...circumstances });
      assert.deepEqual([verdict.pass, verdict.score], [meets, meets ? 1 : 0], written);
      assert.equal(verdictOf(inverse, { text: reply, ...circumstances }).pass, !meets, written);
      if (said !== undefined) assert.equal(verdict.reason, said);
      assert.equal(verdict.reason === '', meets);
    }
    const tried = new Set(table.map(([written]) => /type: (\S+)/.exec(written)?.[1]));
    assert.deepEqual(
      expectationKinds.filter((kind) => !tried.has(kind)),
      ['llm-rubric'],
    );
    assert.equal(expectationText(await expectationOf('type: not-latency\n        threshold: 500')), 'latency > 0.50 s');
  });

  it('is undecided if it would need an unknown price, or a schema is invalid', async () => {
    const cost = await expectationOf('type: cost\n        threshold: 1');
    assert.equal(verdictOf(cost, { text, latencyMs: 1 }).isUndecided, true);
    assert.equal(verdictOf(cost, { text, latencyMs: 1 }).reason, 'The model has no known price.');
    assert.match(verdictOf(cost, { text, latencyMs: 1, isUncounted: true }).reason, /didn't report how many tokens/);
    const schema = await expectationOf('type: contains-json\n        value: { type: nonsense }');
    assert.match(verdictOf(schema, { text, latencyMs: 1 }).reason, /schema has an error/);
  });

  it('on JSON in a text follows promptfoo: no further than 100,000 characters, with merged fields and dates', async () => {
    const has = async (json: string, schema = '{}') =>
      verdictOf(await expectationOf(`type: contains-json\n        value: ${schema}`), { text: json, latencyMs: 1 })
        .pass;
    const long = (length: number) => `{"a": "${'x'.repeat(length - 9)}"}`;
    assert.deepEqual([await has(long(100_000)), await has(long(100_002))], [true, false]);
    assert.equal(await has('{<<: {a: 1}}', '{ required: [a] }'), true);
    assert.equal(await has('{a: 2001-12-14}', '{ properties: { a: { type: string } } }'), false);
    assert.equal(await has('{"a": "2001-12-14"}', '{ properties: { a: { type: string } } }'), true);
  });

  it('of a case needs every expectation, or the share of points that the case requires', () => {
    const expectations = [{ weight: 1 }, { weight: 3 }];
    const verdicts = [
      { pass: false, score: 0, reason: 'x' },
      { pass: true, score: 1, reason: '' },
    ];
    assert.deepEqual(caseVerdict(expectations, verdicts), { pass: false, score: 0.75 });
    assert.deepEqual(caseVerdict(expectations, verdicts, 0.75), { pass: true, score: 0.75 });
    assert.deepEqual(caseVerdict(expectations, verdicts, 0.8), { pass: false, score: 0.75 });
  });

  it("of a case is undecided only if what couldn't be decided can change it", () => {
    const met = { pass: true, score: 1, reason: '' };
    const missed = { pass: false, score: 0, reason: 'missed' };
    const unknown = { pass: false, score: 0, reason: 'unknown', isUndecided: true } as const;
    for (const [verdicts, weights, threshold, state, reasons] of [
      [[unknown, met], [1, 1], undefined, 'undecided', ['unknown']],
      [[unknown, missed], [1, 1], undefined, 'failed', ['missed', 'unknown']],
      [[unknown, met], [0, 1], undefined, 'passed', []],
      [[unknown, missed], [0, 1], undefined, 'failed', ['missed', 'unknown']],
      [[unknown, met], [1, 3], 0.75, 'passed', []],
      [[unknown, met], [1, 3], 0.8, 'undecided', ['unknown']],
      [[missed, unknown], [3, 1], 0.25, 'undecided', ['unknown', 'missed']],
      [[missed, unknown], [3, 1], 0.5, 'failed', ['missed', 'unknown']],
    ] as const) {
      const expectations = weights.map((weight) => ({ ...someExpectation, weight }));
      const checked = checkedAttempt(
        'a',
        { expectations, ...(threshold !== undefined && { threshold }) },
        verdicts,
        {},
      );
      assert.deepEqual(
        [checked.state, checked.faults.map(({ reason }) => reason)],
        [state, reasons],
        JSON.stringify([verdicts, weights, threshold]),
      );
    }
  });
});
