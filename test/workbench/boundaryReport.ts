import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { problemActionKinds } from '../../src/shared/problem.ts';
import type { BoundaryRecord } from './boundaryRecorder.ts';
import { projectFolder } from './folders.ts';
import { messageTags } from './messageTags.ts';
import { pageProtocols } from './pageProtocols.ts';
import { pickers } from './pickers.ts';

/** What a whole run didn't exercise, compared with the list of exceptions. */
export interface BoundaryReport {
  /** Not on the list: each needs a test, or a reason. */
  readonly unexercised: readonly string[];
  /** On the list, although a test exercises it, it no longer exists, or no test is offered it any more. */
  readonly outdated: readonly string[];
  readonly exercised: number;
  readonly listed: number;
}

/** Why some items need no test in the workbench. */
export interface Reason {
  /** One sentence. */
  readonly reason: string;
  readonly items: readonly string[];
}

/** How an intention can be expressed, as named by `BoundaryRecorder`. */
const routes = ['menu', 'palette', 'keyboard', 'drop', 'paste', 'open dialog', 'save dialog'];

/**
 * @param known everything that can be exercised besides what was offered in the run
 * @param isFixed whether the text of a choice or a button is the product's own, not a model's or a file's name
 */
export function compareBoundaries(
  known: readonly string[],
  records: readonly BoundaryRecord[],
  reasons: readonly Reason[],
  isFixed: (words: string) => boolean = () => true,
): BoundaryReport {
  const isKept = (item: string): boolean => isFixed(item.replace(/^(?:button|choice) /, ''));
  const crossed = new Set(records.flatMap((record) => record.crossed));
  const all = new Set([...known, ...records.flatMap(({ offered }) => offered).filter(isKept)]);
  const open = [...all].filter((item) => !crossed.has(item));
  const listed = reasons.flatMap(({ items }) => items);
  return {
    unexercised: open.filter((item) => !listed.includes(item)).toSorted(),
    outdated: listed.filter((item) => !open.includes(item)),
    exercised: all.size - open.length,
    listed: listed.length,
  };
}

/**
 * Call it at the end of a whole run: reads what each file of the ui suite recorded, and prints what no test exercised.
 * @returns false if something is neither exercised nor on the list in `unexercised.json`, or is on it needlessly.
 */
export async function reportBoundaries(
  resultsFolder: string,
  print: (line: string) => void = console.log,
  reasonsFile = join(import.meta.dirname, 'unexercised.json'),
): Promise<boolean> {
  const folder = join(resultsFolder, 'boundaries');
  const files = (await readdir(folder).catch(() => [])).filter((name) => name.endsWith('.json'));
  const records = await Promise.all(files.map((name) => readJson<BoundaryRecord>(join(folder, name))));
  const reasons = await readJson<readonly Reason[]>(reasonsFile);
  const { unexercised, outdated, exercised, listed } = compareBoundaries(
    await knownItems(),
    records,
    reasons,
    await fixedWords(),
  );
  print(`Boundaries: ${exercised} exercised in the workbench, ${listed} not, with a reason in unexercised.json:`);
  for (const { reason, items } of reasons) print(`  ${items.join(', ')}: ${reason}`);
  if (unexercised.length > 0) print(`No test exercises, and no reason is given:\n  ${unexercised.join('\n  ')}`);
  if (outdated.length > 0) print(`In unexercised.json without need:\n  ${outdated.join('\n  ')}`);
  return unexercised.length === 0 && outdated.length === 0;
}

/** All commands, messages, buttons of cards, pickers, and routes, from the manifest, the protocols, and the sources. */
export async function knownItems(): Promise<readonly string[]> {
  const { contributes } = await readJson<{ contributes: { commands: readonly { command: string }[] } }>(
    join(projectFolder, 'package.json'),
  );
  const messages = await Promise.all(
    pageProtocols.map(async ({ kind, file, toPage, toHost }) => [
      ...(await messageTags(file, toPage)).map((tag) => `message of ${kind} to the page ${tag}`),
      ...(await messageTags(file, toHost)).map((tag) => `message of ${kind} to the host ${tag}`),
    ]),
  );
  return [
    ...contributes.commands.map(({ command }) => `command ${command}`),
    ...messages.flat(),
    ...pageProtocols.flatMap(({ kind, acts = [] }) => acts.map((act) => `act of ${kind} ${act}`)),
    ...problemActionKinds.map((action) => `action of a card ${action}`),
    ...new Set(Object.values(pickers).flatMap((words) => words.map((each) => `picker ${each}`))),
    ...routes.map((route) => `route ${route}`),
  ];
}

async function fixedWords(): Promise<(words: string) => boolean> {
  const bundle = await readJson<Record<string, string>>(join(projectFolder, 'l10n', 'bundle.l10n.json'));
  const known = new Set(Object.values(bundle));
  return (words) => known.has(words);
}

async function readJson<T>(file: string): Promise<T> {
  return JSON.parse(await readFile(file, 'utf8'));
}
