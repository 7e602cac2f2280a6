import type { ModelInfo } from '../../api/wire/decodeModels.ts';
import { type CompareVote, countedVotes, duelsOf, votesFor } from '../../core/compare/compareVote.ts';
import type { RankedModel } from '../../core/experiments/modelRanking.ts';
import { type MeasuredModels, speedOf } from '../../core/models/measuredModel.ts';
import { speedFacts } from '../../core/models/modelFacts.ts';
import { pricesText } from '../../core/models/priceWords.ts';
import type { CompareRankingView, RankingFilter, RankingRowView } from '../../shared/protocol/compareProtocol.ts';
import { rankText } from '../../words/ranking.ts';

/** More wouldn't make a usable list. */
const mostPrompts = 50;

export interface RankingDeps {
  readonly modelOf: (model: { readonly id: string }) => ModelInfo | undefined;
  readonly measured: Pick<MeasuredModels, 'figures'>;
}

/**
 * The best first. Models that no chain of votes connects can't be compared, so they're listed below without a rank.
 */
export async function modelRankingView(
  all: readonly CompareVote[],
  filter: RankingFilter,
  deps: RankingDeps,
): Promise<CompareRankingView> {
  const { modelRanking } = await import('../../core/experiments/modelRanking.ts');
  const votes = votesFor(all, filter);
  const [largest = [], ...others] = modelRanking(duelsOf(votes));
  const rows = [...largest, ...others.flat().map(({ rank: _rank, ...row }) => row)];
  return {
    votes: votes.length,
    rows: rows.map((row) => rowOf(row, deps)),
    filter,
    tags: countedVotes(all, 'tag'),
    prompts: countedVotes(all, 'prompt').slice(0, mostPrompts),
  };
}

function rowOf({ model, wins, duels, share, interval, rank }: RankedModel, deps: RankingDeps): RankingRowView {
  const facts = [...speedFacts(speedOf(deps.measured.figures(model))), pricesText(deps.modelOf({ id: model }))];
  return {
    model,
    rank: rank === undefined ? '' : rankText(rank),
    wins,
    duels,
    share,
    low: interval.low,
    high: interval.high,
    facts: facts.filter((part) => part !== '').join(' · '),
  };
}
