import {
  type BlindChoice,
  blindOrder,
  canWin,
  type BlindStage,
  blindStage,
  blindVote,
  isOfOneModel,
  type VoteGiven,
} from '../../core/compare/blindTurn.ts';
import type { ComparedColumn, ComparedReply, ComparedTurn, Comparison } from '../../core/compare/comparison.ts';
import type { CompareVote } from '../../core/compare/compareVote.ts';
import type { NewVote } from '../models/voteStore.ts';
import type {
  CompareColumnView,
  CompareReplyView,
  ReplyAct,
  ToCompareHost,
} from '../../shared/protocol/compareProtocol.ts';
import type { WithheldRequests } from '../requests/log/withheldRequests.ts';
import type { CompareViews } from './compareViews.ts';

const tellsModel: readonly ReplyAct[] = ['apply', 'compareText', 'continueInChat'];

/** The requests of blind questions, in all windows. */
export type BlindRequests = Pick<WithheldRequests, 'leave' | 'release' | 'hasQuestion'>;

/** What a page may show and do about a comparison: while a question is blind, nothing that reveals a model. */
export class BlindVoting {
  readonly #comparison: Comparison;
  readonly #views: CompareViews;
  /** Turns that were voted on, or whose models were revealed without a vote. */
  readonly #voted = new Set<string>();
  readonly #requests: BlindRequests;
  #stage: BlindStage = 'off';
  /** ID of the question whose models aren't shown. */
  #hidden: string | undefined;
  #tag = '';
  #given: VoteGiven | undefined;
  /** IDs of the columns of a blind question as they're drawn: letters stay the same when a model is added. */
  #drawn: { readonly turnId: string; readonly columnIds: readonly string[] } | undefined;

  /**
   * @param unvoted the turn that the user was about to vote on when its tab was last shown, or is in another window
   */
  constructor(comparison: Comparison, views: CompareViews, requests: BlindRequests, unvoted?: string) {
    this.#comparison = comparison;
    this.#views = views;
    this.#requests = requests;
    // Earlier turns, voted on or left without a vote, are shown openly.
    for (const { id } of comparison.turns) if (id !== unvoted) this.#voted.add(id);
  }

  get stage(): BlindStage {
    return this.#stage;
  }

  /** The tag of the last vote; empty for none. */
  get tag(): string {
    return this.#tag;
  }

  /** The last vote, if any. */
  get given(): VoteGiven | undefined {
    return this.#given;
  }

