import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { findFiles } from '../../workbench/findFiles.ts';
import { projectPath } from '../../workbench/folders.ts';
import { leftOut, resultOf } from '../../workbench/wineSuite.ts';

describe('The suite for Windows', () => {
  it('leaves out only tests that exist, by their current titles', async () => {
    const files = await findFiles('test/unit/**/*.test.ts');
    const paths = new Set(files.map(projectPath));
    const titles: string[] = [];
    for (const file of files) {
      const text = await readFile(file, 'utf8');
      const [, subject] = /^describe\((['"`])(.*)\1,/m.exec(text)?.slice(1) ?? [];
      for (const [, , title] of text.matchAll(/^ +it\(\s*(['"`])(.*)\1/gm)) titles.push(`${subject} ${title}`);
    }
    const unknown = Object.keys(leftOut).filter(
      (what) => !paths.has(what) && !titles.some((title) => title.startsWith(what)),
    );
    assert.deepEqual(unknown, []);
  });

  it('names the tests that skip themselves, and none that it leaves out', () => {
    const ran = { file: '', passed: 1, failed: 0, skipped: 2, ms: 1 };
    const [leftOutTitle = ''] = Object.keys(leftOut).filter((what) => !what.endsWith('.ts'));
    const skips = [`${leftOutTitle} in some way`, 'A suite skips one'];
    assert.deepEqual(resultOf('a.test.ts', [{ ...ran, skips }, ran]), {
      file: 'a.test.ts',
      passed: 2,
      failed: 0,
      skipped: 4,
      skips: ['A suite skips one'],
      ms: 2,
    });
  });
});
