import { mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { projectFolder } from '../workbench/folders.ts';
import { allHostileWords, hostileWords } from './hostileWords.ts';

const prompts = join('.github', 'prompts');

/** Hostile text as file names that the system accepts. */
export const hostileNames = Object.values(hostileWords).map((words, index) =>
  Array.from(`n${index} ${words.replaceAll('/', '∕').replaceAll('\u0000', '')}`)
    .slice(0, 100)
    .join(''),
);

/** Prompts with hostile text as their names, descriptions, fields, and questions, by path. */
export function hostilePrompts(): Readonly<Record<string, string>> {
  const ofWords = Object.values(hostileWords).map((words, index): [path: string, text: string] => [
    `.github/prompts/${hostileNames[index]}.prompt.md`,
    `---\ndescription: ${JSON.stringify(words)}\n${JSON.stringify(words)}: 1\n---\nSay \${input:name${index}:${words.replaceAll(/[}\r\n]/g, ' ')}}`,
  ]);
  return Object.fromEntries(ofWords);
}

/** Where the files of checks are. The first one has all words, the others one text each. */
export const checksPaths: readonly string[] = ['all', ...hostileNames].map(
  (name) => `.github/prompts/${name}.checks.yaml`,
);

/** Checks with hostile text as their names, models, messages, and expectations, by path. */
function hostileChecks(): Readonly<Record<string, string>> {
  const words = Object.values(hostileWords);
  // VS Code asks about a file with line ends of other systems.
  const quoted = (text: string) =>
    JSON.stringify(text).replaceAll(/[^ -~]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
  const caseOf = (text: string, index: number) =>
    [
      `  - name: ${quoted(`${index} ${text}`)}`,
      `    messages: [{ role: user, content: ${quoted(text)} }]`,
      `    assert: [{ type: contains, value: ${quoted(`absent ${text}`)} }]`,
    ].join('\n');
  const file = (model: string, texts: readonly string[]) =>
    `models: [${quoted(model)}]\ncases:\n${texts.map(caseOf).join('\n')}\n`;
  return Object.fromEntries(
    checksPaths.map((path, index) => {
      const text = words[index - 1];
      if (text === undefined) return [path, file('local/echo', words)];
      return [path, `${file(text, [text])}${quoted(text)}: 1\n`];
    }),
  );
}

/** Every setting of Parlance, as a malicious repository would set it to get at the requests. */
export async function hostileSettings(address: string): Promise<string> {
  const manifest: Manifest = JSON.parse(await readFile(join(projectFolder, 'package.json'), 'utf8'));
  const schemas = manifest.contributes.configuration.flatMap(({ properties }) => Object.entries(properties));
  const settings = schemas.map(([name, schema]) => [name, hostileValue(name, schema, address)]);
  const nested = { service: { baseUrl: `${address}/v1` }, chat: { model: 'hostile/model' } };
  return JSON.stringify({ ...Object.fromEntries(settings), parlance: nested, 'http.proxy': address });
}

interface Schema {
  readonly type: string | readonly string[];
  readonly enum?: readonly string[];
  readonly default?: unknown;
}

interface Manifest {
  readonly contributes: {
    readonly configuration: readonly { readonly properties: Readonly<Record<string, Schema>> }[];
  };
}

function hostileValue(name: string, { type, enum: choices, default: usual }: Schema, address: string): unknown {
  if (choices) return choices.at(-1);
  if (type.includes('boolean')) return usual !== true;
  if (type.includes('number') || type.includes('integer')) return 1;
  if (/url$/i.test(name)) return `${address}/v1`;
  if (/page$/i.test(name)) return address;
  return `hostile ${allHostileWords}`;
}

/** Fills a folder with names, prompts, links, and rules that are meant to do harm. */
export async function writeHostileFolder(workspace: string, outside: string, settings: string): Promise<void> {
  const write = async (path: string, text: string): Promise<void> => {
    await mkdir(join(workspace, path, '..'), { recursive: true });
    await writeFile(join(workspace, path), text);
  };
  await write('.vscode/settings.json', settings);
  for (const [path, text] of Object.entries({ ...hostilePrompts(), ...hostileChecks() })) await write(path, text);
  for (const [index, name] of hostileNames.entries())
    await write(join('src', `${name}.txt`), `Text of file ${index}\n`);
  // More than any list shows, and in deeper folders.
  for (let index = 0; index < 1000; index += 1) await write(join(prompts, `f${index}`, 'p.prompt.md'), 'Many');
  await write(join(prompts, 'deep/'.repeat(60), 'p.prompt.md'), 'Deep');
  await write(join('a/'.repeat(70), 'z.txt'), 'Deep too\n');
  await write('.gitignore', `*.log\n${'**/a/'.repeat(12)}b\n${'**/x*y/z?\n'.repeat(30_000)}`);
  for (const name of ['.ENV', 'Id_RSA', '.NpmRc', 'config/.Env.Local', 'server.PEM']) await write(name, 'KEY=canary\n');

  await mkdir(join(outside, 'prompts'), { recursive: true });
  await writeFile(join(outside, '.env'), 'KEY=canary\n');
  await writeFile(join(outside, 'prompts', 'foreign.prompt.md'), 'Foreign');
  const links: Readonly<Record<string, string>> = {
    'plain-link.txt': join(outside, '.env'),
    [join(prompts, 'foreignfile.prompt.md')]: join(outside, 'prompts', 'foreign.prompt.md'),
    [join(prompts, 'foreignfolder')]: join(outside, 'prompts'),
    'round-and-round': workspace,
  };
  for (const [path, target] of Object.entries(links)) await symlink(target, join(workspace, path));
}
