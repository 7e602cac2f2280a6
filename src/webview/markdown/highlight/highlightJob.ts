import type { StyledLine } from './highlightProtocol.ts';

/** So many lines go to the worker at once: the first ones are seen while the rest is being colored. */
const BATCH_LINES = 50;
/** A line of this length or more goes alone: long lines are the ones that patterns get stuck in. */
const LONG_LINE = 200;
/** Code in which the worker got stuck so often stays plain from there on. */
const STUCK_LIMIT = 3;

/** One piece of code on its way through the worker: its lines, and how far they have come. */
export class HighlightJob {
  readonly grammar: string;
  /** All lines; those that a worker got stuck in are empty. */
  readonly #lines: string[] = [];
  /** Lines that the worker of this generation has got. */
  #given = 0;
  #generation = 0;
  /** Lines in the batch that the worker has now. */
  #batch = 0;
  /** Lines that have an answer; a later worker gets them again, for what it needs to know of them. */
  #settled = 0;
  readonly #styled: StyledLine[] = [];
  #stuckCount = 0;

  constructor(grammar: string) {
    this.grammar = grammar;
  }

  add(lines: readonly string[]): void {
    for (const line of lines) this.#lines.push(line);
  }

  /** The next line in its colors, if it has been settled. */
  take(): StyledLine | undefined {
    return this.#styled.shift();
  }

  /** What the worker is to color next; nothing where all lines are settled. */
  nextBatch(generation: number): readonly string[] {
    if (this.#stuckCount >= STUCK_LIMIT) this.#leavePlain(this.#lines.length);
    if (this.#settled === this.#lines.length) return [];
    if (generation !== this.#generation) this.#given = 0;
    this.#generation = generation;
    // After it got stuck once in lines that are not long, each goes alone too.
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

  /** The worker did not come back from the batch: its line stays plain, once it is known which one it was. */
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
