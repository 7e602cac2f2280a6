import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { allowedSkips, type Need, refusedSkips } from '../../workbench/allowedSkips.ts';
import { findFiles } from '../../workbench/findFiles.ts';
import { projectPath } from '../../workbench/folders.ts';
import type { FileResult } from '../../workbench/suiteResult.ts';

const counts = { passed: 0, failed: 0, skipped: 1, ms: 1 };
const inFish = {
  ...counts,
  file: 'test/unit/core/requests/code/copiedCode.test.ts',
  skips: ['A request copied as code runs as written in fish: a video'],
};
const lacking =
  (...missing: readonly Need[]) =>
  (need: Need) =>
    missing.includes(need);

describe('A skipped test', () => {
  it('is allowed only where something that it needs is missing, and otherwise named with its file', () => {
    const refused = [`${inFish.file}: ${inFish.skips[0]}`];
    assert.deepEqual(refusedSkips('unit', [inFish], lacking('fish')), []);
    assert.deepEqual(refusedSkips('unit', [inFish], lacking('curl')), []);
    assert.deepEqual(refusedSkips('unit', [inFish], lacking()), refused);
    assert.deepEqual(refusedSkips('unit', [inFish], lacking('zsh', 'Linux')), refused);
  });

  it("is refused if its file or its title isn't in the table, whatever is missing", () => {
    const all = () => true;
    const elsewhere = { ...inFish, file: 'test/unit/other.test.ts' };
    const another = { ...inFish, skips: ['A request copied as code saves an image'] };
    assert.equal(refusedSkips('unit', [elsewhere, another], all).length, 2);
  });

  it('for want of a newer VS Code is allowed in the lowest one and nowhere else', () => {
    const file = 'test/host/context.test.ts';
    const skips = ['A context of the editor is found by name among the files of the folder, without ignored ones'];
    assert.deepEqual(refusedSkips('oldest', [{ ...counts, file, skips }]), []);
    assert.deepEqual(refusedSkips('host', [{ ...counts, file, skips }]), [`${file}: ${skips[0]}`]);
  });

  it('for want of another system, or of its programs, is allowed in Wine too', () => {
    const results = [
      ['test/unit/workbench/consoleSignals.test.ts', 'Ctrl+C is forwarded'],
      ['test/unit/api/freshProcess.test.ts', "In a separate process a chat trusts the system's authorities"],
      ['test/unit/core/prompts/gitDiff.test.ts', 'A Git diff without possible secrets is split'],
    ].map(([file = '', title = '']) => ({ ...counts, file, skips: [title] }));
    assert.deepEqual(refusedSkips('wine', results), []);
  });

  it('in the lowest VS Code has a row in the table', async () => {
    const lowest = /\bit\(\n?\s*(['"])(?<title>.+?)\1, async function \(\) \{\n(?:\s*\/\/.*\n)*\s*if \(isLowestHost\)/g;
    const results: FileResult[] = [];
    for (const path of await findFiles('test/host/**/*.test.ts')) {
      const source = await readFile(path, 'utf8');
      const [, , suite = ''] = /^describe\((['"])(.+?)\1, /m.exec(source) ?? [];
      const skips = Array.from(source.matchAll(lowest), ({ groups }) => `${suite} ${groups?.['title']}`);
      results.push({ ...counts, file: projectPath(path), skips });
      assert.equal(skips.length, source.split('if (isLowestHost)').length - 1, path);
    }
    assert.ok(results.flatMap(({ skips = [] }) => skips).length > 2);
    assert.deepEqual(refusedSkips('oldest', results), []);
  });

  it('has a row in the table, and no row is left for a file that skips nothing', async () => {
    const files = await findFiles('test/**/*.test.ts');
    const skipping: string[] = [];
    for (const file of files) {
      if (/\bthis\.skip\(\);$/m.test(await readFile(file, 'utf8'))) skipping.push(projectPath(file));
    }
    assert.deepEqual([...new Set(allowedSkips.map(({ file }) => file))].toSorted(), skipping.toSorted());
  });
});
