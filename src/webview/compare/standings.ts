import type { Figure, ReplyMetrics } from '../../shared/chat.ts';

/** Below these, a speed is noise. */
const LEAST_TOKENS = 20;
const LEAST_SECONDS = 1;
/** A smaller difference is a tie. */
const TIE = 1.01;

/** A participant's progress in the race. */
export interface Runner {
  readonly id: string;
  readonly tokensPerSecond?: Figure;
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
 * standing. A tie has no fastest, and a single one has nothing to compare with. Figures of different origins aren't
 * compared: a service's own leave out the network, and an estimate of the tokens can be off by more than the
 * difference.
 */
export function standings(runners: readonly Runner[]): ReadonlyMap<string, Standing> {
  const known = runners.flatMap((runner) => {
    const { tokensPerSecond: rate } = runner;
    return rate !== undefined && rate.value > 0 && hasStanding(runner)
      ? [{ ...runner, rate: rate.value, from: rate.from }]
      : [];
  });
  if (known.length < 2) return new Map();
  // Until a reply is complete, its speed is provisional anyway.
  const origins = new Set(known.flatMap(({ from, isRunning }) => (isRunning ? [] : [from])));
  if (origins.size > 1) return new Map();
  const [best = 0, second = 0] = known.map(({ rate }) => rate).toSorted((a, b) => b - a);
  const isTie = best < second * TIE;
  return new Map(
    known.map(({ id, rate }) => [id, { isFastest: rate === best && !isTie, ratio: best / rate }] as const),
  );
}

function hasStanding({ tokens = 0, totalSeconds, isRunning, isFailed }: Runner): boolean {
  return !isFailed && tokens >= LEAST_TOKENS && (!isRunning || totalSeconds >= LEAST_SECONDS);
}

/** Whether each figure is from the services for all replies that have it, or for none. */
export function haveOneClock(all: readonly ReplyMetrics[]): boolean {
  return (['timeToFirstTokenSeconds', 'tokensPerSecond', 'totalSeconds'] as const).every((name) => {
    const isOwn = all.flatMap(({ [name]: figure }) => (figure === undefined ? [] : [figure.from === 'service']));
    return new Set(isOwn).size < 2;
  });
}
