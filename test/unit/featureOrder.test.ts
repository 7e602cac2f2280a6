import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path/posix';
import { findFiles } from '../workbench/findFiles.ts';
import { projectFolder, projectPath } from '../workbench/folders.ts';

/** What all features of src/vscode build on. Each of these can import those before it. */
const ground = ['platform', 'disk', 'settings', 'service', 'problems'];

/** The features in their order, with those above that each imports; `start` opens what they share. */
const editor: Readonly<Record<string, readonly string[]>> = {
  attachments: [],
  statusBar: [],
  requests: [],
  commitMessage: ['attachments'],
  experiments: [],
  models: ['requests'],
  conversations: ['attachments'],
  prompts: ['attachments', 'statusBar'],
  measure: ['experiments', 'models', 'prompts', 'requests'],
  connection: ['models', 'requests'],
  diagnostics: ['models'],
  languageModel: ['models', 'requests'],
  media: ['attachments', 'models'],
  agentTools: ['attachments', 'media', 'models', 'requests'],
  checks: ['attachments', 'experiments', 'prompts', 'requests'],
  participant: ['agentTools', 'attachments', 'languageModel', 'media'],
  chat: ['attachments', 'conversations', 'models', 'requests', 'statusBar'],
  compare: ['attachments', 'chat', 'experiments', 'models', 'requests'],
  native: ['agentTools', 'commitMessage', 'diagnostics', 'languageModel', 'media', 'participant'],
  start: ['attachments', 'connection', 'conversations', 'experiments', 'media', 'models', 'requests', 'statusBar'],
};

/** Folders that a folder of src/webview can import, and the parts of the chat that other pages share. */
const pages: Readonly<Record<string, readonly string[]>> = {
  kit: [],
  markdown: ['kit'],
  chat: ['kit', 'markdown'],
  measure: ['kit'],
  media: ['kit'],
  compare: [
    ...['kit', 'markdown', 'chat/composer', 'chat/speed'],
    ...['reply', 'composer', 'attachments', 'parameters'].map((name) => `chat/${name}.css`),
  ],
  request: ['kit', 'markdown'],
  usage: ['kit'],
  checks: ['kit'],
};

interface Import {
  readonly file: string;
  readonly from: string;
  readonly to: string;
  /** Path in its layer: `chat/speed/liveReply.ts`. */
  readonly path: string;
}

/** The imports that cross from one folder of the layer to another. */
function crossings(layer: string, file: string, source: string): readonly Import[] {
  const folderOf = (path: string) => relative(layer, path).split('/')[0] ?? '';
  const from = folderOf(file);
  return Array.from(source.matchAll(/(?:from|import)\s*\(?\s*'(\.[^']+)'/g), ([, path = '']) =>
    join(dirname(file), path),
  )
    .filter((path) => path.startsWith(`${layer}/`) && folderOf(path) !== from)
    .map((path) => ({ file, from, to: folderOf(path), path: relative(layer, path) }));
}

async function importsOf(layer: string, ending = 'ts'): Promise<readonly Import[]> {
  const files = (await findFiles(`${layer}/*/**/*.${ending}`)).map(projectPath);
  const sources = files.map(async (file) => crossings(layer, file, await readFile(join(projectFolder, file), 'utf8')));
  return (await Promise.all(sources)).flat();
}

function canImport({ from, to }: Import): boolean {
  if (ground.includes(from)) return ground.indexOf(to) < ground.indexOf(from) && ground.includes(to);
  return ground.includes(to) || editor[from]?.includes(to) === true;
}

function canImportPage({ from, path }: Import): boolean {
  return pages[from]?.some((allowed) => path === allowed || path.startsWith(`${allowed}/`)) === true;
}

const named = ({ file, to }: Import) => `${file} imports ${to}/`;

describe('Features', () => {
  it('of the editor import what they build on, and the listed features', async () => {
    const imports = await importsOf('src/vscode');
    assert.ok(imports.length > 300, `${imports.length} were found`);
    assert.deepEqual(imports.filter((each) => !canImport(each)).map(named), []);
    const unused = Object.entries(editor).flatMap(([from, allowed]) =>
      allowed
        .filter((to) => !imports.some((each) => each.from === from && each.to === to))
        .map((to) => `${from}: ${to}`),
    );
    assert.deepEqual(unused, []);
  });

  it('of the editor are in an order, in which each imports only those above it', () => {
    const order = Object.keys(editor);
    const isAbove = (to: string, from: string) => order.includes(to) && order.indexOf(to) < order.indexOf(from);
    assert.deepEqual(
      Object.entries(editor).flatMap(([from, allowed]) => allowed.filter((to) => !isAbove(to, from))),
      [],
    );
  });

  it('of the pages import what all pages share, and no other page, apart from parts of the chat in a comparison', async () => {
    const imports = [...(await importsOf('src/webview')), ...(await importsOf('src/webview', 'css'))];
    assert.ok(imports.filter(({ path }) => path.endsWith('.css')).length > 10);
    assert.ok(imports.length > 50, `${imports.length} were found`);
    assert.deepEqual(imports.filter((each) => !canImportPage(each)).map(named), []);
  });

  it('are distinguished by every kind of import', () => {
    const source = `
      import { a } from '../service/a.ts';
      import type {
        B,
      } from '../../vscode/media/b.ts';
      const c = import('../start/c.ts');
      import { d } from './d.ts';
      import { e } from '../../shared/e.ts';`;
    const found = crossings('src/vscode', 'src/vscode/chat/x.ts', source);
    assert.deepEqual(
      found.map(({ to }) => to),
      ['service', 'media', 'start'],
    );
    assert.deepEqual(found.filter((each) => !canImport(each)).map(named), [
      'src/vscode/chat/x.ts imports media/',
      'src/vscode/chat/x.ts imports start/',
    ]);
  });
});
