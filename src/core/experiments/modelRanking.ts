import type { ModelRef } from '../../shared/modelRef.ts';
import { bootstrap, type Interval, overlap } from './distribution.ts';

/**
 * Votes between two models that say enough about their strength. A vote between more of them says less about each: the
 * one that won is better than the others, which are only worse than that.
 */
const LEAST_VOTES = 10;
const ROUNDS = 500;
const CLOSE = 1e-7;
/** Precise enough for one of a thousand samples. */
const CLOSE_ENOUGH = 1e-4;
/**
 * Draws of each model against an imaginary average one. Without them, a model that never lost would be infinitely
 * strong.
 */
const DRAWS_BEFOREHAND = 1;

/** A preference between two replies to the same prompt. Votes for neither aren't duels. */
export interface Duel {
  readonly a: string;
  readonly b: string;
  readonly winner: 'a' | 'b' | 'equal';
}

export interface RankedModel {
  readonly model: ModelRef;
  readonly duels: number;
  /** A draw counts as half. */
  readonly wins: number;
  /** Expected share of wins against an average opponent among these models, by the Bradley–Terry model. */
  readonly share: number;
  /** Of 95% between two models, and more among others: 97.5% among three, 99% among six. */
  readonly interval: Interval;
  /** The best and worst rank that its interval allows, from 1; absent without enough votes. */
  readonly rank?: readonly [best: number, worst: number];
}

/**
 * Models by how often they're preferred, best first. Only models connected by a chain of duels can be compared, so each
 * such group is a separate ranking, largest group first.
 * @param votes the duels of each vote. Those of one vote depend on each other, so that it counts as one observation: a
 * model that wins a vote on six has won five duels, but only once
 */
export function modelRanking(votes: readonly (readonly Duel[])[]): readonly (readonly RankedModel[])[] {
  return groupsOf(votes.flat()).map((models) =>
    ranked(
      votes.filter(([duel]) => duel !== undefined && models.includes(duel.a)),
      models,
    ),
  );
}

function ranked(votes: readonly (readonly Duel[])[], models: readonly string[]): readonly RankedModel[] {
  const duels = votes.flat();
  const strengths = bradleyTerry(duels, models, DRAWS_BEFOREHAND);
  const shares = sharesOf(strengths);
  const drawable = [...votes, ...oneWinEach(duels)];
  const voteOf = drawable.flatMap((own, vote) => own.map(() => vote));
  const duelsDrawable = drawable.flat();
  const duelsDrawn = new Uint32Array(duelsDrawable.length);
  const intervals = bootstrap(
    drawable.length,
    (votesDrawn) => {
      for (const [duel, vote] of voteOf.entries()) duelsDrawn[duel] = votesDrawn[vote] ?? 0;
      return sharesOf(bradleyTerry(duelsDrawable, models, DRAWS_BEFOREHAND, { times: duelsDrawn, from: strengths }));
      // With more models, it's likelier that one of their intervals is off by chance.
    },
    1 - 0.05 / Math.max(1, models.length - 1),
  );
  const rows = models.map((model, index) => {
    const isOwn = ({ a, b }: Duel) => a === model || b === model;
    const own = duels.filter(isOwn);
    const wins = own.reduce((sum, duel) => sum + winsIn(duel, model), 0);
    const share = shares[index] ?? 0.5;
    const { low, high } = intervals[index] ?? { low: share, high: share };
    // The wins that are only drawn can move the interval a bit toward the middle.
    const interval = { low: Math.min(low, share), high: Math.max(high, share) };
    const ownVotes = votes.filter((vote) => vote.some(isOwn));
    const counted = ownVotes.reduce((sum, vote) => sum + 1 / (new Set(vote.flatMap(({ a, b }) => [a, b])).size - 1), 0);
    // Sums of fractions have rounding errors in their last digits.
    const isKnown = counted >= LEAST_VOTES - 1e-9;
    return { isKnown, row: { model, duels: own.length, wins, share, interval } };
  });
  const known = rows.flatMap(({ isKnown, row }) => (isKnown ? [row] : []));
  // If all intervals overlap, no difference is significant.
  const tells = known.some((row) => known.some((other) => !overlap(row.interval, other.interval)));
  return rows
    .map(({ isKnown, row }) => {
      if (!tells || !isKnown) return row;
      const better = known.filter(({ interval }) => interval.low > row.interval.high).length;
      const worse = known.filter(({ interval }) => interval.high < row.interval.low).length;
      return { ...row, rank: [better + 1, known.length - worse] as const };
    })
    .toSorted((x, y) => y.share - x.share || (x.model < y.model ? -1 : 1));
}

