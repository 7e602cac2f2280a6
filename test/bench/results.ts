import { readFile, writeFile } from 'node:fs/promises';
import { cpus, totalmem } from 'node:os';
import { join } from 'node:path';
import type { Figure, RowSet } from './figure.ts';
import { peerVersions } from './installPeers.ts';

interface KeptSet {
  readonly title: string;
  readonly method: string;
  readonly at: string;
  readonly machine: string;
  readonly rounds: number;
  readonly figures: readonly Figure[];
}

type Kept = Record<string, KeptSet>;

const keptFile = join(import.meta.dirname, 'results.json');
const tableFile = join(import.meta.dirname, 'README.md');
const notesFile = join(import.meta.dirname, 'notes.md');

/** Replaces a set's earlier results and updates the table. */
export async function keepResults({ name, title, method }: RowSet, figures: readonly Figure[], rounds: number) {
  const kept = await readKept();
  kept[name] = { title, method, at: new Date().toISOString().slice(0, 10), machine: machine(), rounds, figures };
  await writeFile(keptFile, `${JSON.stringify(kept, undefined, 2)}\n`);
  await writeFile(tableFile, await resultsPage(kept));
}

export async function readKept(): Promise<Kept> {
  const text = await readFile(keptFile, 'utf8').catch(() => '{}');
  return JSON.parse(text) as Kept;
}

function machine(): string {
  const [cpu] = cpus();
  const memory = Math.round(totalmem() / 2 ** 30);
  return `${cpus().length} × ${cpu?.model.trim() ?? 'unknown'}, ${memory} GB, ${process.platform}, Node ${process.versions.node}`;
}

/** The README of the bench. */
export async function resultsPage(kept: Kept): Promise<string> {
  const versions = Object.entries(await peerVersions()).map(([name, version]) => `${name} ${version}`);
  const sets = Object.entries(kept).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return [
    (await readFile(notesFile, 'utf8')).trim(),
    `The peers, and what else the bench installs: ${versions.join(', ')}.`,
    ...sets.flatMap(([name, set]) => [
      `## ${set.title}`,
      set.method,
      `\`npm run bench -- --only ${name}\`, ${set.at}, ${set.rounds} ${set.rounds === 1 ? 'round' : 'rounds'}, ${set.machine}.`,
      [
        '| figure | median | spread | goal | met |',
        '| --- | --- | --- | --- | --- |',
        ...set.figures.map((row) => `| ${cells(row).join(' | ')} |`),
      ].join('\n'),
    ]),
    '',
  ]
    .join('\n\n')
    .trimEnd()
    .concat('\n');
}

function cells({ name, value, unit, goal = '', met, spread }: Figure): string[] {
  const about = spread === undefined ? '' : `± ${Math.round(spread * 100)}%`;
  const verdict = met === undefined ? '' : met ? 'yes' : '**no**';
  const text = /^[×%]/.test(unit) ? `${value}${unit}` : `${value} ${unit}`;
  return [name, text.trim(), about, goal, verdict];
}
