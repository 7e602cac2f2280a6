/** Below these, a speed is noise. */
const LEAST_TOKENS = 20;
const LEAST_SECONDS = 1;
/** A smaller difference is a tie. */
const TIE = 1.01;

/** A participant's progress in the race. */
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
  /** How many times faster the fastest writes the same number of tokens; 1 for the fastest. */
  readonly ratio: number;
}

/**
 * Compares speeds, which is fair to replies of different lengths. Replies that are too short or that failed have no
 * standing. A tie has no fastest, and a single one has nothing to compare with.
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