  /** Whether an action on the page would reveal which model wrote a blind reply. */
  refuses(message: ToCompareHost): boolean {
    if (this.#stage === 'off') return false;
    switch (message.type) {
      case 'closeColumn':
      case 'exportComparison':
      // Only the model that was just added could be asked, so its letter would be known.
      case 'askColumn':
        return true;
      // The price of a single column belongs to one model.
      case 'setTo':
        return message.columnId !== undefined;
      case 'compare':
        return message.to !== undefined;
      // The model list shows the column's current one.
      case 'chooseModel':
        return message.columnId !== undefined;
      case 'runAction':
        return message.action === 'useModel' || (message.action === 'selectModel' && message.replyId !== undefined);
      case 'actOnReply':
        return tellsModel.includes(message.act);
      default:
        return false;
    }
  }

  /**
   * After a change of the comparison.
   * @returns whether the page looks different now
   */
  update(): boolean {
    const before = this.#stage;
    this.#stage = blindStage(this.#comparison, this.#voted);
    const turn = this.#comparison.turns.at(-1);
    // Once failures have revealed the models, a retry doesn't hide them again, and there's nothing to vote on.
    if (this.#stage === 'off' && turn !== undefined) this.#voted.add(turn.id);
    this.#hidden = this.#stage === 'off' ? undefined : turn?.id;
    this.#requests.leave(this.#comparison.turns.map(({ id }) => id).filter((id) => id !== this.#hidden));
    return this.#stage !== before;
  }

  /**
   * After a change in another window, where the user might have voted.
   * @returns whether the page looks different now
   */
  updateFromOthers(): boolean {
    if (this.#hidden === undefined || this.#requests.hasQuestion(this.#hidden)) return false;
    this.#voted.add(this.#hidden);
    return this.update();
  }

  /** Whether lists must not show the requests of this question. */
  hides({ id, isBlind }: Pick<ComparedTurn, 'id' | 'isBlind'>): boolean {
    return isBlind && !this.#voted.has(id);
  }

  /** The user has closed its tab without a vote. */
  giveUp(): void {
    this.#requests.leave(this.#comparison.turns.map(({ id }) => id));
  }

  /** What to store for a vote; undefined if there's nothing to vote on, or another question was asked since. */
  voteOn(turnId: string, choice: BlindChoice, tag: string): NewVote | undefined {
    const vote = this.#isVotedOn(turnId) ? blindVote(this.#comparison, choice) : undefined;
    return vote && { ...vote, ...(tag !== '' && { tag }) };
  }

  /** Whether a vote on this question reveals the models although the vote isn't stored. */
  isUncounted(turnId: string): boolean {
    return this.#isVotedOn(turnId) && isOfOneModel(this.#comparison);
  }

  /** The vote is stored. Another question might have been asked since. */
  voted({ turn, tag = '' }: Pick<NewVote, 'turn' | 'tag'>, choice: BlindChoice): void {
    const { turnId, columnIds } = this.#drawn ?? {};
    const place = typeof choice === 'string' || turnId !== turn ? undefined : columnIds?.indexOf(choice.columnId);
    this.#given = { turnId: turn, choice, ...(place !== undefined && { place }) };
    this.#voted.add(turn);
    this.#tag = tag;
    this.#requests.release([turn]);
    this.update();
  }

  /** After a reload: the last question's vote, from the disk. @param votes of all comparisons, oldest first */
  recall(votes: readonly CompareVote[]): void {
    const turn = this.#comparison.turns.at(-1);
    if (this.#given !== undefined || turn === undefined || this.hides(turn)) return;
    const vote = votes.findLast((each) => each.comparison === this.#comparison.id && each.turn === turn.id);
    const choice = vote && this.#choiceOf(vote.choice, turn.id);
    if (choice === undefined) return;
    this.#given = { turnId: turn.id, choice };
    this.#tag = vote?.tag ?? '';
  }

  /** Without names, prices, and their order while a question is blind. */
  columns(columns: readonly ComparedColumn[]): readonly CompareColumnView[] {
    const turn = this.#comparison.turns.at(-1);
    if (this.#stage === 'off' || turn === undefined) return columns.map((column) => this.#views.column(column));
    return this.#order(columns, turn.id).map((column, index) => this.#views.blindColumn(column, index));
  }

  reply(reply: ComparedReply): CompareReplyView {
    const turn = this.#comparison.turns.at(-1);
    if (this.#stage === 'off' || turn === undefined) return this.#views.reply(reply);
    const place = this.#order(this.#comparison.columns, turn.id).findIndex(({ id }) => id === reply.columnId);
    return this.#views.blindReply(reply, place, {
      isHidden: this.#stage === 'writing' && reply.turnId === turn.id,
      canWin: this.#stage === 'voting' && reply.turnId === turn.id && canWin(reply),
    });
  }

  /** Undefined if the model had several columns: the vote doesn't name one. */
  #choiceOf(choice: CompareVote['choice'], turnId: string): BlindChoice | undefined {
    if (choice.kind !== 'model') return choice.kind;
    const [reply, ...others] = this.#comparison.replies.filter(
      (each) => each.turnId === turnId && each.model === choice.model,
    );
    return reply === undefined || others.length > 0 ? undefined : { columnId: reply.columnId };
  }

  #isVotedOn(turnId: string): boolean {
    return this.#stage === 'voting' && this.#comparison.turns.at(-1)?.id === turnId;
  }

  #order(columns: readonly ComparedColumn[], turnId: string): readonly ComparedColumn[] {
    const before = this.#drawn?.turnId === turnId ? this.#drawn.columnIds : [];
    const order = blindOrder(columns, turnId, before);
    this.#drawn = { turnId, columnIds: order.map(({ id }) => id) };
    return order;
  }
}
