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

  it('names tests that exist, as far as their files are part of this run', function () {
    const known = titlesByFile(rootOf(this.test?.parent));
    const missing = rows.flatMap(({ file, titles }) => {
      const inFile = known.get(fileURLToPath(new URL(file, readme)));
      return inFile === undefined
        ? []
        : titles.filter((title) => !inFile.has(title)).map((title) => `${file}: ${title}`);
    });
    assert.deepEqual(missing, []);
  });
});
