import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Suite } from 'mocha';

const readme = new URL('../../README.md', import.meta.url);

interface Row {
  readonly file: string;
  readonly titles: readonly string[];
}

const rows: readonly Row[] = readFileSync(readme, 'utf8')
  .split('\n')
  .flatMap((line) => {
    const [, file, titles] = /^\|.*\| \[[^\]]+\]\(([^)]+)\) \| (.+) \|$/.exec(line) ?? [];
    return file === undefined || titles === undefined ? [] : [{ file, titles: titles.split('<br>') }];
  });

/** The full titles of every test of this run, by file. */
function titlesByFile(root: Suite): ReadonlyMap<string, ReadonlySet<string>> {
  const found = new Map<string, Set<string>>();
  root.eachTest((test) => {
    const file = test.file ?? '';
    found.set(file, (found.get(file) ?? new Set()).add(test.fullTitle()));
  });
  return found;
}

/** For a file of another suite, which cannot be loaded here: the titles as they stand in its text. */
function titlesWrittenIn(path: string): (title: string) => boolean {
  const source = readFileSync(path, 'utf8');
  const written = (call: string): readonly string[] =>
    [...source.matchAll(new RegExp(`\\b${call}\\('([^']+)'`, 'g'))].map((match) => match[1] ?? '');
  const groups = written('describe');
  const outer = groups.flatMap((group) => [group, ...groups.map((inner) => `${group} ${inner}`)]);
  const full = new Set(outer.flatMap((group) => written('it').map((test) => `${group} ${test}`)));
  return (title) => full.has(title);
}

function rootOf(suite: Suite | undefined): Suite {
  assert.ok(suite);
  return suite.parent === undefined ? suite : rootOf(suite.parent);
}

describe('The table of the contract in the README', () => {
  it('names test files that exist', () => {
    assert.ok(rows.length > 80, String(rows.length));
    assert.deepEqual(
      rows.filter(({ file }) => !existsSync(new URL(file, readme))),
      [],
    );
  });

  it('names tests that exist', function () {
    const known = titlesByFile(rootOf(this.test?.parent));
    const missing = rows.flatMap(({ file, titles }) => {
      const path = fileURLToPath(new URL(file, readme));
      const inFile = known.get(path);
      // Part of the suite, and not of this run of it.
      if (file.startsWith('unit/') && inFile === undefined) return [];
      const isThere = inFile === undefined ? titlesWrittenIn(path) : (title: string) => inFile.has(title);
      return titles.filter((title) => !isThere(title)).map((title) => `${file}: ${title}`);
    });
    assert.deepEqual(missing, []);
  });
});
