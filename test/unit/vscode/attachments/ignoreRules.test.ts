import assert from 'node:assert/strict';
import { droppedRulesLog } from '../../../../src/vscode/attachments/droppedRulesLog.ts';
import { Gate } from '../../../../src/vscode/platform/gate.ts';
import { listLevels } from '../../../../src/vscode/attachments/listLevels.ts';
import { IgnoreRules } from '../../../../src/vscode/attachments/ignoreRules.ts';

describe("The rules of a folder's .gitignore files", () => {
  const files: Readonly<Record<string, string>> = { '': '*.log\nout/\n', inner: '!kept.log\n' };
  const rules = (excluded: readonly string[] = []) =>
    new IgnoreRules(excluded, (folder) => Promise.resolve(files[folder]));

  it('are relative to their folder, and an inner one overrides an outer one', async () => {
    for (const [path, isFolder, expected] of [
      ['a.log', false, true],
      ['inner/a.log', false, true],
      ['inner/kept.log', false, false],
      ['kept.log', false, true],
      ['deep/out', true, true],
      ['deep/out', false, false],
      ['.git/config', false, true],
      ['a.ts', false, false],
    ] as const) {
      assert.equal(await rules().has(path, isFolder), expected, path);
    }
    assert.equal(await rules(['**/*.tmp', 'top']).has('a/b.tmp', false), true);
    assert.equal(await rules(['top']).has('a/top', false), false);
  });

  // Without limits each of these takes from seconds to years.
  for (const [what, text, path] of [
    ['any depth over and over', `${'**/a/'.repeat(12)}b`, `${'a/'.repeat(50)}c`],
    ['a million rules', '**/x*y/z?\n'.repeat(1_000_000), 'a/b/c'],
    ['stars over and over', `${'*a'.repeat(40)}*[bc]`, `${'a'.repeat(200)}d`],
    ['open brackets', '['.repeat(100_000), 'a/b/c'],
    ['any depth in a row, and at both ends', '**/**/**/a/**/**/b/**/**', `${'a/'.repeat(55)}c`],
    ['a folder in a folder in a folder', '**/a/**/b', `${'a/'.repeat(1500)}c`],
  ] as const) {
    it(`don't block the window: ${what}`, async () => {
      const hostile = new IgnoreRules([], (folder) => Promise.resolve(folder === '' ? `*.log\n${text}` : undefined));
      assert.equal(await hostile.has('a.log', false), true);
      await hostile.has(path, false);
      assert.equal(await hostile.has('a.ts', false), false);
    });
  }

  it('apply with any number of "**" in a row or at the end; other patterns are named in the log, once', async () => {
    const lines: string[] = [];
    const onDropped = droppedRulesLog((line) => lines.push(line));
    const rulesOf = (text: string) =>
      new IgnoreRules([], (folder) => Promise.resolve(folder === '' ? text : undefined), undefined, onDropped);
    for (const [rule, ignored, kept] of [
      ['**/.vs/**/cache/**', 'a/.vs/b/c/cache/d.bin', 'a/.vs/b/c/d.bin'],
      ['**/**/**/made/x.ts', 'a/b/made/x.ts', 'a/b/x.ts'],
      ['/a/**/**/**/b.ts', 'a/x/y/b.ts', 'c/a/b.ts'],
      ['a/**/**/**', 'a/b/c', 'b/a/c'],
      ['*.ts\n!**/**/**/kept/x.ts', 'a/x.ts', 'a/kept/x.ts'],
    ] as const) {
      assert.equal(await rulesOf(rule).has(ignored, false), true, `${rule}: ${ignored}`);
      assert.equal(await rulesOf(rule).has(kept, false), false, `${rule}: ${kept}`);
    }
    assert.deepEqual(lines, []);
    const slow = '**/a/**/b/**/c';
    for (let round = 0; round < 2; round += 1) {
      const mixed = rulesOf(`*.log\n${slow}\n`);
      assert.equal(await mixed.has('x.log', false), true);
      assert.equal(await mixed.has('a/b/c', false), false);
    }
    assert.equal(lines.length, 1);
    assert.match(lines[0] ?? '', /\.gitignore: .*left out: "\*\*\/a\/\*\*\/b\/\*\*\/c"$/);
    await rulesOf('x*y\n'.repeat(1002)).has('a.ts', false);
    assert.equal(lines.length, 1);
  });

  it('let the event loop run while thousands of files are tested', async () => {
    const many = new IgnoreRules([], (folder) => Promise.resolve(folder === '' ? '*.log' : undefined));
    let turns = 0;
    let isOver = false;
    const count = (): void => {
      turns += 1;
      if (!isOver) setImmediate(count);
    };
    setImmediate(count);
    await Promise.all(Array.from({ length: 2000 }, (_each, index) => many.has(`f${index}.ts`, false)));
    isOver = true;
    assert.ok(turns >= 90, `${turns} turns`);
  });

  it('are read once each, and all those of a path at the same time', async () => {
    const read: string[] = [];
    let waiting = 0;
    let most = 0;
    const slow = new IgnoreRules([], async (folder) => {
      read.push(folder);
      waiting += 1;
      most = Math.max(most, waiting);
      await new Promise((resolve) => setImmediate(resolve));
      waiting -= 1;
      return undefined;
    });
    await slow.has('a/b/c/d.ts', false);
    assert.equal(most, 4);
    await slow.has('a/b/c/e.ts', false);
    assert.deepEqual(read, ['', 'a', 'a/b', 'a/b/c']);
  });

  it('cost one round trip per .gitignore, and none for folders without one', async () => {
    // A folder of 331 folders, three of which have rules.
    const folders = ['', ...Array.from({ length: 330 }, (_each, index) => `f${index % 11}/g${index}`)];
    const paths = folders.map((folder) => (folder === '' ? 'a.ts' : `${folder}/a.ts`));
    const withRules = new Set(['', 'f1/g1', 'f2/g2']);
    async function roundTrips(mayHave?: (folder: string) => boolean): Promise<number> {
      let reads = 0;
      const counted = new IgnoreRules(
        [],
        (folder) => {
          reads += 1;
          return Promise.resolve(withRules.has(folder) ? '*.log' : undefined);
        },
        mayHave,
      );
      await Promise.all(paths.map((path) => counted.has(path, false)));
      // The rules apply either way.
      assert.equal(await counted.has('f1/g1/a.log', false), true);
      return reads;
    }
    // The folders `f0` to `f10` in between count too.
    assert.equal(await roundTrips(), 331 + 11);
    assert.equal(await roundTrips((folder) => withRules.has(folder)), 3);
  });

  it("aren't looked for if a listing had none", async () => {
    const read: string[] = [];
    const known = new IgnoreRules([], (folder) => {
      read.push(folder);
      return Promise.resolve(undefined);
    });
    known.hasNone('');
    known.hasNone('a');
    await known.has('a/b/c.ts', false);
    assert.deepEqual(read, ['a/b']);
  });
});