/**
 * A win for each side of every pair that met, which is drawn with the votes. Otherwise all samples of unanimous votes
 * would be the same, and a single vote would leave no doubt.
 */
function oneWinEach(duels: readonly Duel[]): readonly (readonly Duel[])[] {
  const pairs = new Map(duels.map(({ a, b }) => [JSON.stringify([a, b].toSorted()), { a, b }]));
  return [...pairs.values()].flatMap((pair) => [[{ ...pair, winner: 'a' }], [{ ...pair, winner: 'b' }]] as const);
}

function sharesOf(strengths: readonly number[]): readonly number[] {
  return strengths.map((own, index) => {
    const others = strengths.filter((_, other) => other !== index);
    return others.reduce((sum, other) => sum + own / (own + other), 0) / Math.max(1, others.length);
  });
}

/**
 * The strength of each model: `a` beats `b` with the probability a / (a + b). Calculated with Hunter's
 * minorization–maximization (Annals of Statistics 32, 2004).
 * @param draws number of draws of each model against an imaginary model of strength 1
 * @param sample how often each duel counts, and strengths that are already close
 */
export function bradleyTerry(
  duels: readonly Duel[],
  models: readonly string[],
  draws: number,
  sample?: { readonly times: Uint32Array; readonly from: readonly number[] },
): readonly number[] {
  const count = models.length;
  const place = new Map(models.map((model, index) => [model, index]));
  const wins = models.map(() => draws / 2);
  const met = models.map(() => new Float64Array(count));
  for (const [index, duel] of duels.entries()) {
    const weight = sample?.times[index] ?? 1;
    const a = place.get(duel.a);
    const b = place.get(duel.b);
    if (a === undefined || b === undefined) continue;
    wins[a]! += weight * winsIn(duel, duel.a);
    wins[b]! += weight * winsIn(duel, duel.b);
    met[a]![b]! += weight;
    met[b]![a]! += weight;
  }
  const strengths = Float64Array.from(sample?.from ?? models.map(() => 1));
  const closeEnough = sample === undefined ? CLOSE : CLOSE_ENOUGH;
  // Plain loops, because a ranking takes a thousand samples of this.
  for (let round = 0, change = Infinity; round < ROUNDS && change > closeEnough; round += 1) {
    change = 0;
    for (let index = 0; index < count; index += 1) {
      const own = strengths[index]!;
      let sum = draws / (own + 1);
      for (let other = 0; other < count; other += 1) sum += met[index]![other]! / (own + strengths[other]!);
      const next = sum === 0 ? own : wins[index]! / sum;
      change = Math.max(change, Math.abs(next / own - 1));
      strengths[index] = next;
    }
  }
  return [...strengths];
}

function winsIn({ a, b, winner }: Duel, model: ModelRef): number {
  if (winner === 'equal') return 0.5;
  return (winner === 'a' ? a : b) === model ? 1 : 0;
}

/** The groups of models connected by duels, largest first. */
function groupsOf(duels: readonly Duel[]): readonly (readonly string[])[] {
  const groupOf = new Map<string, Set<string>>();
  for (const { a, b } of duels) {
    const group = groupOf.get(a) ?? new Set([a]);
    for (const model of groupOf.get(b) ?? [b]) group.add(model);
    for (const model of group) groupOf.set(model, group);
  }
  return [...new Set(groupOf.values())].map((group) => [...group]).toSorted((x, y) => y.length - x.length);
}
