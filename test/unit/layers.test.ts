import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../', import.meta.url));

const layers = ['shared', 'words', 'api', 'core', 'vscode', 'webview'] as const;

interface Violation {
  readonly what: string;
  readonly layer: (typeof layers)[number];
  /** The folder in the layer, if it matters. */
  readonly feature?: string;
  readonly code: string;
  /** A second file, `beside.ts`, if one isn't enough: its content for each way to import the first. */
  readonly beside?: (path: string) => string;
  /** The type checker's message, if it enforces this. */
  readonly type?: string;
  /** The linter's message, if it enforces this. */
  readonly lint?: string;
}

const restricted = 'no-restricted-imports';
const violations: readonly Violation[] = [
  {
    what: 'shared imports api',
    layer: 'shared',
    code: "export { ApiError } from '../api/apiError.ts';",
    type: 'TS6307',
    lint: restricted,
  },
  { what: 'shared imports a library', layer: 'shared', code: "export { parse } from 'valibot';", lint: restricted },
  {
    what: 'words import core',
    layer: 'words',
    code: "export { Conversation } from '../core/chat/conversation.ts';",
    type: 'TS6307',
    lint: restricted,
  },
  { what: 'words import a library', layer: 'words', code: "export { parse } from 'valibot';", lint: restricted },
  { what: 'words touch the DOM', layer: 'words', code: 'export const title = () => document.title;', type: 'TS2584' },
  {
    what: 'api imports words',
    layer: 'api',
    code: "export { numberText } from '../words/numberText.ts';",
    type: 'TS6307',
    lint: restricted,
  },
  {
    what: 'api imports core',
    layer: 'api',
    code: "export { Conversation } from '../core/chat/conversation.ts';",
    type: 'TS6307',
    lint: restricted,
  },
  { what: 'api imports the editor', layer: 'api', code: "export { window } from 'vscode';", lint: restricted },
  {
    what: 'core imports an adapter',
    layer: 'core',
    code: "export { commandIds } from '../vscode/settings/contributions.ts';",
    type: 'TS6307',
    lint: restricted,
  },
  { what: 'core imports the editor', layer: 'core', code: "export { window } from 'vscode';", lint: restricted },
  { what: 'core imports the network', layer: 'core', code: "export { request } from 'undici';", lint: restricted },
  { what: 'core reads files', layer: 'core', code: "export { readFile } from 'node:fs/promises';", lint: restricted },
  {
    what: 'core has a clock of its own',
    layer: 'core',
    code: 'export const now = () => Date.now();',
    lint: 'no-restricted-globals',
  },
  { what: 'core touches the DOM', layer: 'core', code: 'export const title = () => document.title;', type: 'TS2584' },
  {
    what: 'an adapter imports a page',
    layer: 'vscode',
    code: "export { reduce } from '../webview/chat/page/pageState.ts';",
    type: 'TS6307',
    lint: restricted,
  },
  {
    what: 'an adapter imports the network',
    layer: 'vscode',
    code: "export { request } from 'undici';",
    lint: restricted,
  },
  {
    what: 'an adapter writes files without the storage module',
    layer: 'vscode',
    code: "export { writeFile } from 'node:fs/promises';",
    lint: restricted,
  },
  {
    what: 'a page imports the client',
    layer: 'webview',
    code: "export { ApiError } from '../api/apiError.ts';",
    type: 'TS6307',
    lint: restricted,
  },
  { what: 'a page uses node', layer: 'webview', code: 'export const home = () => process.env.HOME;', type: 'TS2591' },
  {
    what: 'two files know each other by their types alone',
    layer: 'api',
    code: "import type { Two } from './beside.ts';\nexport type One = Two;",
    beside: (path) => `import type { One } from '${path}';\nexport type Two = One | 1;`,
    lint: 'no-cycle',
  },
  {
    what: 'a media kind is compared, so that a third one would be treated like the other',
    layer: 'core',
    code: "declare const item: { kind: string };\nexport const ending = item.kind !== 'video' ? 'png' : 'mp4';",
    lint: 'compared-kinds',
  },
  {
    what: 'a feature imports one below it',
    layer: 'vscode',
    feature: 'requests',
    code: "export { pickModel } from '../models/pickModel.ts';",
    lint: 'feature-order',
  },
  {
    what: 'a feature imports a type of one that it does not build on',
    layer: 'vscode',
    feature: 'chat',
    code: "import type { Media } from '../media/registerMedia.ts';\nexport type Made = Media;",
    lint: 'feature-order',
  },
  {
    what: 'what features build on imports one, only once it runs',
    layer: 'vscode',
    feature: 'problems',
    code: "export const load = () => import('../prompts/promptCommands.ts');",
    lint: 'feature-order',
  },
  {
    what: 'a page imports another one',
    layer: 'webview',
    feature: 'media',
    code: "export { modelMenu } from '../chat/modelMenu.ts';",
    lint: 'feature-order',
  },
  {
    what: 'a comparison imports what only the chat shows',
    layer: 'webview',
    feature: 'compare',
    code: "export { reduce } from '../chat/page/pageState.ts';",
    lint: 'feature-order',
  },
  {
    what: 'an operation is compared with a media kind',
    layer: 'core',
    code: "declare const sent: { operation: string };\nexport const isFile = sent.operation === 'image';",
    lint: 'compared-kinds',
  },
];