describe('The tree of a folder on another machine', () => {
  // 1 folder with 10 in it, each with 10 more.
  const inner = (folder: string): readonly string[] =>
    folder.split('/').length > 2 ? [] : Array.from({ length: 10 }, (_each, index) => `${folder}/${index}`);

  async function walk(limits: { readonly entries: number; readonly atOnce: number }) {
    const listed: string[] = [];
    const waiting: (() => void)[] = [];
    const walking = new Set<string>(['walk']);
    let roundTrips = 0;
    const walked = listLevels(
      'root',
      async (folder) => {
        listed.push(folder);
        await new Promise<void>((resolve) => waiting.push(resolve));
        return { entries: 10, inner: inner(folder) };
      },
      limits,
    ).then(() => walking.clear());
    // Everything requested so far is answered at the same time.
    while (walking.size > 0) {
      await new Promise((resolve) => setImmediate(resolve));
      if (waiting.length > 0) roundTrips += 1;
      for (const answer of waiting.splice(0)) answer();
    }
    await walked;
    return { listed, roundTrips };
  }

  it('takes one round trip per level, not per folder, as far as those can run in parallel', async () => {
    const wide = await walk({ entries: 2000, atOnce: 1000 });
    assert.equal(wide.listed.length, 111);
    assert.equal(new Set(wide.listed).size, 111);
    assert.equal(wide.roundTrips, 3);
    assert.equal((await walk({ entries: 2000, atOnce: 16 })).roundTrips, 1 + 1 + Math.ceil(100 / 16));
  });

  it('is listed no further once it has more than the limit', async () => {
    assert.equal((await walk({ entries: 50, atOnce: 16 })).listed.length, 1 + 10);
  });
});

describe('A gate', () => {
  it('never runs more tasks at once than its limit, and runs all in the end, including failures', async () => {
    const gate = new Gate(3);
    let inside = 0;
    let most = 0;
    const results = await Promise.allSettled(
      Array.from({ length: 20 }, (_each, index) =>
        gate.pass(async () => {
          inside += 1;
          most = Math.max(most, inside);
          await new Promise((resolve) => setImmediate(resolve));
          inside -= 1;
          if (index % 5 === 0) throw new Error('no');
          return index;
        }),
      ),
    );
    assert.equal(most, 3);
    // Nor later, when those that waited have finished.
    const pause = () => new Promise((resolve) => setImmediate(resolve));
    await Promise.all(
      Array.from({ length: 20 }, () =>
        gate.pass(async () => {
          inside += 1;
          most = Math.max(most, inside);
          await pause();
          inside -= 1;
        }),
      ),
    );
    assert.equal(most, 3);
    assert.equal(results.filter(({ status }) => status === 'fulfilled').length, 16);
  });
});
