import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { devNull, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileDiffs, newFileDiff, withoutSecrets } from '../../../../src/core/prompts/gitDiff.ts';

const secret = 'TOKEN=hunter2';

/** This machine's git output for a folder, independent of the user's settings. */
describe('A Git diff without possible secrets', () => {
  let folder: string;
  const run = (...args: readonly string[]) =>
    spawnSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b', '-c', 'core.autocrlf=false', ...args], {
      cwd: folder,
      encoding: 'utf8',
      env: { ...process.env, GIT_CONFIG_GLOBAL: devNull, GIT_CONFIG_NOSYSTEM: '1' },
    }).stdout;
  const put = async (files: Readonly<Record<string, string>>) => {
    for (const [name, text] of Object.entries(files)) {
      await mkdir(dirname(join(folder, name)), { recursive: true });
      await writeFile(join(folder, name), text);
    }
  };
  const commit = () => {
    run('add', '-A');
    run('commit', '-q', '-m', 'x');
  };

  before(function () {
    try {
      execFileSync('git', ['--version']);
    } catch {
      this.skip();
    }
  });
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'parlance-diff-'));
    run('init', '-q');
    await put({ 'a.ts': 'one\ntwo\n', '.env': 'TOKEN=old\n', 'z.ts': 'last\n' });
    commit();
  });
  afterEach(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }));

  /** The three original files are changed. */
  async function changed(...settings: readonly string[]): Promise<string> {
    await put({ 'a.ts': 'one\nTWO\n', '.env': `${secret}\n`, 'z.ts': 'LAST' });
    return run(...settings, 'diff');
  }

  const settings: Readonly<Record<string, readonly string[]>> = {
    'as it is': [],
    'with prefixes of their own for what is staged and what is not': ['-c', 'diff.mnemonicPrefix=true'],
    'with no prefix': ['-c', 'diff.noprefix=true'],
    'with colors': ['-c', 'color.ui=always'],
    'with colors, and none for the names': ['-c', 'color.ui=always', '-c', 'color.diff.meta=normal'],
    'with empty lines that are really empty': ['-c', 'diff.suppressBlankEmpty=true'],
  };
  for (const [words, setting] of Object.entries(settings)) {
    it(`keeps everything but .env, ${words}`, async () => {
      const whole = await changed(...setting);
      assert.ok(whole.includes(secret));
      const { text, leftOut } = withoutSecrets(whole);
      assert.equal(leftOut, 1);
      assert.ok(!text.includes('TOKEN') && !text.includes('.env'), text);
      assert.match(text, /^diff --git (\w\/)?a\.ts [^]*^\+TWO\n[^]*^\+LAST\n\\ No newline/m);
    });
  }

  it('keeps the rest byte for byte', async () => {
    await put({ 'a.ts': 'one\r\n\n--- a/.env\n+++ b/.env\n-- old\n++ new\ndiff --git a/.env b/.env\n', 'z.ts': '' });
    const whole = run('diff');
    assert.deepEqual(withoutSecrets(whole), { text: whole, leftOut: 0 });
    assert.deepEqual(
      fileDiffs(whole).map(({ names }) => names[0]),
      ['a/a.ts', 'a/z.ts'],
    );
  });

  it('is without a file that two branches changed', async () => {
    run('checkout', '-q', '-b', 'other');
    await put({ '.env': 'TOKEN=theirs\n', 'a.ts': 'theirs\ntwo\n' });
    commit();
    run('checkout', '-q', '-');
    await put({ '.env': 'TOKEN=ours\n', 'a.ts': 'ours\ntwo\n' });
    commit();
    run('merge', 'other');
    const whole = run('diff');
    assert.match(whole, /^diff --cc \.env$/m);
    const { text, leftOut } = withoutSecrets(whole);
    assert.equal(leftOut, 1);
    assert.ok(!text.includes('TOKEN'), text);
    assert.match(text, /^diff --cc a\.ts\n[^]*^ \+ours\n[^]*^\+ theirs\n/m);
    // For staged files it contains only the names.
    assert.deepEqual(withoutSecrets(run('diff', '--cached')).text, '* Unmerged path a.ts\n');
  });

  it('is without a file that was secret by its old name, or is by its new one', async () => {
    const lines = Array.from({ length: 20 }, (_, index) => `KEY${index}=${index}\n`).join('');
    await put({ '.env.local': lines, 'plain.txt': lines.replaceAll('KEY', 'word ') });
    commit();
    await rename(join(folder, '.env.local'), join(folder, 'x.txt'));
    await rename(join(folder, 'plain.txt'), join(folder, 'server.pem'));
    await put({ 'x.txt': `${lines}${secret}\n`, 'server.pem': `${lines.replaceAll('KEY', 'word ')}${secret}\n` });
    run('add', '-A');
    const whole = run('diff', '--cached');
    assert.match(whole, /^rename from \.env\.local\n/m);
    assert.match(whole, /^rename to server\.pem\n/m);
    assert.deepEqual(withoutSecrets(whole), { text: '', leftOut: 2 });
  });

  it('is without one whose name is quoted, has spaces, is new, or is gone', async () => {
    await put({ 'gone.pem': `${secret}\n`, 'ä ö/.env': 'x', 'my files/id_rsa': 'x', 'Grüße an alle.txt': 'x\n' });
    commit();
    await rm(join(folder, 'gone.pem'));
    await put({ 'ä ö/.env': secret, 'my files/id_rsa': secret, 'Grüße an alle.txt': 'y\n', 'new one.key': secret });
    run('add', '-A');
    const { text, leftOut } = withoutSecrets(run('diff', '--cached'));
    assert.equal(leftOut, 4);
    assert.ok(!text.includes(secret), text);
    assert.match(text, /^\+\+\+ "b\/Gr\\303\\274\\303\\237e an alle\.txt"\t\n@@ [^]*^\+y\n$/m);
  });

  it('has the commits of a submodule if requested', async () => {
    const inner = join(folder, 'inner');
    const step = () => run('-C', inner, 'commit', '-q', '--allow-empty', '-m', 'A step');
    run('init', '-q', inner);
    step();
    run('-c', 'advice.addEmbeddedRepo=false', 'add', 'inner');
    commit();
    step();
    await put({ '.env': secret, 'z.ts': 'LAST' });
    const { text, leftOut } = withoutSecrets(run('-c', 'diff.submodule=log', 'diff'));
    assert.match(text, /^Submodule inner [\da-f]+\.\.[\da-f]+:\n {2}> A step\ndiff --git a\/z\.ts /);
    assert.equal(leftOut, 1);
  });

  it('is without one that has a custom prefix before its name', async () => {
    const whole = await changed();
    const prefixed = whole.replaceAll(/(^(?:diff --git|---) |(?<= ))a\//gm, '$1old-').replaceAll(/(?<= )b\//g, 'new-');
    assert.match(prefixed, /^diff --git old-\.env new-\.env$/m);
    const { text, leftOut } = withoutSecrets(prefixed);
    assert.equal(leftOut, 1);
    assert.ok(text.includes('new-z.ts') && !text.includes('TOKEN'), text);
  });

  it('has a new file as Git has it once it tracks the file', async function () {
    // Windows allows none of these names.
    if (process.platform === 'win32') this.skip();
    const files = {
      'new.txt': 'one\ntwo\n',
      'in/a folder.txt': 'one\r\n\n+two',
      'em"p\\ty.txt': '',
      'Grüße.txt': '\n',
      'be\u0007ll.txt': 'x',
    };
    await put(files);
    run('add', '--intent-to-add', '.');
    for (const [name, text] of Object.entries(files)) {
      const own = newFileDiff(name, { text });
      const theirs = run('-c', 'core.quotePath=false', 'diff', '--', `:(literal)${name}`);
      const withBell = own.replaceAll('\\007', '\\a');
      assert.equal(withBell, theirs.replace(/^index .*\n/m, ''), name);
      assert.ok(fileDiffs(own)[0]?.names.some((found) => found.endsWith(name)));
    }
  });

  it('is empty if a custom program writes it, and complete for the other files', async () => {
    const all = await changed('-c', 'diff.external=cat');
    assert.ok(all.includes(secret), all);
    assert.deepEqual(withoutSecrets(all), { text: '', leftOut: 1 });
    await put({ '.gitattributes': '*.pem diff=show\n', 'm.pem': 'x' });
    commit();
    await put({ 'a.ts': 'one\nTHREE\n', 'm.pem': secret, 'z.ts': 'last' });
    const some = run('-c', 'diff.show.command=cat m.pem; echo', 'diff');
    assert.ok(some.includes(`+THREE\n${secret}`), some);
    const { text, leftOut } = withoutSecrets(some);
    assert.equal(leftOut, 1);
    assert.ok(text.includes('+THREE\n') && text.includes('+last\n') && !text.includes('TOKEN'), text);
  });
});
