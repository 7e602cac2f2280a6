import type { StyledLine } from './highlightProtocol.ts';

/** Number of lines sent to the worker at once: the first ones are visible while the rest is being highlighted. */
const BATCH_LINES = 50;
/** Minimum length of a line that is sent alone, because patterns get stuck in long lines. */
const LONG_LINE = 200;
/** After this many lines in which the worker got stuck, the rest of the code stays plain. */
const STUCK_LIMIT = 3;

/** One piece of code on its way through the worker: its lines, and how far they are. */
export class HighlightJob {
  readonly grammar: string;
  /** All lines. Those that a worker got stuck in are empty. */
  readonly #lines: string[] = [];
  /** Number of lines that the worker of this generation has received. */
  #given = 0;
  #generation = 0;
  /** Number of lines in the worker's current batch. */
  #batch = 0;
  /** Number of lines with a result. A new worker gets them again, because it needs their state. */
  #settled = 0;
  readonly #styled: StyledLine[] = [];
  #stuckCount = 0;

  constructor(grammar: string) {
    this.grammar = grammar;
  }

  add(lines: readonly string[]): void {
    for (const line of lines) this.#lines.push(line);
  }

  /** The next line in its colors, if it's finished. */
  take(): StyledLine | undefined {
    return this.#styled.shift();
  }

  /** The worker's next batch; undefined if all lines are finished. */
  nextBatch(generation: number): readonly string[] {
    if (this.#stuckCount >= STUCK_LIMIT) this.#leavePlain(this.#lines.length);
    if (this.#settled === this.#lines.length) return [];
    if (generation !== this.#generation) this.#given = 0;
    this.#generation = generation;
    // After it got stuck once in lines that aren't long, each is sent alone too.
    const limit = this.#stuckCount > 0 && this.#given >= this.#settled ? 1 : BATCH_LINES;
    const rest = this.#lines.slice(this.#given, this.#given + limit);
    const long = rest.findIndex((line) => line.length >= LONG_LINE);
    const batch = long === -1 ? rest : rest.slice(0, Math.max(1, long));
    this.#batch = batch.length;
    return batch;
  }

  /** The batch is done. */
  styled(lines: readonly StyledLine[]): void {
    const known = Math.max(0, this.#settled - this.#given);
    const fresh = lines.slice(known);
    this.#given += this.#batch;
    this.#settled += fresh.length;
    this.#styled.push(...fresh);
  }

  /** The worker didn't return from the batch. The line in which it got stuck stays plain, once it's known which one. */
  stuck(): void {
    this.#stuckCount += 1;
    if (this.#batch !== 1 || this.#given < this.#settled) return;
    this.#lines[this.#given] = '';
    this.#leavePlain(this.#given + 1);
  }

  #leavePlain(end: number): void {
    for (; this.#settled < end; this.#settled += 1) this.#styled.push([]);
  }
}
