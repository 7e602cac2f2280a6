import assert from 'node:assert/strict';
import type { Expectation } from '../../../../src/core/checks/expectation.ts';
import { VerdictThread } from '../../../../src/vscode/checks/verdictThread.ts';

const script = new URL('../../../../src/vscode/checks/verdictWorker.ts', import.meta.url);
const expectation = (kind: Expectation['kind'], value?: unknown): Expectation => ({
  kind,
  isInverse: false,
  value,
  weight: 1,
  from: 0,
  to: 1,
});
const reply = (text: string) => ({ text, latencyMs: 5 });

describe('The thread that judges replies', () => {
  it('is terminated at a pattern that takes forever, and continues with the next one', async () => {
    const thread = new VerdictThread(script, { longestMs: 700 });
    try {
      const evil = [
        expectation('contains', 'a'),
        expectation('regex', '^(a+)+$'),
        expectation('is-json', { type: 'string', pattern: '^(a+)+$' }),
        expectation('starts-with', 'aaa'),
      ];
      const verdicts = await thread.verdicts(evil, reply(`${'a'.repeat(60)}!`));
      assert.deepEqual(
        verdicts.map(({ pass, isUndecided }) => [pass, isUndecided]),
        [
          [true, undefined],
          [false, true],
          [false, undefined],
          [true, undefined],
        ],
      );
      assert.match(verdicts[1]?.reason ?? '', /took longer than 0.70 s/);
      const [schema] = await thread.verdicts(evil.slice(2, 3), reply(`"${'a'.repeat(60)}!"`));
      assert.equal(schema?.isUndecided, true);
      const [json, other] = await thread.verdicts(
        [expectation('contains-json'), expectation('equals', 'b')],
        reply('{"a":1}'),
      );
      assert.deepEqual([json?.pass, other?.pass, other?.reason], [true, false, 'equals "b"']);
    } finally {
      thread.dispose();
    }
  });

  it("isn't asked again about what takes forever for other replies, nor after a stop", async () => {
    const thread = new VerdictThread(script, { longestMs: 700 });
    try {
      const evil = expectation('regex', '^(a+)+$');
      const slow: Expectation[] = [];
      const patience = {
        whyNot: () => (slow.length < 2 ? undefined : 'enough'),
        tookTooLong: (each: Expectation) => void slow.push(each),
      };
      const text = `${'a'.repeat(60)}!`;
      const all = await Promise.all(Array.from({ length: 5 }, () => thread.verdicts([evil], reply(text), patience)));
      assert.deepEqual(
        all.flat().map(({ isUndecided, reason }) => [isUndecided, reason === 'enough']),
        [false, false, true, true, true].map((isEnough) => [true, isEnough]),
      );
      assert.deepEqual(slow, [evil, evil]);
      assert.equal((await thread.judged(evil, '{"pass": true}', patience)).reason, 'enough');
    } finally {
      thread.dispose();
    }
  });

  it("isn't asked about what takes no time, but is asked about many texts in a long reply", async () => {
    const thread = new VerdictThread(new URL('file:///no/such/thread.js'));
    try {
      const quick = [
        expectation('contains', 'a'),
        expectation('contains-all', ['a', 'z']),
        expectation('word-count', 1),
        expectation('regex', '^[a-z]$'),
        expectation('is-json'),
      ];
      const verdicts = await thread.verdicts(quick, reply('a'));
      assert.deepEqual(
        verdicts.map(({ pass, reason }) => [pass, reason]),
        [
          [true, ''],
          [false, 'contains-all "a", "z" · Missing: "z"'],
          [true, ''],
          [true, ''],
          [false, verdicts[4]?.reason],
        ],
      );
      assert.match(verdicts[4]?.reason ?? '', /^is-json · .*JSON/);
      const many = Array.from({ length: 2000 }, (_, at) => `text ${at}`);
      const [slow, after] = await thread.verdicts(
        [expectation('contains-any', many), ...quick],
        reply('a'.repeat(9000)),
      );
      assert.deepEqual([slow?.isUndecided, after?.pass], [true, true]);
    } finally {
      thread.dispose();
    }
  });

  it('judges replies that arrive together, and only what takes forever has no verdict', async () => {
    const thread = new VerdictThread(script, { longestMs: 700 });
    try {
      const evil = expectation('regex', '^(a+)+$');
      // Not a schema: a new thread on a busy machine can take longer than that to compile its first one.
      const one = expectation('regex', '(?:1|2)+}$');
      const slow = `${'a'.repeat(60)}! {"a":1}`;
      const all = await Promise.all([
        thread.verdicts([one], reply('{"a":1}')),
        thread.verdicts([one, evil, one], reply(slow)),
        thread.judged(expectation('llm-rubric', 'polite'), '{"pass": true}').then((verdict) => [verdict]),
        thread.verdicts([evil, expectation('regex', '(?:a|b)+$')], reply('aab')),
        thread.verdicts([evil], reply(slow)),
      ]);
      assert.deepEqual(
        all.map((each) => each.map(({ pass, isUndecided }) => (isUndecided === true ? 'undecided' : pass))),
        [[true], [true, 'undecided', true], [true], [false, true], ['undecided']],
      );
      const ended = thread.verdicts([evil], reply(slow));
      thread.dispose();
      assert.deepEqual(
        [await ended, await thread.verdicts([evil], reply('a'))].map(([verdict]) => verdict?.isUndecided),
        [true, true],
      );
    } finally {
      thread.dispose();
    }
  });

  it("gives up on a judge's verdict that takes forever to read, and reads the next one", async () => {
    const thread = new VerdictThread(script, { longestMs: 700 });
    try {
      const rubric = expectation('llm-rubric', 'polite');
      const endless = await thread.judged(rubric, '{'.repeat(200_000));
      assert.deepEqual([endless.pass, endless.isUndecided], [false, true]);
      assert.match(endless.reason, /took longer than 0.70 s/);
      assert.equal((await thread.judged(rubric, 'Fine: {"pass": true, "score": 1}')).pass, true);
    } finally {
      thread.dispose();
    }
  });
});
