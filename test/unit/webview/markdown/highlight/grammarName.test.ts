import assert from 'node:assert/strict';
import { readdir } from 'node:fs/promises';
import { grammarModules } from '../../../../../src/webview/markdown/highlight/grammarModules.ts';
import { grammarName } from '../../../../../src/webview/markdown/highlight/grammarName.ts';

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
    const files = await readdir(new URL('../../../../../node_modules/@shikijs/langs/dist/', import.meta.url));
    for (const name of WRITTEN.split(' ')) {
      const grammar = grammarName(name) ?? '';
      assert.ok(grammarModules[grammar] !== undefined, `${name} → ${grammar}`);
    }
    const missing = Object.keys(grammarModules).filter((name) => !files.includes(`${name}.mjs`));
    assert.deepEqual(missing, []);
  });
});
