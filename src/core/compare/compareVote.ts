import * as v from 'valibot';
import type { Duel } from '../experiments/modelRanking.ts';

const text = v.pipe(v.string(), v.maxLength(300));

const voteSchema = v.object({
  type: v.literal('voted'),
  version: v.literal(1),
  comparison: text,
  turn: text,
  /** The beginning of the question. */
  prompt: text,
  /** The models of all replies in the vote, each once. */
  models: v.pipe(v.array(text), v.minLength(2), v.maxLength(6)),
  /** The model whose reply is better than all others, or the verdict on all of them. */
  choice: v.variant('kind', [
    v.object({ kind: v.literal('model'), model: text }),
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
  try {
    const parsed = v.safeParse(voteSchema, JSON.parse(line));
    return parsed.success ? parsed.output : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Votes as duels of two: the winner beats each other model, a tie is a draw between all, and a vote for none says
 * nothing about which is better. Of several votes on the same question the last one counts.
 */
export function duelsOf(votes: readonly CompareVote[]): readonly Duel[] {
  const last = new Map(votes.toSorted((a, b) => a.at - b.at).map((vote) => [`${vote.comparison} ${vote.turn}`, vote]));
  return [...last.values()].flatMap(({ models, choice }): readonly Duel[] => {
    if (choice.kind === 'none') return [];
    if (choice.kind === 'equal') {
      return models.flatMap((a, index) => models.slice(index + 1).map((b) => ({ a, b, winner: 'equal' }) as const));
    }
    const { model } = choice;
    return models.flatMap((b) => (b === model ? [] : [{ a: model, b, winner: 'a' } as const]));
  });
}
