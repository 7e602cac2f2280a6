/**
 * `npm run bench`: Parlance next to its peers. `--only NAME` runs the sets whose names start with NAME, `--json FILE`
 * writes their figures, `--rounds N` sets the rounds, `--minutes N` the length of the long run, and `--list` lists the
 * names. Results go into `results.json`, from which README.md is generated.
 */
import { writeFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import type { Figure } from './figure.ts';
import { installPeers } from './installPeers.ts';
import { keepResults } from './results.ts';
import { activationRows } from './rows/activation.ts';
import { cancelRows } from './rows/cancel.ts';
import { cutRows, floodRows, singleRows, stepRows } from './rows/client.ts';
import { checkRows } from './rows/checks.ts';
import { compareRows } from './rows/compare.ts';
import { conversationRows } from './rows/conversations.ts';
import { firstDeltaRows } from './rows/firstDelta.ts';
import { footprintRows } from './rows/footprint.ts';
import { frameRows } from './rows/frames.ts';
import { tinyBlockRows } from './rows/tinyBlocks.ts';
import { measuringRows } from './rows/measuring.ts';
import { memoryRows } from './rows/memory.ts';
import { modelRows } from './rows/models.ts';
import { pageRows } from './rows/page.ts';
import { raceRows } from './rows/race.ts';
import { requestRows } from './rows/requests.ts';
import { serviceRows } from './rows/services.ts';
import { shapeRows } from './rows/shapes.ts';
import { soakRows } from './rows/soak.ts';
import { surroundingRows } from './rows/surroundings.ts';
import { transcriptRows } from './rows/transcript.ts';
import { wholeWayRows } from './rows/wholeWay.ts';

const rowSets = [
  singleRows,
  floodRows,
  cutRows,
  stepRows,
  firstDeltaRows,
  cancelRows,
  memoryRows,
  measuringRows,
  pageRows,
  shapeRows,
  frameRows,
  tinyBlockRows,
  compareRows,
  raceRows,
  transcriptRows,
  footprintRows,
  activationRows,
  checkRows,
  conversationRows,
  modelRows,
  serviceRows,
  requestRows,
  surroundingRows,
  wholeWayRows,
  soakRows,
];

const { values: flags } = parseArgs({
  options: {
    only: { type: 'string' },
    json: { type: 'string' },
    rounds: { type: 'string', default: '5' },
    minutes: { type: 'string', default: '3' },
    list: { type: 'boolean', default: false },
  },
});

const rounds = Number(flags.rounds);
const minutes = Number(flags.minutes);
const chosen = rowSets.filter(({ name }) => name.startsWith(flags.only ?? ''));
if (flags.list) {
  for (const { name, title } of rowSets) console.log(`${name.padEnd(16)} ${title}`);
} else if (!Number.isInteger(rounds) || rounds < 1) {
  console.error(`--rounds has to be a number from 1 up, not "${flags.rounds}".`);
  process.exitCode = 2;
} else if (!(minutes > 0)) {
  console.error(`--minutes has to be a number above 0, not "${flags.minutes}".`);
  process.exitCode = 2;
} else if (chosen.length === 0) {
  console.error(`No rows are named "${flags.only}". There are: ${rowSets.map(({ name }) => name).join(', ')}.`);
  process.exitCode = 2;
} else {
  await installPeers();
  const all: Figure[] = [];
  for (const rows of chosen) {
    console.log(`${rows.name}: ${rows.title}`);
    const figures = await rows.run({ rounds, minutes, say: (line) => console.log(`  … ${line}`) });
    for (const figure of figures) console.log(`  ${lineOf(figure)}`);
    all.push(...figures);
    await keepResults(rows, figures, rounds);
  }
  if (flags.json !== undefined) await writeFile(flags.json, `${JSON.stringify(all, undefined, 2)}\n`);
  const missed = all.filter(({ met }) => met === false);
  console.log(`${all.length} figures, ${missed.length} of them miss their goal. The table: test/bench/README.md`);
}

function lineOf({ name, value, unit, goal, met, spread }: Figure): string {
  const verdict = goal === undefined ? '' : `  ${met === true ? '✔' : '✘'} ${goal}`;
  const about = spread === undefined ? '' : ` ± ${Math.round(spread * 100)} %`;
  return `${name}: ${value} ${unit}${about}${verdict}`;
}
