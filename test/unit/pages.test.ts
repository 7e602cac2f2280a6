import assert from 'node:assert/strict';
import { access, glob, readFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { lexer, walkTokens } from 'marked';
import { expectationKinds } from '../../src/core/checks/expectation.ts';
import { promptVariables } from '../../src/core/prompts/promptTemplate.ts';
import { chatParameterFields } from '../../src/shared/chatParameters.ts';
import type { Manifest } from '../workbench/referencePages.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
const readPage = (page: string): Promise<string> => readFile(resolve(root, page), 'utf8');

/** True for a folder too. */
function isThere(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}

/** The target of `#…`, by GitHub's rule. */
function anchorsOf(markdown: string): readonly string[] {
  return lexer(markdown).flatMap((token) =>
    token.type === 'heading'
      ? [
          String(token['text'])
            .toLowerCase()
            .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
            .replaceAll(' ', '-'),
        ]
      : [],
  );
}

async function pages(): Promise<readonly string[]> {
  const found = ['README.md', 'CHANGELOG.md', 'SECURITY.md', 'SUPPORT.md', 'CONTRIBUTING.md'];
  for await (const page of glob('docs/*.md', { cwd: root })) found.push(page.replaceAll('\\', '/'));
  return [...found, 'test/README.md', 'test/service/README.md'];
}

describe("The project's pages", () => {
  it('have no broken link or image', async () => {
    const lost: string[] = [];
    for (const page of await pages()) {
      const targets: string[] = [];
      void walkTokens(lexer(await readPage(page)), (token) => {
        if (token.type === 'link' || token.type === 'image') targets.push(String(token.href));
      });
      for (const target of targets.filter((each) => !/^https?:/.test(each))) {
        const [path = '', anchor] = target.split('#');
        const file = resolve(root, path === '' ? page : resolve(root, dirname(page), path));
        const isFound = await isThere(file);
        const isKnown =
          anchor === undefined || anchorsOf(await readFile(file, 'utf8').catch(() => '')).includes(anchor);
        if (!isFound || !isKnown) lost.push(`${page}: ${target}`);
      }
    }
    assert.deepEqual(lost, []);
  });

  it('name only commands, settings, and views that exist', async () => {
    const { contributes } = JSON.parse(await readPage('package.json')) as Manifest;
    const known = new Set([
      ...contributes.commands.map(({ command }) => command),
      ...contributes.configuration.flatMap(({ properties }) => Object.keys(properties)),
      ...Object.values(contributes.views).flatMap((views) => views.map(({ id }) => id)),
      // The extension's own ID, and a context key of the suggested shortcuts.
      'parlance.parlance',
      'parlance.proposalReady',
    ]);
    const unknown: string[] = [];
    for (const page of await pages()) {
      for (const [, id = ''] of (await readPage(page)).matchAll(/[`"](parlance\.[\w.]+)[`"]/g)) {
        if (!known.has(id)) unknown.push(`${page}: ${id}`);
      }
    }
    assert.deepEqual(unknown, []);
  });

  it('name commands by their titles', async () => {
    const texts = JSON.parse(await readPage('package.nls.json')) as Readonly<Record<string, string>>;
    const titles = new Set(Object.entries(texts).flatMap(([key, text]) => (key.startsWith('command.') ? [text] : [])));
    const unknown: string[] = [];
    for (const page of await pages()) {
      const text = (await readPage(page)).replaceAll(/\s+/g, ' ');
      for (const [, words = ''] of text.matchAll(/\*\*(Parlance: [^*]+|[^*]+…)\*\*/g)) {
        if (!titles.has(words.replace('Parlance: ', ''))) unknown.push(`${page}: ${words}`);
      }
    }
    assert.deepEqual(unknown, []);
  });

  it('name every variable and parameter of prompts, and every expectation', async () => {
    const [prompts, checks] = await Promise.all([readPage('docs/prompts.md'), readPage('docs/checks.md')]);
    const missing = [
      ...promptVariables.filter((name) => !prompts.includes(`\`\${${name}}\``)),
      ...chatParameterFields.filter((name) => !prompts.includes(`| \`${name}\` |`)),
      ...[...chatParameterFields, ...expectationKinds].filter((name) => !checks.includes(`\`${name}\``)),
    ];
    assert.deepEqual(missing, []);
  });

  it('name only files and folders that exist', async () => {
    const missing: string[] = [];
    for (const page of ['CONTRIBUTING.md', 'SECURITY.md', 'SUPPORT.md']) {
      for (const [, path = ''] of (await readPage(page)).matchAll(/`((?:src|test|build|docs|l10n)\/[\w./-]*)`/g)) {
        if (!(await isThere(resolve(root, path)))) missing.push(`${page}: ${path}`);
      }
    }
    assert.deepEqual(missing, []);
  });

  it('map every folder of the code, and every folder of the tests', async () => {
    const [map, tests] = await Promise.all([readPage('CONTRIBUTING.md'), readPage('test/README.md')]);
    const unmapped: string[] = [];
    for await (const folder of glob(['src/*/', 'src/*/*/'], { cwd: root })) {
      const name = `${folder.replaceAll('\\', '/').replace(/\/$/, '')}/`;
      const isGroup = map.includes(`\`${name}`) && /^src\/\w+\/$/.test(name);
      if (!isGroup && !map.includes(`\`${name}\``)) unmapped.push(name);
    }
    for await (const folder of glob('test/*/', { cwd: root })) {
      const name = `${folder.replaceAll('\\', '/').replace(/\/$/, '').slice('test/'.length)}/`;
      if (!tests.includes(`| \`${name}\` |`)) unmapped.push(`test/${name}`);
    }
    assert.deepEqual(unmapped, []);
  });

  it('start with a README of at most 140 lines', async () => {
    assert.ok((await readPage('README.md')).trimEnd().split('\n').length <= 140);
  });
});
