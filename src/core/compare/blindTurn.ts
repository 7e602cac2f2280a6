import type { ComparedColumn, ComparedReply, ComparedTurn, Comparison } from './comparison.ts';
import type { CompareVote } from './compareVote.ts';

/**
 * A user's verdict on the replies to a blind question: the column whose reply is better, or a verdict on all of them.
 */
export type BlindChoice = { readonly columnId: string } | 'equal' | 'none';

/** `writing`: nothing is shown before all replies are complete, or their speed would reveal the models. */
export type BlindStage = 'off' | 'writing' | 'voting';

/**
 * Whether the last question hides which model answers it. @param votedTurns IDs of those that were voted on, or given
 * up
 */
export function blindStage(comparison: Comparison, votedTurns: ReadonlySet<string>): BlindStage {
  const turn = comparison.turns.at(-1);
  if (turn === undefined || !turn.isBlind || votedTurns.has(turn.id)) return 'off';
  const replies = repliesTo(turn, comparison);
  if (replies.length === 0 || replies.some(({ state }) => state === 'running' || state === 'queued')) return 'writing';
  // A failure names its model, and leaves nothing to vote on.
  return choices(replies).length < 2 ? 'off' : 'voting';
}

/** In an order that reveals nothing, and stays the same each time it's drawn. */
export function blindOrder(columns: readonly ComparedColumn[], turnId: string): readonly ComparedColumn[] {
  return columns.toSorted((a, b) => mixed(a.id + turnId) - mixed(b.id + turnId) || (a.id < b.id ? -1 : 1));
}

/** Undefined if there's nothing to vote on. */
export function blindVote(
  comparison: Comparison,
  choice: BlindChoice,
): Pick<CompareVote, 'comparison' | 'turn' | 'prompt' | 'models' | 'choice'> | undefined {
  const turn = comparison.turns.at(-1);
  if (turn === undefined) return undefined;
  const shown = choices(repliesTo(turn, comparison));
  const models = [...new Set(shown.map(({ model }) => model))];
  const facts = { comparison: comparison.id, turn: turn.id, prompt: turn.text.slice(0, 200), models };
  if (models.length < 2) return undefined;
  if (typeof choice === 'string') return { ...facts, choice: { kind: choice } };
  const model = shown.find(({ columnId }) => columnId === choice.columnId)?.model;
  return model === undefined ? undefined : { ...facts, choice: { kind: 'model', model } };
}

function repliesTo({ id }: ComparedTurn, { replies }: Comparison): readonly ComparedReply[] {
  return replies.filter(({ turnId }) => turnId === id);
}

function choices(replies: readonly ComparedReply[]): readonly ComparedReply[] {
  return replies.filter(({ text, state }) => text !== '' && state !== 'failed');
}

/** A pseudorandom number: FNV-1a, followed by MurmurHash3's mixer, without which the last letter would decide. */
function mixed(text: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}
