/** Below these, a speed is noise. */
const LEAST_TOKENS = 20;
const LEAST_SECONDS = 1;
/** Closer than that is a tie. */
const TIE = 1.01;

/** One of the race, as far as it has come. */
export interface Runner {
  readonly id: string;
  readonly tokensPerSecond?: number;
  readonly tokens?: number;
  readonly totalSeconds: number;
  readonly isRunning: boolean;
  readonly isFailed: boolean;
}

export interface Standing {
  readonly isFastest: boolean;
  /** How many times the fastest writes as many tokens in the same time; 1 for the fastest. */
  readonly ratio: number;
}

/**
 * Compares speeds, which is fair to replies of different length. Those that are too short to tell, or failed, have no
 * standing; a tie has no fastest; and one alone is nothing to compare.
 */
export function standings(runners: readonly Runner[]): ReadonlyMap<string, Standing> {
  const known = runners.flatMap((runner) => {
    const { id, tokensPerSecond: rate } = runner;
    return rate !== undefined && rate > 0 && hasStanding(runner) ? [{ id, rate }] : [];
  });
  if (known.length < 2) return new Map();
  const [best = 0, second = 0] = known.map(({ rate }) => rate).toSorted((a, b) => b - a);
  const isTie = best < second * TIE;
  return new Map(
    known.map(({ id, rate }) => [id, { isFastest: rate === best && !isTie, ratio: best / rate }] as const),
  );
}

function hasStanding({ tokens = 0, totalSeconds, isRunning, isFailed }: Runner): boolean {
  return !isFailed && tokens >= LEAST_TOKENS && (!isRunning || totalSeconds >= LEAST_SECONDS);
}
