import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { FaultPlan } from './faultPlan.ts';
import { noFaults } from './faultPlan.ts';
import { type Schedule, scheduleText, type Step } from './schedule.ts';
import type { Done, FolderContents, Outcome, WindowName } from './storeUnderTest.ts';
import type { WindowProcess, WindowProcesses } from './windowProcesses.ts';

/** A paused window continues after this long, or the other one would consider it dead. */
const STANDSTILL_MS = 20;

export interface LaneProcesses {
  A?: WindowProcess;
  B?: WindowProcess;
  reader?: WindowProcess;
}

/** Runs one schedule after another in the same processes. */
export class Lane {
  readonly #root: string;
  readonly #processes: WindowProcesses;
  readonly #held: LaneProcesses = {};

  constructor(root: string, processes: WindowProcesses) {
    this.#root = root;
    this.#processes = processes;
  }

  /** @returns what is wrong, with the schedule; nothing if all is well. */
  async run(schedule: Schedule): Promise<string | undefined> {
    const folder = join(this.#root, String(schedule.seed));
    await mkdir(folder);
    const run = new ScheduleRun(schedule, folder, this.#processes, this.#held);
    const wrong = await run.wrong();
    await rm(folder, { recursive: true, force: true });
    if (wrong.length === 0) return undefined;
    return [...wrong.map((each) => `✗ ${each}`), scheduleText(schedule), ...run.story()].join('\n');
  }
}

class ScheduleRun {
  readonly #schedule: Schedule;
  readonly #folder: string;
  readonly #processes: WindowProcesses;
  readonly #held: LaneProcesses;
  readonly #done: Done<unknown>[] = [];
  readonly #openings = { A: 0, B: 0 };
  readonly #story: string[] = [];
  readonly #wrong: string[] = [];
  /** Windows in the middle of a step. */
  readonly #busy = new Set<WindowName>();
  #moment = 0;
  #next = 0;

  constructor(schedule: Schedule, folder: string, processes: WindowProcesses, held: LaneProcesses) {
    this.#schedule = schedule;
    this.#folder = folder;
    this.#processes = processes;
    this.#held = held;
  }

  async wrong(): Promise<readonly string[]> {
    const { damaged, plans, store } = this.#schedule;
    if (damaged !== undefined) {
      await mkdir(join(this.#folder, damaged.name, '..'), { recursive: true });
      await writeFile(join(this.#folder, damaged.name), damaged.text);
    }
    for (const name of ['A', 'B'] as const) await this.#open(name, plans[name]);
    for (let step = this.#take(); step !== undefined; step = this.#take()) await this.#run(step);
    for (const name of ['A', 'B'] as const) await this.#settle(name);
    for (const name of ['A', 'B'] as const) await this.#held[name]?.ask({ type: 'close' });
    const isUntouched =
      damaged !== undefined && (await this.#contents()).get(damaged.name)?.toString() === damaged.text;
    const reader = (this.#held.reader = this.#processes.living(this.#held.reader));
    const seen = await reader.ask({ type: 'look', store: store.name, folder: this.#folder });
    for (const process of [this.#held.A, this.#held.B, reader]) {
      this.#wrong.push(...(process?.broken ?? []).map((error) => `Nothing may throw here: ${error}`));
    }
    if (seen.type !== 'seen') return this.#wrong;
    this.#story.push(`seen later: ${JSON.stringify(seen.seen)}`);
    // A report about a file that was there beforehand is right if no window lived long enough to replace the file.
    const isTrue = (report: string): boolean => isUntouched && report.includes(damaged.name);
    this.#wrong.push(
      ...seen.reports.filter((report) => !isTrue(report)).map((report) => `A later window reports trouble: ${report}`),
    );
    const contents = await this.#contents();
    this.#story.push(`files: ${[...contents].map(([name, bytes]) => `${name} (${bytes.length})`).join(', ')}`);
    this.#wrong.push(...store.check(this.#done, seen.seen, contents), ...this.#checkFiles(contents));
    return this.#wrong;
  }

  /** Nothing more is written, unless a store decides that by itself. */
  async #contents(): Promise<FolderContents> {
    const entries = await readdir(this.#folder, { recursive: true, withFileTypes: true });
    const contents = new Map<string, Buffer>();
    for (const entry of entries) {
      if (!entry.isFile()) continue;
      const path = join(entry.parentPath, entry.name);
      const name = path.slice(this.#folder.length + 1);
      try {
        contents.set(name, await readFile(path));
      } catch (error) {
        this.#wrong.push(`${name} was still being written once its window was closed: ${String(error)}`);
      }
    }
    return contents;
  }

  /** What happened, in order. */
  story(): readonly string[] {
    return this.#story;
  }

  #take(): Step | undefined {
    const step = this.#schedule.steps[this.#next];
    this.#next += 1;
    return step;
  }

  async #open(name: WindowName, plan: FaultPlan): Promise<void> {
    const { seed, store } = this.#schedule;
    const window = (this.#held[name] = this.#processes.living(this.#held[name]));
    this.#openings[name] += 1;
    const writer = `${name}${this.#openings[name]}-${seed}`;
    window.onPause = () => window.resume(false);
    await window.ask({ type: 'open', store: store.name, folder: this.#folder, writer, plan, seed });
  }

  /** Runs a step together with the steps that the other window takes at the same time or while this one is paused. */
  async #run(step: Step): Promise<void> {
    const window = this.#held[step.window];
    if (window === undefined || window.isKilled) return;
    const others: Promise<void>[] = [];
    this.#busy.add(step.window);
    const isNextOfOther = (): boolean => {
      const next = this.#schedule.steps[this.#next];
      return next !== undefined && !this.#busy.has(next.window);
    };
    window.onPause = () => {
      const other = isNextOfOther() && others.length === 0 ? this.#take() : undefined;
      const work = other === undefined ? Promise.resolve() : this.#run(other);
      others.push(work);
      let isAlone = false;
      const timer = setTimeout(() => window.resume(isAlone), STANDSTILL_MS);
      void work.finally(() => {
        clearTimeout(timer);
        isAlone = this.#busy.size === 1;
        window.resume(isAlone);
      });
    };
    const isWithOther = isNextOfOther() && this.#schedule.steps[this.#next]?.isAtOnce === true;
    const own = this.#do(step, window, this.#busy.size === 1 && !isWithOther);
    if (isWithOther) {
      const other = this.#take();
      if (other !== undefined) others.push(this.#run(other));
    }
    await own;
    // Pauses during later retries are short, because no step of the other window belongs to them.
    window.onPause = () => window.resume(false);
    await Promise.all(others);
    this.#busy.delete(step.window);
    if (window.isKilled && this.#schedule.reopens) await this.#open(step.window, noFaults);
  }

  async #do({ window: name, op }: Step, window: WindowProcess, isAlone: boolean): Promise<void> {
    const opening = this.#openings[name];
    const began = (this.#moment += 1);
    const answer = await window.ask({ type: 'run', op, isAlone });
    const ended = (this.#moment += 1);
    const outcome: Outcome = answer.type === 'ran' ? answer.outcome : 'killed';
    const value = answer.type === 'ran' && 'value' in answer ? { value: answer.value } : {};
    if (outcome === 'silent') this.#wrong.push(`Nobody was told that ${JSON.stringify(op)} is not saved`);
    this.#story.push(
      `${name}${opening} [${began}–${ended}] ${JSON.stringify(op)}: ${outcome} ${JSON.stringify(value)}`,
    );
    this.#done.push({ window: name, opening, op, outcome, ...value, began, ended, isSettled: false });
  }

  async #settle(name: WindowName): Promise<void> {
    const window = this.#held[name];
    if (window === undefined || window.isKilled) return;
    const answer = await window.ask({ type: 'settle' });
    if (answer.type !== 'settled') return;
    if (!answer.isSaved) this.#wrong.push(`Window ${name} has something left to save after the faults have cleared`);
    this.#story.push(
      `${name} was told: ${answer.reports.join(' | ')}`,
      `calls of ${name}:`,
      ...answer.trace.map((line) => `    ${line}`),
    );
    for (const each of this.#done) {
      if (each.window === name && each.opening === this.#openings[name]) each.isSettled = true;
    }
  }

  #checkFiles(contents: FolderContents): readonly string[] {
    const { store, damaged } = this.#schedule;
    const wrong: string[] = [];
    const isKilled = (['A', 'B'] as const).some(
      (name) => this.#openings[name] > 1 || this.#held[name]?.isKilled === true,
    );
    const isKept = damaged === undefined || [...contents.values()].some((bytes) => bytes.toString() === damaged.text);
    if (!isKept) wrong.push('The damaged file that was there before is lost');
    for (const [name, bytes] of contents) {
      if (damaged !== undefined && bytes.toString() === damaged.text) continue;
      // A lock contains only its owner's mark; the next writer removes a dead owner's.
      if (isKilled && /\.lock(\.[0-9a-f]{12})*$/.test(name)) continue;
      if (!store.files.test(name) && store.isExpected?.(name, this.#done) !== true)
        wrong.push(`${name} was left behind`);
      else if (name.endsWith('.json') && !isJson(bytes)) wrong.push(`${name} is damaged`);
    }
    return wrong;
  }
}

function isJson(bytes: Buffer): boolean {
  try {
    JSON.parse(bytes.toString());
    return true;
  } catch {
    return false;
  }
}
