import assert from 'node:assert/strict';
import { mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { Session } from 'node:inspector/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import * as vscode from 'vscode';
import { eventually } from './eventually.ts';
import { watched } from './watched.ts';

const extensionId = 'parlance.parlance';

/** The part of `out/extension.meta.json`, written by esbuild, that is read here. */
interface Metafile {
  readonly outputs: Readonly<
    Record<
      string,
      {
        readonly bytes: number;
        readonly entryPoint?: string;
        readonly inputs: Readonly<Record<string, unknown>>;
        readonly imports: readonly { readonly path: string; readonly kind: string; readonly external?: boolean }[];
      }
    >
  >;
}

function parlance(): vscode.Extension<unknown> {
  const extension = vscode.extensions.getExtension(extensionId);
  assert.ok(extension, `${extensionId} is not installed`);
  return extension;
}

/** The files under the extension's `dist` that V8 has loaded in this process, relative to the extension. */
async function loadedFiles(folder: string): Promise<string[]> {
  const inspector = new Session();
  inspector.connect();
  const files: string[] = [];
  inspector.on('Debugger.scriptParsed', ({ params }) => {
    if (params.url.startsWith('file:')) files.push(fileURLToPath(params.url));
  });
  try {
    // Enabling reports every script there is, ES modules too.
    await inspector.post('Debugger.enable');
    await inspector.post('Debugger.disable');
  } finally {
    inspector.disconnect();
  }
  const dist = join(folder, 'dist');
  return files
    .filter((file) => file.startsWith(dist))
    .map((file) => file.slice(folder.length + 1).replaceAll('\\', '/'));
}

async function metafileOf(folder: string): Promise<Metafile> {
  return JSON.parse(await readFile(join(folder, 'out', 'extension.meta.json'), 'utf8')) as Metafile;
}

/** The built files, by the path of the source file that each begins with. */
async function builtFiles(): Promise<ReadonlyMap<string, string>> {
  const { outputs } = await metafileOf(parlance().extensionPath);
  const files = Object.entries(outputs).flatMap(([file, { entryPoint }]) =>
    entryPoint === undefined ? [] : [[entryPoint, file] as const],
  );
  return new Map(files);
}

const looksForChecks = 'src/vscode/checks/newFolders.ts';

/** The loaded files, once a window in which nothing has been used has loaded all that it needs. */
async function loadedAtStart(): Promise<readonly string[]> {
  await parlance().activate();
  const last = (await builtFiles()).get(looksForChecks) ?? assert.fail();
  let files: readonly string[] = [];
  await eventually('the search for checks', async () => {
    files = await loadedFiles(parlance().extensionPath);
    return files.includes(last);
  });
  return files;
}

/** The packages from npm that went into these built files. */
async function packagesIn(folder: string, files: readonly string[]): Promise<Set<string>> {
  const { outputs } = await metafileOf(folder);
  const inputs = files.flatMap((file) => {
    const output = outputs[file];
    assert.ok(output, `${file} is not from the last build`);
    return Object.keys(output.inputs);
  });
  return new Set(inputs.flatMap((input) => /node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(input)?.[1] ?? []));
}

describe('activation', () => {
  it('happens on a command and loads neither the HTTP client nor the Markdown library', async () => {
    const extension = parlance();
    assert.equal(extension.isActive, false, 'active before anything was asked of it');
    await vscode.commands.executeCommand('parlance.showLog');
    assert.equal(extension.isActive, true);

    const files = await loadedFiles(extension.extensionPath);
    assert.ok(files.includes('dist/extension.js'), `dist/extension.js is not among ${files.join(', ')}`);
    const packages = await packagesIn(extension.extensionPath, files);
    assert.ok(packages.has('@vscode/l10n'), 'the way to tell packages does not work');
    for (const late of ['undici', 'marked', 'eventsource-parser', 'yaml', 'diff'])
      assert.ok(!packages.has(late), `${late} is loaded`);
  });

  it('loads only what every window needs, until something is used', async () => {
    const { outputs } = await metafileOf(parlance().extensionPath);
    const entries = await builtFiles();
    const atEveryStart = [
      'src/vscode/start/openServices.ts',
      'src/vscode/languageModel/registerLanguageModels.ts',
      looksForChecks,
    ];
    // A minute after the start, and the command of the test before.
    const later = ['src/vscode/start/purgeDeleted.ts', 'src/vscode/connection/serviceCommands.ts'];
    const known = new Set(['src/extension.ts', ...later, ...atEveryStart]);
    const others = (await loadedAtStart()).filter(
      (file) => !known.has(outputs[file]?.entryPoint ?? 'src/extension.ts'),
    );
    assert.deepEqual(others, []);
    // What late files share is in a few chunks, and these need only the ones for every window.
    const sharedBy = (entry: string): readonly string[] => {
      const own = entries.get(entry) ?? '';
      const needed = new Set([own]);
      for (const file of needed) {
        for (const { kind, path } of outputs[file]?.imports ?? []) {
          if (kind === 'import-statement' && path in outputs) needed.add(path);
        }
      }
      return [...needed].filter((file) => file !== own).toSorted();
    };
    const [first = '', ...rest] = atEveryStart;
    const ofStart = sharedBy(first);
    const ofChat = sharedBy('src/vscode/chat/registerChat.ts');
    assert.ok(
      ofChat.some((file) => !ofStart.includes(file)),
      'the chat needs nothing else',
    );
    for (const entry of rest) assert.deepEqual(sharedBy(entry), ofStart, entry);
  });

  it('loads prompt checks once another program moves a folder with some into the workspace', async () => {
    const isLoaded = async () =>
      (await loadedFiles(parlance().extensionPath)).some((file) => /registerChecks/.test(file));
    const [workspace] = vscode.workspace.workspaceFolders ?? [];
    assert.ok(workspace);
    await loadedAtStart();
    assert.equal(await isLoaded(), false);
    // The first search has ended, and VS Code reports what happens.
    await vscode.workspace.findFiles('**/{*.checks.yaml,promptfooconfig.yaml}');
    await watched(workspace.uri);
    const outside = await mkdtemp(join(tmpdir(), 'parlance-outside-'));
    const inside = join(workspace.uri.fsPath, 'moved');
    try {
      await writeFile(join(outside, 'moved.checks.yaml'), 'cases: []\n');
      await rename(outside, inside);
      await eventually('the checks', isLoaded);
    } finally {
      for (const folder of [outside, inside]) await rm(folder, { recursive: true, force: true });
    }
  });

  it("is one small file, which loads the rest when it's used", async () => {
    const { outputs } = await metafileOf(parlance().extensionPath);
    const first = outputs['dist/extension.js'];
    assert.ok(first);
    const atOnce = first.imports.filter(({ kind, external }) => kind === 'import-statement' && external !== true);
    assert.deepEqual(atOnce, []);
    assert.ok(first.bytes < 50 * 1024, `${first.bytes} bytes, and not yet minified`);
    assert.deepEqual([...(await packagesIn(parlance().extensionPath, ['dist/extension.js']))], []);
  });

  it('has only files in Latin-1, so that V8 stores one byte per character: a single other one would double that', async () => {
    const folder = parlance().extensionPath;
    const files = Object.keys((await metafileOf(folder)).outputs).filter((file) => file.endsWith('.js'));
    assert.ok(files.length > 20, `only ${files.length} files`);
    const wide = await Promise.all(
      files.map(async (file) => {
        const text = await readFile(join(folder, file), 'utf8');
        // esbuild escapes them, but not in a regular expression or String.raw: write \u2026 there.
        return (text.match(/.{0,30}[\u0100-\uFFFF]/g) ?? []).map((found) => `${file}: ${found}`);
      }),
    );
    assert.deepEqual(wide.flat(), []);
  });

  it('registers every command of the manifest', async () => {
    await parlance().activate();
    const contributed: { command: string }[] = parlance().packageJSON.contributes.commands;
    const registered = new Set(await vscode.commands.getCommands(true));
    assert.ok(contributed.length > 0);
    assert.deepEqual(
      contributed.map(({ command }) => command).filter((command) => !registered.has(command)),
      [],
    );
  });
});
