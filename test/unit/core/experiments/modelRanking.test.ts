import assert from 'node:assert/strict';
import { uniformInt } from 'pure-rand/distribution/uniformInt';
import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus';
import { bradleyTerry, type Duel, modelRanking } from '../../../../src/core/experiments/modelRanking.ts';

/** Games of the American League East in 1987: wins of the row against the column (Agresti, Categorical Data Analysis). */
const teams = ['Milwaukee', 'Detroit', 'Toronto', 'New York', 'Boston', 'Cleveland', 'Baltimore'];
const wins = [
  [0, 7, 9, 7, 7, 9, 11],
  [6, 0, 7, 5, 11, 9, 9],
  [4, 6, 0, 7, 7, 8, 12],
  [6, 8, 6, 0, 6, 7, 10],
  [6, 2, 6, 7, 0, 7, 12],
  [4, 4, 5, 6, 6, 0, 6],
  [2, 4, 1, 3, 1, 7, 0],
];

function duels(a: string, b: string, won: number, lost: number, equal = 0): readonly Duel[] {
  const times = (count: number, winner: Duel['winner']) =>
    Array.from({ length: count }, (): Duel => ({ a, b, winner }));
  return [...times(won, 'a'), ...times(lost, 'b'), ...times(equal, 'equal')];
}

const season = teams.flatMap((a, row) => teams.flatMap((b, column) => duels(a, b, wins[row]?.[column] ?? 0, 0)));

/** Each from a vote on two replies. */
const rankingOf = (each: readonly Duel[]) => modelRanking(each.map((duel) => [duel]));

/** Votes on the replies of all models. */
function votesOn(models: readonly string[], winners: readonly string[]): readonly (readonly Duel[])[] {
  return winners.map((a) => models.flatMap((b) => (b === a ? [] : [{ a, b, winner: 'a' } as const])));
}

describe('The ranking of models', () => {
  it('has the strengths that the textbook has for a season of baseball', () => {
    const strengths = bradleyTerry(season, teams, 0);
    const worst = strengths.at(-1) ?? 1;
    const logs = strengths.map((strength) => Math.round(Math.log(strength / worst) * 100) / 100);
    assert.deepEqual(logs, [1.58, 1.44, 1.29, 1.25, 1.11, 0.68, 0]);
  });

  it('shares a rank between those whose intervals overlap', () => {
    const [ranking = []] = rankingOf(season);
    assert.deepEqual([ranking[0]?.model, ranking.at(-1)?.model], ['Milwaukee', 'Baltimore']);
    const rankOf = (name: string) => ranking.find(({ model }) => model === name)?.rank ?? assert.fail();
    assert.deepEqual(rankOf('Baltimore'), [5, 7]);
    assert.deepEqual(rankOf('Cleveland')[1], 7);
    assert.equal(rankOf('Milwaukee')[0], 1);
    assert.ok(rankOf('Milwaukee')[1] > 1);
    for (const { share, interval } of ranking) assert.ok(interval.low <= share && share <= interval.high);
  });

  it('has no ranks with fewer than 10 votes, or if the intervals distinguish nothing', () => {
    assert.deepEqual(
      rankingOf(duels('a', 'b', 9, 0))[0]?.map(({ rank, wins: won }) => [rank, won]),
      [
        [undefined, 9],
        [undefined, 0],
      ],
    );
    assert.ok(rankingOf(duels('a', 'b', 11, 10))[0]?.every(({ rank }) => rank === undefined));
    assert.deepEqual(
      rankingOf(duels('a', 'b', 19, 1))[0]?.map(({ rank }) => rank),
      [
        [1, 1],
        [2, 2],
      ],
    );
  });

  it('claims no difference between equal models, however many each vote compares', () => {
    const models = ['a', 'b', 'c', 'd', 'e', 'f'];
    const random = xoroshiro128plus(1);
    let claims = 0;
    for (let round = 0; round < 20; round += 1) {
      const winners = Array.from({ length: 50 }, () => models[uniformInt(random, 0, 5)] ?? '');
      if (modelRanking(votesOn(models, winners))[0]?.some(({ rank }) => rank !== undefined) === true) claims += 1;
    }
    assert.ok(claims <= 2, `${claims} of 20 rankings claim one`);
  });

  it('needs more votes if each compares more models', () => {
    const models = ['a', 'b', 'c'];
    const rankOfBest = (votes: number) =>
      modelRanking(
        votesOn(
          models,
          Array.from({ length: votes }, () => 'a'),
        ),
      )[0]?.[0]?.rank;
    assert.equal(rankOfBest(19), undefined);
    assert.deepEqual(rankOfBest(20), [1, 1]);
  });

  it('gives an undefeated model no infinite lead, and each half a win for a draw', () => {
    const [best, other] = rankingOf(duels('a', 'b', 12, 0))[0] ?? [];
    assert.ok(best !== undefined && best.share > 0.8 && best.share < 1);
    assert.ok(other !== undefined && other.share > 0);
    const [one, two] = rankingOf(duels('a', 'b', 0, 0, 12))[0] ?? [];
    assert.deepEqual([one?.share, two?.share, one?.wins], [0.5, 0.5, 6]);
  });

  it('is never certain, not even after a single vote or unanimous ones', () => {
    for (const each of [duels('a', 'b', 1, 0), duels('a', 'b', 12, 0), duels('a', 'b', 0, 0, 12)]) {
      for (const { share, interval } of rankingOf(each)[0] ?? assert.fail()) {
        assert.ok(interval.high - interval.low > 0.1, JSON.stringify(interval));
        assert.ok(interval.low <= share && share <= interval.high);
      }
    }
    // After one vote, either can be the better one.
    const [first] = rankingOf(duels('a', 'b', 1, 0))[0] ?? [];
    assert.ok(first !== undefined && first.interval.low < 0.5);
  });

  it('has intervals that usually contain the true share, for few votes and a clear winner too', () => {
    const [votes, trueShare] = [12, 0.9];
    let chance = trueShare ** votes;
    let covered = 0;
    // Fewer wins than 6 happen once in 20,000 times.
    for (let won = votes; won >= 6; won -= 1) {
      const { interval } = rankingOf(duels('a', 'b', won, votes - won))[0]?.find(({ model }) => model === 'a') ?? {};
      if (interval !== undefined && interval.low <= trueShare && trueShare <= interval.high) covered += chance;
      chance *= (won * (1 - trueShare)) / ((votes - won + 1) * trueShare);
    }
    assert.ok(covered > 0.9 && covered < 0.999, `${covered}`);
  });

  it('compares only models that a chain of duels connects', () => {
    const ranking = rankingOf([...duels('x', 'y', 20, 0), ...duels('a', 'b', 15, 1), ...duels('b', 'c', 15, 1)]);
    assert.deepEqual(
      ranking.map((group) => group.map(({ model }) => model)),
      [
        ['a', 'b', 'c'],
        ['x', 'y'],
      ],
    );
    assert.deepEqual(modelRanking([]), []);
  });
});
