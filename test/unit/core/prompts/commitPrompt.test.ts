import assert from 'node:assert/strict';
import { commitMessageIn, commitPrompt, shortDiff } from '../../../../src/core/prompts/commitPrompt.ts';

function fileDiff(path: string, lines: number): string {
  const added = Array.from({ length: lines }, (_, index) => `+line ${index}`).join('\n');
  return `diff --git a/${path} b/${path}\nindex 1..2 100644\n--- a/${path}\n+++ b/${path}\n@@ -0,0 +1,${lines} @@\n${added}\n`;
}

describe('The question for a commit message', () => {
  it("contains an unchanged diff if it's short", () => {
    const diff = fileDiff('src/a.ts', 3) + fileDiff('src/b.ts', 2);
    assert.deepEqual(shortDiff(diff), { text: diff, secret: [] });
    assert.equal(commitPrompt(diff, '').at(-1)?.content, diff);
  });

  it('names lock files and built files, and leaves their content out', () => {
    for (const path of ['package-lock.json', 'deep/Cargo.lock', 'web/app.min.js', 'go.sum']) {
      const { text: short } = shortDiff(fileDiff(path, 50) + fileDiff('src/a.ts', 3));
      assert.ok(short.includes(`b/${path}`) && short.includes('lines left out]'), short);
      assert.ok(!short.includes('+line 40'), short);
      assert.ok(short.endsWith(fileDiff('src/a.ts', 3)));
    }
  });

  it('names files that might contain secrets, and leaves their content out', () => {
    const secret = fileDiff('.env', 3).replaceAll(' a/', ' i/').replaceAll(' b/', ' w/');
    const short = shortDiff(`written by another program\n${secret}${fileDiff('src/a.ts', 3)}`);
    const [head] = secret.split('\n@@');
    assert.deepEqual(short.secret, ['', '.env'], 'the user is told about each');
    assert.equal(short.text, `${head}\n[6 lines left out]\n${fileDiff('src/a.ts', 3)}`);
  });

  it('names in the question the secret file that it leaves out', () => {
    for (const [path, line] of [
      ['.env', 'API_TOKEN=hunter2'],
      ['keys/id_ed25519', '-----BEGIN OPENSSH PRIVATE KEY-----'],
    ] as const) {
      const text = `diff --git a/${path} b/${path}\nnew file mode 100644\n--- /dev/null\n+++ b/${path}\n@@ -0,0 +1 @@\n+${line}\n`;
      const short = shortDiff(text + fileDiff('src/a.ts', 3));
      assert.deepEqual(short.secret, [path]);
      assert.ok(short.text.includes(`b/${path}`) && !short.text.includes(line), short.text);
    }
  });

  it('lets no file crowd out the others', () => {
    const { text } = shortDiff(fileDiff('huge.ts', 100_000) + fileDiff('small.ts', 3));
    assert.ok(text.endsWith(fileDiff('small.ts', 3)));
  });

  it('names the files without room', () => {
    const many = Array.from({ length: 500 }, (_, index) => fileDiff(`src/file${index}.ts`, 50)).join('');
    const { text } = shortDiff(many);
    assert.ok(text.length < 57_000, String(text.length));
    assert.match(text, /\nAlso changed, and not shown:\n(src\/file\d+\.ts\n)+$/);
    for (let index = 0; index < 500; index += 1) assert.ok(text.includes(`src/file${index}.ts`), String(index));
  });

  it('has a maximum length, however many files there are, new, generated, or secret', () => {
    const count = 5000;
    for (const name of ['file.ts', 'yarn.lock', '.env']) {
      const added = (index: number) =>
        `diff --git a/src/${index}/${name} b/src/${index}/${name}\nnew file mode 100644\nindex 0..1\n--- /dev/null\n+++ b/src/${index}/${name}\n@@ -0,0 +1 @@\n+x\n`;
      const { text } = shortDiff(Array.from({ length: count }, (_, index) => added(index)).join(''));
      assert.ok(text.length < 57_000, String(text.length));
      const shown = text.match(/^diff --git /gm)?.length ?? 0;
      const named = text.match(/^src\/\d+\/[.\w]+$/gm)?.length ?? 0;
      const counted = Number(/\nand (\d+) more files\n$/.exec(text)?.[1]);
      assert.equal(shown + named + counted, count);
    }
  });

  it('continues what the author started', () => {
    const content = commitPrompt(fileDiff('a', 1), ' Fix the parser ').at(-1)?.content ?? '';
    assert.ok(typeof content === 'string');
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
    ['`a` replaces `b`', '`a` replaces `b`'],
    ['"a" and "b"', '"a" and "b"'],
    ['Show how to start it:\n\n```\nnpm start\n```', 'Show how to start it:\n\n```\nnpm start\n```'],
    ['They fixed it.\n</think>\n\n```\nFix the parser\n```', 'Fix the parser'],
    ['```', ''],
    ['', ''],
  ];
  for (const [reply, message] of cases) {
    it(`of ${JSON.stringify(reply)} is ${JSON.stringify(message)}`, () => {
      assert.equal(commitMessageIn(reply), message);
    });
  }
});
