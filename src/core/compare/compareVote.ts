import * as v from 'valibot';
import { recordIn } from '../recordLine.ts';
import type { CountedVotes, RankingFilter } from '../../shared/protocol/compareProtocol.ts';
import type { Duel } from '../experiments/modelRanking.ts';

const text = v.pipe(v.string(), v.maxLength(300));

const voteSchema = v.object({
  type: v.literal('voted'),
  version: v.literal(1),
  comparison: text,
  turn: text,
  /** The beginning of the question. */
  prompt: text,
  /** The topic, in the user's own words. */
  tag: v.exactOptional(text),
  /** The models of all replies in the vote, each once. */
  models: v.pipe(v.array(v.string()), v.minLength(2), v.maxLength(6)),
  /** The model whose reply is better than all others, or the verdict on all of them. */
  choice: v.variant('kind', [
    v.object({ kind: v.literal('model'), model: v.string() }),
    v.object({ kind: v.literal('equal') }),
    v.object({ kind: v.literal('none') }),
  ]),
  writer: v.pipe(v.string(), v.maxLength(64)),
  /** Unix time in milliseconds. */
  at: v.number(),
});

/** A user's preference without knowing the models. Never leaves the machine. */
export type CompareVote = v.InferOutput<typeof voteSchema>;

/** Undefined for a line that is incomplete, damaged, or from an unknown version. */
export function decodeVote(line: string): CompareVote | undefined {
  return recordIn(line, voteSchema);
}

/** The votes that count. */
export function votesFor(votes: readonly CompareVote[], { tag, prompt }: RankingFilter): readonly CompareVote[] {
  return lastVotes(votes).filter(
    (vote) => (tag === undefined || vote.tag === tag) && (prompt === undefined || vote.prompt === prompt),
  );
}

/** Tags or prompts with their numbers of votes, highest first. */
export function countedVotes(votes: readonly CompareVote[], of: 'tag' | 'prompt'): readonly CountedVotes[] {
  const counts = new Map<string, number>();
  for (const { [of]: name = '' } of lastVotes(votes)) counts.set(name, (counts.get(name) ?? 0) + 1);
  counts.delete('');
  return [...counts].map(([name, count]) => ({ name, votes: count })).toSorted((a, b) => b.votes - a.votes);
}

/** Of several votes on one question, the last one counts. */
function lastVotes(votes: readonly CompareVote[]): readonly CompareVote[] {
  const inOrder = votes.toSorted((a, b) => a.at - b.at);
  return [...new Map(inOrder.map((vote) => [`${vote.comparison} ${vote.turn}`, vote])).values()];
}

/**
 * Each vote as duels of two: the winner beats each other model, a tie is a draw between all, and a vote for none says
 * nothing about which is better.
 */
export function duelsOf(votes: readonly CompareVote[]): readonly (readonly Duel[])[] {
  return lastVotes(votes).flatMap(({ models, choice }): readonly (readonly Duel[])[] => {
    if (choice.kind === 'none') return [];
    if (choice.kind === 'equal') {
      return [models.flatMap((a, index) => models.slice(index + 1).map((b) => ({ a, b, winner: 'equal' }) as const))];
    }
    const { model } = choice;
    return [models.flatMap((b) => (b === model ? [] : [{ a: model, b, winner: 'a' } as const]))];
  });
}