const folderOf = ({ layer, feature }: Violation) =>
  ['src', layer, ...(feature === undefined ? [] : [feature])].join('/');

function run(folder: string, command: string, args: readonly string[]): Promise<string> {
  return new Promise((resolve) => {
    execFile(join(root, 'node_modules', '.bin', command), args, { cwd: folder }, (_error, stdout, stderr) =>
      resolve(stdout + stderr),
    );
  });
}

describe('The layers', () => {
  let project: string;

  before(async () => {
    project = await mkdtemp(join(tmpdir(), 'parlance-layers-'));
    // The real rules with almost no code: each layer has its violations, and stubs of the files that they import.
    const rules = ['tsconfig.base.json', '.oxlintrc.json', 'package.json'];
    for (const name of [...rules, ...layers.map((layer) => `src/${layer}/tsconfig.json`)]) {
      await cp(join(root, name), join(project, name));
    }
    for (const name of ['node_modules', 'build']) await symlink(join(root, name), join(project, name), 'junction');
    for (const [number, violation] of violations.entries()) {
      const { code, beside } = violation;
      const folder = join(project, folderOf(violation));
      await mkdir(folder, { recursive: true });
      await writeFile(join(folder, `violation${number}.ts`), `${code}\n`);
      if (beside !== undefined) await writeFile(join(folder, 'beside.ts'), `${beside(`./violation${number}.ts`)}\n`);
      for (const [, name, path = ''] of code.matchAll(/\{ (\w+) \} from '(\.\.[^']+)'/g)) {
        await mkdir(dirname(join(folder, path)), { recursive: true });
        await writeFile(join(folder, path), `export const ${name} = 1;\n`);
      }
    }
  });
  after(() => rm(project, { recursive: true, force: true }));

  let types = '';
  let lint = '';
  before(async () => {
    // One run of each tool over all violations, which are distinguished by file.
    for (const layer of layers) types += await run(project, 'tsc', ['-b', `src/${layer}`, '--pretty', 'false']);
    lint = await run(project, 'oxlint', ['--format', 'unix', 'src']);
  });

  for (const [number, violation] of violations.entries()) {
    const { what, type, lint: rule } = violation;
    it(`are enforced: ${what}`, () => {
      const file = `${folderOf(violation)}/violation${number}.ts`;
      const linesOf = (output: string) => output.split('\n').filter((line) => line.includes(file));
      if (type !== undefined) {
        assert.ok(
          linesOf(types).some((line) => line.includes(type)),
          `tsc does not say ${type} of ${file}:\n${types}`,
        );
      }
      if (rule !== undefined) {
        assert.ok(
          linesOf(lint).some((line) => line.includes(rule)),
          `oxlint does not say ${rule} of ${file}:\n${lint}`,
        );
      }
    });
  }
});
