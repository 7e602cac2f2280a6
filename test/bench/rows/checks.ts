import { spawnSync } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { projectFolder } from '../../workbench/folders.ts';
import { buildForUsers } from '../buildForUsers.ts';
import type { ChecksReport, ChecksTask } from '../checks/checksTask.ts';
import { type Figure, figure, ratios, type RowSet } from '../figure.ts';

const cases = 1000;
const models = ['a', 'b', 'c', 'd', 'e'].map((name) => `harbor/${name}`);
const script = join(projectFolder, 'test/bench/checks/checksProcess.ts');

export const checkRows: RowSet = {
  name: 'checks',
  title: `Prompt checks: ${cases} cases with ${models.length} models`,
  method:
    'Each figure is of a process of its own, as cold as an extension host that opens a folder, with a substitute for VS ' +
    "Code's API that has read the files of the folder. Opening and reading are CPU time of the main thread, a run is that of all threads. All cases have " +
    'results on disk. ' +
    `Opening: ${cases} cases and ${cases * models.length} rows of the Testing view with their results, marks, and the ` +
    'lines above the cases; then the table. The reference only reads the same files with js-yaml, as plain data. ' +
    'Run: 100 replies a second for 10 s, judged (half of them by a pattern too, and half of those on a thread of its own), in the Testing view, in the lines, in the open table, ' +
    'and on disk. The reference only sends the same and writes the same record.',
  async run({ rounds, say }) {
    buildForUsers();
    await using cleanup = new AsyncDisposableStack();
    const folder = await mkdtemp(join(tmpdir(), 'parlance-checks-'));
    cleanup.defer(() => rm(folder, { recursive: true, force: true }));
    const figures: Figure[] = [];
    for (const files of [1, 100]) {
      const name = files === 1 ? '1 file' : `${files} files`;
      const at = { workspace: join(folder, name, 'workspace'), storage: join(folder, name, 'storage') };
      await writeChecks(at.workspace, files);
      say(`${name}: run all checks`);
      measured({ ...at, work: 'seed' });
      const parsed: number[] = [];
      const opened: number[] = [];
      const table: number[] = [];
      const again: number[] = [];
      for (let round = 0; round < rounds; round += 1) {
        say(`${name}: open it, ${round + 1} of ${rounds}`);
        parsed.push(measured({ ...at, work: 'parse' }).cpuMs);
        const open = measured({ ...at, work: 'open' });
        opened.push(open.cpuMs);
        table.push(open.tableCpuMs ?? 0);
        again.push(open.againCpuMs ?? 0);
      }
      figures.push(
        figure(`${name}: js-yaml alone, CPU`, parsed, 'ms'),
        figure(`${name}: open the view, CPU`, opened, 'ms', 200),
        figure(`${name}: open the view ÷ js-yaml alone`, ratios(opened, parsed), '×'),
        figure(`${name}: open the table, CPU`, table, 'ms', 200),
        figure(`${name}: read all again before a run, CPU`, again, 'ms'),
      );
      if (files > 1) continue;
      const sending: number[] = [];
      const running: number[] = [];
      for (let round = 0; round < rounds; round += 1) {
        say(`${name}: run it, ${round + 1} of ${rounds}`);
        sending.push(share(measured({ ...at, work: 'send' })));
        running.push(share(measured({ ...at, work: 'run' })));
      }
      const above = running.map((each, round) => each - (sending[round] ?? 0));
      figures.push(
        figure('a run: requests and their record alone, share of a core', sending, '%'),
        figure('a run: all of it, share of a core', running, '%'),
        figure('a run: updates on top of the requests, share of a core', above, '%', 5),
        figure('a run: all of it ÷ the requests alone', ratios(running, sending), '×'),
      );
    }
    return figures;
  },
};

function share({ cpuMs, wallMs }: ChecksReport): number {
  return (cpuMs / wallMs) * 100;
}

function measured(task: ChecksTask): ChecksReport {
  const ran = spawnSync(process.execPath, [script, JSON.stringify(task)], { encoding: 'utf8' });
  if (ran.status !== 0) throw new Error(ran.stderr);
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- our own script wrote it
  const report = JSON.parse(ran.stdout) as ChecksReport;
  const rows = task.work === 'parse' ? 0 : cases * models.length;
  if (report.cases !== cases || report.rows !== rows) throw new Error(`Some are missing: ${ran.stdout}`);
  return report;
}

async function writeChecks(folder: string, files: number): Promise<void> {
  await mkdir(folder, { recursive: true });
  const each = cases / files;
  for (let at = 0; at < files; at += 1) {
    await writeFile(join(folder, `prompt${at}.prompt.md`), 'Explain ${selection}\n');
    await writeFile(join(folder, `prompt${at}.checks.yaml`), fileOfCases(at * each, each));
  }
}

/** The second one is judged on a thread of its own, unlike everything else: a matcher can't tell that it's harmless. */
const patterns = ['^[A-Za-z]', '(?:const|let)+ value'];

function patternOf(at: number): string {
  const pattern = at % 2 === 0 ? undefined : patterns[((at - 1) / 2) % patterns.length];
  return pattern === undefined ? '' : `      - type: regex\n        value: '${pattern}'\n`;
}

function fileOfCases(from: number, count: number): string {
  const all = Array.from({ length: count }, (_, index) => {
    const at = from + index;
    return `  - name: Case ${at}
    selection: |
      const value${at} = compute(${at});
      return value${at};
    vars: { language: French, count: ${at} }
    assert:
      - type: contains
        value: value${at}
      - type: word-count
        value: { max: ${100 + at} }
${patternOf(at)}`;
  });
  return `models: [${models.join(', ')}]\n\ncases:\n${all.join('\n')}`;
}
