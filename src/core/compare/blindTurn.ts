import {
  type ComparedColumn,
  type ComparedReply,
  type ComparedTurn,
  type Comparison,
  isUnderWay,
} from './comparison.ts';
import type { CompareVote } from './compareVote.ts';

/**
 * A user's verdict on the replies to a blind question: the column whose reply is better, or a verdict on all of them.
 */
export type BlindChoice = { readonly columnId: string } | 'equal' | 'none';

/** The last vote. */
export interface VoteGiven {
  readonly turnId: string;
  readonly choice: BlindChoice;
  /** Position on screen of the column that was voted for, if it's still known. */
  readonly place?: number;
}

/** `writing`: nothing is shown before all replies are complete, or their speed would reveal the models. */
export type BlindStage = 'off' | 'writing' | 'voting';

/**
 * Whether the last question hides which model answers it.
 * @param votedTurns IDs of those that were voted on, or given up
 */
export function blindStage(comparison: Comparison, votedTurns: ReadonlySet<string>): BlindStage {
  const turn = comparison.turns.at(-1);
  if (turn === undefined || !turn.isBlind || votedTurns.has(turn.id)) return 'off';
  const replies = repliesTo(turn, comparison);
  if (replies.length === 0 || replies.some(isUnderWay)) return 'writing';
  // A failure names its model, and leaves nothing to vote on.
  return choices(replies).length < 2 ? 'off' : 'voting';
}

/**
 * In an order that reveals nothing, and stays the same each time it's drawn.
 * @param before IDs of columns in the order in which they were drawn before; those added since follow them
 */
export function blindOrder(
  columns: readonly ComparedColumn[],
  turnId: string,
  before: readonly string[] = [],
): readonly ComparedColumn[] {
  const drawn = before.flatMap((id) => columns.find((column) => column.id === id) ?? []);
  const added = columns.filter(({ id }) => !before.includes(id));
  const order = (id: string) => mixed(id + turnId);
  return [...drawn, ...added.toSorted((a, b) => order(a.id) - order(b.id) || (a.id < b.id ? -1 : 1))];
}

/** In characters. */
const LONGEST_PROMPT = 200;

/** Whether a user can vote for it: a failure leaves nothing to choose, even if it began well. */
export function canWin({ text, state }: Pick<ComparedReply, 'text' | 'state'>): boolean {
  return text !== '' && state !== 'failed';
}

/** Undefined if there's nothing to vote on, or nothing that counts in a ranking of models. */
export function blindVote(
  comparison: Comparison,
  choice: BlindChoice,
): Pick<CompareVote, 'comparison' | 'turn' | 'prompt' | 'models' | 'choice'> | undefined {
  const turn = comparison.turns.at(-1);
  if (turn === undefined) return undefined;
  const shown = choices(repliesTo(turn, comparison));
  const models = [...new Set(shown.map(({ model }) => model))];
  const facts = { comparison: comparison.id, turn: turn.id, prompt: promptOfVote(turn.text), models };
  if (models.length < 2) return undefined;
  if (typeof choice === 'string') return { ...facts, choice: { kind: choice } };
  const model = shown.find(({ columnId }) => columnId === choice.columnId)?.model;
  return model === undefined ? undefined : { ...facts, choice: { kind: 'model', model } };
}

/** A vote between parameters of one model reveals which reply has which, and says nothing about models. */
export function isOfOneModel(comparison: Comparison): boolean {
  const turn = comparison.turns.at(-1);
  const models = turn === undefined ? [] : choices(repliesTo(turn, comparison)).map(({ model }) => model);
  return new Set(models).size === 1;
}

function repliesTo({ id }: ComparedTurn, { replies }: Comparison): readonly ComparedReply[] {
  return replies.filter(({ turnId }) => turnId === id);
}

function choices(replies: readonly ComparedReply[]): readonly ComparedReply[] {
  return replies.filter(canWin);
}

/**
 * The beginning of a question, by which votes are counted. Long ones that begin alike, such as a template with another
 * text in it, differ in what follows.
 */
function promptOfVote(text: string): string {
  if (text.length <= LONGEST_PROMPT) return text;
  return `${text.slice(0, LONGEST_PROMPT)}… (${mixed(text).toString(36)})`;
}

/** A pseudorandom number: FNV-1a, followed by MurmurHash3's mixer, without which the last letter would decide. */
function mixed(text: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}
