import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { projectFolder } from '../workbench/folders.ts';

interface Locked {
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

/** What packages of a lockfile install on some systems only, and the lockfile doesn't list: `oxlint: @oxlint/…`. */
function missing(packages: Readonly<Record<string, Locked>>): readonly string[] {
  return Object.entries(packages).flatMap(([path, { optionalDependencies = {} }]) =>
    Object.keys(optionalDependencies)
      .filter((name) => !placesOf(path, name).some((place) => place in packages))
      .map((name) => `${path}: ${name}`),
  );
}

/** Where Node looks for a package that the one at `path` needs. */
function placesOf(path: string, name: string): readonly string[] {
  const folders = path.split('/node_modules/');
  return ['', ...folders.map((_, at) => `${folders.slice(0, at + 1).join('/node_modules/')}/`)].map(
    (folder) => `${folder}node_modules/${name}`,
  );
}

describe('A lockfile', () => {
  for (const folder of ['.', 'test/bench', 'test/oracle']) {
    it(`lists the binaries for every system, or npm leaves them out on macOS and Windows: ${folder}`, async () => {
      const { packages } = JSON.parse(await readFile(join(projectFolder, folder, 'package-lock.json'), 'utf8'));
      assert.deepEqual(missing(packages), []);
    });
  }

  it('is found to lack one', () => {
    const lint = { optionalDependencies: { 'lint-linux': '1', 'lint-win32': '1' } };
    assert.deepEqual(missing({ 'node_modules/lint': lint, 'node_modules/lint-linux': {} }), [
      'node_modules/lint: lint-win32',
    ]);
    const nested = { 'node_modules/a/node_modules/lint': lint, 'node_modules/a/node_modules/lint-linux': {} };
    assert.deepEqual(missing({ ...nested, 'node_modules/lint-win32': {} }), []);
  });
});
