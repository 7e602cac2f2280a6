import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { stringify } from 'yaml';
import type { CheckedReply } from '../../src/core/checks/expectation.ts';
import { readChecksFile } from '../../src/core/checks/readChecksFile.ts';
import { caseVerdict } from '../../src/core/checks/verdicts/caseVerdict.ts';
import { verdictOf } from '../../src/core/checks/verdicts/verdict.ts';
import { installOracle } from './installOracle.ts';
import { odd, type Pair, pairs } from './pairs.ts';

interface Promptfoo {
  readonly assertions: {
    runAssertion(given: Given & { readonly assertion: object }): Promise<{ readonly pass: boolean }>;
    runAssertions(given: Given): Promise<{ readonly pass: boolean; readonly score: number }>;
  };
}

interface Given {
  readonly test: object;
  readonly latencyMs: number;
  readonly providerResponse: { readonly output: string; readonly cost?: number; readonly finishReason?: string };
}

type Outcome = 'pass' | 'fail' | 'not run';

/**
 * The accepted differences. Each is in docs/checks.md, and applies only as described there: to these pairs, in this
 * direction.
 */
const decisions: readonly {
  readonly why: string;
  readonly covers: (pair: Pair, ours: Outcome, theirs: Outcome) => boolean;
}[] = [
  {
    why: 'an invalid pattern is marked at its line, and not a failure of the reply',
    covers: ({ assertion: { type, value } }, ours) =>
      type.endsWith('regex') && typeof value === 'string' && ours === 'not run' && !isPattern(value),
  },
  {
    why: 'a value that is missing is marked, and not compared with the word "undefined"',
    covers: ({ assertion }, ours) => assertion.type.endsWith('equals') && !('value' in assertion) && ours === 'not run',
  },
  {
    why: 'items of a list must be texts or numbers',
    covers: ({ assertion: { type, value } }, ours) =>
      /contains-(?:all|any)$/.test(type) &&
      ours === 'not run' &&
      Array.isArray(value) &&
      value.some((item) => typeof item !== 'string' && typeof item !== 'number'),
  },
  {
    why: 'a JSON schema that is none is marked, whether or not the reply has JSON',
    covers: ({ assertion: { type, value } }, ours) =>
      type.endsWith('-json') && ours === 'not run' && (value === true || typeof value === 'number'),
  },
  {
    why: 'a number of words must be a number',
    covers: ({ assertion: { type, value } }, ours) =>
      type.endsWith('word-count') &&
      ours === 'not run' &&
      (typeof value === 'string'
        ? value.trim() === ''
        : typeof value === 'object' &&
          value !== null &&
          Object.values(value).some((limit) => typeof limit !== 'number')),
  },
];

function isPattern(text: string): boolean {
  try {
    return new RegExp(text) instanceof RegExp;
  } catch {
    return false;
  }
}

async function oursOf({ assertion, reply }: Pair): Promise<Outcome> {
  const text = stringify({ cases: [{ messages: [{ role: 'user', content: 'x' }], assert: [assertion] }] });
  const { cases } = await readChecksFile(text, { promptFile: 'x', readFile: async () => ({ fault: 'no file' }) });
  const [found] = cases;
  const [expectation] = found?.expectations ?? [];
  if (found?.notRun !== undefined || expectation === undefined) return 'not run';
  const { pass, isUndecided } = verdictOf(expectation, reply);
  return isUndecided === true ? 'not run' : pass ? 'pass' : 'fail';
}

async function theirsOf({ assertions }: Promptfoo, { assertion, reply }: Pair): Promise<Outcome> {
  try {
    const { pass } = await assertions.runAssertion({
      assertion,
      test: { vars: {} },
      latencyMs: reply.latencyMs,
      providerResponse: responseOf(reply),
    });
    return pass ? 'pass' : 'fail';
  } catch {
    return 'not run';
  }
}

function responseOf({ text, cost, finishReason }: CheckedReply) {
  return { output: text, ...(cost !== undefined && { cost }), ...(finishReason !== undefined && { finishReason }) };
}

describe('The verdicts of promptfoo', () => {
  let promptfoo: Promptfoo;

  before(async function () {
    this.timeout(1_800_000);
    await installOracle();
    const { resolve } = createRequire(join(import.meta.dirname, 'package.json'));
    promptfoo = (await import(pathToFileURL(resolve('promptfoo')).href)) as Promptfoo;
  });

  it('match ours for every kind of expectation and all sorts of replies, except for the accepted differences', async function () {
    this.timeout(300_000);
    const all = pairs();
    const differences: string[] = [];
    const used = new Map<string, number>();
    const seen = { pass: 0, fail: 0, 'not run': 0 };
    for (const pair of all) {
      const [ours, theirs] = [await oursOf(pair), await theirsOf(promptfoo, pair)];
      seen[theirs] += 1;
      if (ours === theirs) continue;
      const decision = decisions.find(({ covers }) => covers(pair, ours, theirs));
      if (decision === undefined) {
        differences.push(`${JSON.stringify(pair).slice(0, 400)}: ours ${ours}, promptfoo's ${theirs}`);
      } else used.set(decision.why, (used.get(decision.why) ?? 0) + 1);
    }
    console.log(`${all.length} pairs: ${JSON.stringify(seen)}; decided differences: ${JSON.stringify([...used])}`);
    assert.ok(all.length >= 300 && odd.length > 10);
    assert.deepEqual(differences, []);
    // A difference that never occurs is outdated.
    assert.deepEqual(
      decisions.filter(({ why }) => !used.has(why)).map(({ why }) => why),
      [],
    );
  });

  it('match ours for several expectations with weights and a threshold', async () => {
    const text = 'The answer is 4.';
    const parts = ['The', 'answer', 'is', 'zebra', 'five'].map((value) => ({ type: 'contains', value }));
    const weights = [0, 0.5, 1, 2];
    let count = 0;
    for (const threshold of [undefined, 0, 0.3, 0.5, 0.75, 1]) {
      for (let seed = 0; seed < 40; seed += 1) {
        const assertions = parts
          .filter((_part, at) => (seed >> at) % 2 === 0)
          .map((part, at) => ({ ...part, weight: weights[(seed + at) % 4] ?? 1 }));
        if (assertions.length === 0) continue;
        const theirs = await promptfoo.assertions.runAssertions({
          test: { vars: {}, assert: assertions, ...(threshold !== undefined && { threshold }) },
          latencyMs: 1,
          providerResponse: { output: text },
        });
        const yaml = stringify({ cases: [{ messages: [{ role: 'user', content: 'x' }], assert: assertions }] });
        const { cases } = await readChecksFile(yaml, { promptFile: 'x', readFile: async () => ({ fault: '' }) });
        const expectations = cases[0]?.expectations ?? [];
        const verdicts = expectations.map((expectation) => verdictOf(expectation, { text, latencyMs: 1 }));
        const { pass, score } = caseVerdict(expectations, verdicts, threshold);
        assert.deepEqual([pass, score], [theirs.pass, theirs.score], JSON.stringify({ assertions, threshold }));
        count += 1;
      }
    }
    assert.ok(count > 200);
  });
});
