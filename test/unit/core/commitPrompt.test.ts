import assert from 'node:assert/strict';
import { commitMessageIn, commitPrompt, shortDiff } from '../../../src/core/commitPrompt.ts';

function fileDiff(path: string, lines: number): string {
  const added = Array.from({ length: lines }, (_, index) => `+line ${index}`).join('\n');
  return `diff --git a/${path} b/${path}\nindex 1..2 100644\n--- a/${path}\n+++ b/${path}\n@@ -0,0 +1,${lines} @@\n${added}\n`;
}

describe('The question for a commit message', () => {
  it('holds the diff as it is where it is short', () => {
    const diff = fileDiff('src/a.ts', 3) + fileDiff('src/b.ts', 2);
    assert.equal(commitPrompt(diff, '').at(-1)?.content, diff);
  });

  it('names lock files and built files, and leaves their content out', () => {
    for (const path of ['package-lock.json', 'deep/Cargo.lock', 'web/app.min.js', 'go.sum']) {
      const short = shortDiff(fileDiff(path, 50) + fileDiff('src/a.ts', 3));
      assert.ok(short.includes(`b/${path}`) && short.includes('lines left out]'), short);
      assert.ok(!short.includes('+line 40'), short);
      assert.ok(short.endsWith(fileDiff('src/a.ts', 3)));
    }
  });

  it('names files that look secret, and leaves their content out', () => {
    const secret = fileDiff('.env', 3).replaceAll(' a/', ' i/').replaceAll(' b/', ' w/');
    const short = shortDiff(`written by another program\n${secret}${fileDiff('src/a.ts', 3)}`);
    const [head] = secret.split('\n@@');
    assert.equal(short, `${head}\n[6 lines left out]\n${fileDiff('src/a.ts', 3)}`);
  });

  it('lets no file push the others out, and has a greatest length', () => {
    const short = shortDiff(fileDiff('huge.ts', 100_000) + fileDiff('small.ts', 3));
    assert.ok(short.endsWith(fileDiff('small.ts', 3)));
    const many = Array.from({ length: 500 }, (_, index) => fileDiff(`src/file${index}.ts`, 50)).join('');
    const all = shortDiff(many);
    assert.ok(all.length < 130_000, String(all.length));
    assert.ok(all.includes('b/src/file499.ts'), 'a file that is cut is still named');
  });

  it('keeps to what the author began', () => {
    const content = commitPrompt(fileDiff('a', 1), ' Fix the parser ').at(-1)?.content ?? '';
    assert.match(content, /began like this.*\nFix the parser\n\ndiff --git/);
  });
});

describe('The commit message in a reply', () => {
  const cases: readonly (readonly [reply: string, message: string])[] = [
    ['Fix the parser', 'Fix the parser'],
    ['\n  Fix the parser\n\nIt lost commas.\n', 'Fix the parser\n\nIt lost commas.'],
    ['```\nFix the parser\n```', 'Fix the parser'],
    ['```text\nFix the parser\n\n- more\n```\n', 'Fix the parser\n\n- more'],
    ['"Fix the parser"', 'Fix the parser'],
    ['`Fix the parser`', 'Fix the parser'],
    ['Use `a` in place of `b`', 'Use `a` in place of `b`'],
    ['```', ''],
    ['', ''],
  ];
  for (const [reply, message] of cases) {
    it(`of ${JSON.stringify(reply)} is ${JSON.stringify(message)}`, () => {
      assert.equal(commitMessageIn(reply), message);
    });
  }
});
