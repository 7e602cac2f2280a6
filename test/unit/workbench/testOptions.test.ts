import assert from 'node:assert/strict';
import { readTestOptions, UsageError } from '../../workbench/testOptions.ts';

describe('The options of npm test', () => {
  const read = (args: readonly string[], env: Readonly<Record<string, string>> = {}) =>
    readTestOptions(args, env, ['unit', 'host']);

  it('select suites, titles, and what changed', () => {
    const all = { only: undefined, grep: undefined, changed: false, release: false };
    assert.deepEqual(read([]), all);
    assert.deepEqual(read(['--only', 'unit,host', '--grep', 'a title']), {
      ...all,
      only: ['unit', 'host'],
      grep: 'a title',
    });
    assert.deepEqual(read(['--changed']), { ...all, changed: true });
  });

  it("are refused in one sentence if they would run something else than what's meant", () => {
    for (const [args, said] of [
      [['--chnaged'], /^Unknown option '--chnaged'/],
      [['--help'], /^Unknown option '--help'/],
      [['retry'], /^Unexpected argument 'retry'/],
      [['--only'], /^Option '--only <value>' argument missing/],
      [['--grep', ''], /^--grep needs a part of a title\.$/],
      [['--only', 'unit,hsot'], /^--only knows unit, host; not "hsot"\.$/],
    ] as const) {
      assert.throws(
        () => read(args),
        (error: unknown) => error instanceof UsageError && said.test(error.message),
        args.join(' '),
      );
    }
  });

  it('are refused if npm took them for its own, because the two dashes before them are missing', () => {
    assert.throws(
      () => read([], { npm_config_changed: 'true' }),
      /npm took --changed for itself\. Write -- before it\.$/,
    );
    assert.throws(() => read(['retry'], { npm_config_grep: 'true' }), /npm took --grep/);
    assert.deepEqual(read([], { npm_config_only: 'prod' }).only, undefined);
  });
});
