import assert from 'node:assert/strict';
import { readdir } from 'node:fs/promises';
import { grammarModules } from '../../../../src/webview/markdown/highlight/grammarModules.ts';
import { grammarName, languageId } from '../../../../src/shared/text/languageNames.ts';

const WRITTEN =
  'ts tsx js jsx json jsonc py rs go java c cpp c++ cs php rb sh bash zsh powershell sql html css scss yaml toml xml md diff ' +
  'dockerfile makefile lua kotlin swift dart r julia haskell elixir scala perl graphql vue svelte Python TypeScript C#';

describe('grammarName', () => {
  it('recognizes the names that models write after a fence', () => {
    const unknown = WRITTEN.split(' ').filter((name) => grammarName(name) === undefined);
    assert.deepEqual(unknown, []);
  });

  it('recognizes nothing else', () => {
    for (const name of ['', 'text', 'constructor', '__proto__', 'nonsense']) assert.equal(grammarName(name), undefined);
  });

  it('names only loadable grammars', async () => {
    const files = await readdir(new URL('../../../../node_modules/@shikijs/langs/dist/', import.meta.url));
    for (const name of WRITTEN.split(' ')) {
      const grammar = grammarName(name) ?? '';
      assert.ok(grammarModules[grammar] !== undefined, `${name} → ${grammar}`);
    }
    const missing = Object.keys(grammarModules).filter((name) => !files.includes(`${name}.mjs`));
    assert.deepEqual(missing, []);
  });
});

describe('languageId', () => {
  const ids = (names: string) => names.split(' ').map(languageId).join(' ');

  it('names a language as VS Code does, where its grammar has another name as well', () => {
    assert.equal(ids('ts tsx js jsx mjs'), 'typescript typescriptreact javascript javascriptreact javascript');
    assert.equal(ids('h hpp c cuda'), 'cpp cpp c cuda-cpp');
    assert.equal(
      ids('docker Dockerfile make mk less mdx conf tf'),
      'dockerfile dockerfile makefile makefile less mdx properties terraform',
    );
    assert.equal(ids('SH zsh ps1 C# txt'), 'shellscript shellscript powershell csharp plaintext');
  });

  it("leaves a name that it doesn't know", () => {
    assert.equal(ids('Sass nonsense constructor'), 'sass nonsense constructor');
    assert.equal(languageId(''), '');
  });
});
