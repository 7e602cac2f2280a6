import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { findFiles } from '../../workbench/findFiles.ts';
import { projectPath } from '../../workbench/folders.ts';
import { leftOut } from '../../workbench/wineSuite.ts';

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
});
