/** One figure of the benchmark, as `--json` writes it. */
export interface Figure {
  readonly name: string;
  readonly value: number;
  readonly unit: string;
  /** The goal, in words. */
  readonly goal?: string;
  readonly met?: boolean;
  /** Half the interquartile range, as a share of the median; absent for a single measurement. */
  readonly spread?: number;
}

/** Figures that are measured together: their candidates take turns. */
export interface RowSet {
  /** The name for `--only`. */
  readonly name: string;
  /** The heading of its table. */
  readonly title: string;
  /** How it's measured, in a few sentences. */
  readonly method: string;
  run(bench: BenchRun): Promise<readonly Figure[]>;
}

export interface BenchRun {
  /** At least 5, unless the user asked for fewer. */
  readonly rounds: number;
  /** Duration of the long run. */
  readonly minutes: number;
  /** A line of progress. */
  readonly say: (line: string) => void;
}

/** The median of `values` as a figure, with their spread. */
export function figure(name: string, values: readonly number[], unit: string, atMost?: number): Figure {
  const exact = median(values);
  const value = rounded(exact);
  return {
    name,
    value,
    unit,
    ...(atMost !== undefined && { goal: `≤ ${atMost}`, met: exact <= atMost }),
    // A share of zero isn't a number.
    ...(values.length > 1 && exact !== 0 && { spread: rounded(spreadOf(values)) }),
  };
}

export function median(values: readonly number[]): number {
  return quantile(values, 0.5);
}

/**
 * Divides each value of a candidate by the reference's value from the same round, because a disturbance affects the
 * whole round.
 */
export function ratios(values: readonly number[], reference: readonly number[]): number[] {
  return values.map((value, round) => value / (reference[round] ?? Number.NaN));
}

/** Runs every candidate once per round, in a rotating order, so that none always follows the same one. */
export async function takeTurns<K extends string>(
  names: readonly K[],
  rounds: number,
  measure: (name: K, round: number) => Promise<number>,
): Promise<Record<K, number[]>> {
  const values = Object.fromEntries(names.map((name) => [name, []])) as unknown as Record<K, number[]>;
  for (let round = 0; round < rounds; round += 1) {
    const first = round % names.length;
    for (const name of [...names.slice(first), ...names.slice(0, first)]) {
      values[name].push(await measure(name, round));
    }
  }
  return values;
}

function spreadOf(values: readonly number[]): number {
  return (quantile(values, 0.75) - quantile(values, 0.25)) / 2 / median(values);
}

function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  const at = (sorted.length - 1) * share;
  const low = sorted[Math.floor(at)] ?? Number.NaN;
  const high = sorted[Math.ceil(at)] ?? Number.NaN;
  return low + (high - low) * (at - Math.floor(at));
}

/** Three significant digits. */
function rounded(value: number): number {
  return Number(value.toPrecision(3));
}
