import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { BoundaryRecord } from './boundaryRecorder.ts';
import { projectFolder } from './folders.ts';

/** What a whole run did not exercise, beside the list of what may be so. */
export interface BoundaryReport {
  /** On no list: each needs a test, or a reason. */
  readonly unexercised: readonly string[];
  /** On the list, though a test exercises it now, or it is not there any more. */
  readonly outdated: readonly string[];
  readonly exercised: number;
  readonly listed: number;
}

/** Why an item needs no test in the workbench, by the item. */
export type Reasons = Readonly<Record<string, string>>;

/**
 * How an intention can come in, as `BoundaryRecorder` names it. What is dropped or pasted has messages of its own, and the
 * manifest gives no command a key.
 */
const routes = ['menu', 'palette', 'open dialog', 'save dialog'];

/** @param known all that can be exercised besides what was offered in the run */
export function compareBoundaries(
  known: readonly string[],
  records: readonly BoundaryRecord[],
  reasons: Reasons,
): BoundaryReport {
  const crossed = new Set(records.flatMap((record) => record.crossed));
  const all = new Set([...known, ...records.flatMap(({ offered }) => offered)]);
  const open = [...all].filter((item) => !crossed.has(item));
  return {
    unexercised: open.filter((item) => !Object.hasOwn(reasons, item)).toSorted(),
    outdated: Object.keys(reasons).filter((item) => !open.includes(item)),
    exercised: all.size - open.length,
    listed: Object.keys(reasons).length,
  };
}

/**
 * To be called at the end of a whole run: reads what each file of the ui suite recorded, and prints what no test
 * exercised.
 *
 * @returns false where something is neither exercised nor on the list of `unexercised.json`, or on it without need.
 */
export async function reportBoundaries(resultsFolder: string, print = console.log): Promise<boolean> {
  const folder = join(resultsFolder, 'boundaries');
  const files = (await readdir(folder).catch(() => [])).filter((name) => name.endsWith('.json'));
  const records = await Promise.all(files.map((name) => readJson<BoundaryRecord>(join(folder, name))));
  const reasons = await readJson<Reasons>(join(import.meta.dirname, 'unexercised.json'));
  const { unexercised, outdated, exercised, listed } = compareBoundaries(
    await knownItems(),
    withFixedWords(records, await fixedWords()),
    reasons,
  );
  print(`Boundaries: ${exercised} exercised in the workbench, ${listed} not, with a reason in unexercised.json.`);
  if (unexercised.length > 0) print(`No test exercises, and no reason is given:\n  ${unexercised.join('\n  ')}`);
  if (outdated.length > 0) print(`In unexercised.json without need:\n  ${outdated.join('\n  ')}`);
  return unexercised.length === 0 && outdated.length === 0;
}

/** All commands, messages and routes, from the manifest and the protocols. */
export async function knownItems(): Promise<readonly string[]> {
  const { contributes } = await readJson<{ contributes: { commands: readonly { command: string }[] } }>(
    join(projectFolder, 'package.json'),
  );
  const messages = await Promise.all([
    tagsOf('chatProtocol.ts', 'ToPage', 'message of chat to the page'),
    tagsOf('chatProtocol.ts', 'ToHost', 'message of chat to the host'),
    tagsOf('mediaProtocol.ts', 'ToMediaPage', 'message of media to the page'),
    tagsOf('mediaProtocol.ts', 'ToMediaHost', 'message of media to the host'),
    tagsOf('usage.ts', 'UsageToPage', 'message of usage to the page'),
    tagsOf('usage.ts', 'UsageToHost', 'message of usage to the host'),
  ]);
  return [
    ...contributes.commands.map(({ command }) => `command ${command}`),
    ...messages.flat(),
    ...routes.map((route) => `route ${route}`),
  ];
}

async function tagsOf(file: string, type: string, what: string): Promise<readonly string[]> {
  const text = await readFile(join(projectFolder, 'src', 'shared', file), 'utf8');
  const [, body] = new RegExp(`export type ${type} =([^]*?)(?:\\nexport |$)`).exec(text) ?? [];
  const tags = [...(body ?? '').matchAll(/readonly type: '(\w+)'/g)].map(([, tag]) => `${what} ${tag}`);
  if (tags.length === 0) throw new Error(`${file} has no messages in ${type}`);
  return tags;
}

/** Choices and buttons whose words are the product's own; a model's name or a file's is not. */
function withFixedWords(
  records: readonly BoundaryRecord[],
  isFixed: (words: string) => boolean,
): readonly BoundaryRecord[] {
  const isKept = (item: string): boolean => {
    const [, words] = /^(?:button|choice) ([^]*)$/.exec(item) ?? [];
    return words === undefined || isFixed(words);
  };
  return records.map(({ crossed, offered }) => ({ crossed: crossed.filter(isKept), offered: offered.filter(isKept) }));
}

async function fixedWords(): Promise<(words: string) => boolean> {
  const bundle = await readJson<Record<string, string>>(join(projectFolder, 'l10n', 'bundle.l10n.json'));
  const known = new Set(Object.values(bundle));
  return (words) => known.has(words);
}

async function readJson<T>(file: string): Promise<T> {
  return JSON.parse(await readFile(file, 'utf8'));
}
