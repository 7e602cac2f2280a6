import assert from 'node:assert/strict';
import { mkdir, readdir, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { lexer, walkTokens } from 'marked';
import { packageExtension } from '../../workbench/packageExtension.ts';
import { ChatDriver } from '../chatDriver.ts';
import { useWorkbench } from '../useWorkbench.ts';

/** Every file allowed in the package. A new kind of file has to be added here deliberately. */
const allowed = [
  /^\.vsixmanifest$/,
  /^(package|package\.nls(\.[\w-]+)?)\.json$/,
  /^(readme|changelog|support|security)\.md$/i,
  /^LICENSE\.txt$/,
  /^thirdpartynotices\.txt$/i,
  /^dist\/extension\.js$/,
  /^dist\/late\/\w+\.js$/,
  /^dist\/(webview\/)?chunks\/[\w.-]+-[A-Z0-9]{8}\.js$/,
  /^dist\/webview\/(chat|checks|compare|measure|media|request|usage)\.(js|css)$/,
  /^dist\/webview\/(modelDetails\.css|codicon\.css|codicon\.ttf)$/,
  /^dist\/webview\/(Temml|noto-sans-math)-[\w-]+\.woff2$/,
  /^l10n\/bundle\.l10n\.[\w-]+\.json$/,
  /^media\/(icon\.png|parlance\.svg)$/,
  /^media\/tab\/[\w.-]+\.svg$/,
  /^media\/walkthrough\/\w+-(dark|light)\.webp$/,
];

describe('The package', () => {
  const folder = join(tmpdir(), `parlance-package-${process.pid}`);
  const vsix = join(folder, 'parlance.vsix');

  before('create it', async function () {
    await mkdir(folder, { recursive: true });
    await packageExtension(vsix);
  });
  after(() => rm(folder, { recursive: true, force: true }));

  const workbench = useWorkbench({ extension: { kind: 'package', vsix } });

  async function installedFolder(): Promise<string> {
    const extensions = join(workbench().server.dataFolder, 'extensions');
    const names = (await readdir(extensions)).filter((name) => name.startsWith('parlance.parlance-'));
    assert.equal(names.length, 1, names.join());
    return join(extensions, names[0] ?? '');
  }

  async function filesIn(root: string): Promise<string[]> {
    const entries = await readdir(root, { recursive: true, withFileTypes: true });
    return entries
      .filter((entry) => entry.isFile())
      .map((entry) => relative(root, join(entry.parentPath, entry.name)).replaceAll('\\', '/'));
  }

  it('contains what users need and nothing else', async () => {
    const files = await filesIn(await installedFolder());
    assert.deepEqual(
      files.filter((file) => !allowed.some((pattern) => pattern.test(file))),
      [],
    );
    for (const needed of [
      'package.json',
      'package.nls.json',
      'dist/extension.js',
      'dist/webview/chat.js',
      'LICENSE.txt',
      'ThirdPartyNotices.txt',
    ]) {
      assert.ok(files.includes(needed), `${needed} is missing`);
    }
  });

  it('contains every file that its manifest names', async () => {
    const root = await installedFolder();
    const files = new Set(await filesIn(root));
    const manifest = await readFile(join(root, 'package.json'), 'utf8');
    const named = [...manifest.matchAll(/"(?:\.\/)?((?:media|dist)\/[^"]+)"/g)].map(([, path]) => path ?? '');
    assert.ok(named.includes('dist/extension.js'));
    assert.deepEqual(
      named.filter((path) => !files.has(path)),
      [],
    );
    const { scripts, devDependencies, dependencies } = JSON.parse(manifest);
    assert.deepEqual(
      { scripts, devDependencies, dependencies },
      { scripts: undefined, devDependencies: undefined, dependencies: undefined },
    );
  });

  it("has no image or link in its texts that leads to a file it doesn't contain", async () => {
    const root = await installedFolder();
    const files = new Set(await filesIn(root));
    const pages = [...files].filter((file) => file.endsWith('.md'));
    assert.ok(pages.includes('readme.md'), pages.join());
    const lost: string[] = [];
    for (const page of pages) {
      const tokens = lexer(await readFile(join(root, page), 'utf8'));
      void walkTokens(tokens, (token) => {
        if (token.type !== 'link' && token.type !== 'image') return;
        const address: string = token.href;
        if (!/^(https:|#)/.test(address) && !files.has(address)) lost.push(`${page}: ${address}`);
      });
    }
    assert.deepEqual(lost, []);
  });

  it('is built for production: small, and without links to missing sources', async () => {
    const root = await installedFolder();
    for (const file of await filesIn(root)) {
      if (!file.endsWith('.js')) continue;
      const text = await readFile(join(root, file), 'utf8');
      assert.doesNotMatch(text, /\/\/# sourceMappingURL=/, file);
    }
  });

  it('is smaller than 2 MB', async () => {
    const { size } = await stat(vsix);
    assert.ok(size < 2 * 1024 * 1024, `${size} bytes`);
  });

  it('chats', async () => {
    const chat = await ChatDriver.open(workbench());
    const reply = await chat.ask('Write 60 tokens');
    assert.equal(await reply.getAttribute('aria-label'), 'local/writer');
    assert.match(await reply.getByRole('group', { name: 'Metrics' }).innerText(), /60 tokens/);
    assert.deepEqual(
      workbench()
        .service.log()
        .map(({ status }) => status),
      [200],
    );
  });
});
