import { type BlindChoice, blindOrder, type BlindStage, blindStage, blindVote } from '../../core/compare/blindTurn.ts';
import type { ComparedColumn, ComparedReply, Comparison } from '../../core/compare/comparison.ts';
import type { NewVote } from '../models/voteStore.ts';
import type { CompareColumnView, CompareReplyView, ReplyAct, ToCompareHost } from '../../shared/compareProtocol.ts';
import type { CompareViews } from './compareViews.ts';

const tellsModel: readonly ReplyAct[] = ['apply', 'compareText', 'continueInChat'];

/** What a page may show and do about a comparison: while a question is blind, nothing that reveals a model. */
export class BlindVoting {
  readonly #comparison: Comparison;
  readonly #views: CompareViews;
  /** Turns that were voted on. */
  readonly #voted = new Set<string>();
  #stage: BlindStage = 'off';
  #tag = '';

  constructor(comparison: Comparison, views: CompareViews) {
    this.#comparison = comparison;
    this.#views = views;
    // Earlier turns, voted on or left without a vote, are shown openly.
    for (const { id } of comparison.turns) this.#voted.add(id);
  }

  get stage(): BlindStage {
    return this.#stage;
  }

  /** The tag of the last vote; empty for none. */
  get tag(): string {
    return this.#tag;
  }

  /** Whether an action on the page would reveal which model wrote a blind reply. */
  refuses(message: ToCompareHost): boolean {
    if (this.#stage === 'off') return false;
    switch (message.type) {
      case 'closeColumn':
      case 'exportComparison':
        return true;
      // The model list shows the column's current one.
      case 'chooseModel':
        return message.columnId !== undefined;
      case 'runAction':
        return message.action === 'selectModel' && message.replyId !== undefined;
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
    return this.#stage !== before;
  }

  /** What to store of a vote on the last question; undefined if there's nothing to vote on. */
  voteOn(choice: BlindChoice, tag: string): NewVote | undefined {
    const vote = this.#stage === 'voting' ? blindVote(this.#comparison, choice) : undefined;
    return vote && { ...vote, ...(tag !== '' && { tag }) };
  }

  /** The vote on the last question is stored. */
  voted(tag: string): void {
    const turn = this.#comparison.turns.at(-1);
    if (turn !== undefined) this.#voted.add(turn.id);
    this.#stage = 'off';
    this.#tag = tag;
  }

  /** Without names, prices, and their order while a question is blind. */
  columns(columns: readonly ComparedColumn[]): readonly CompareColumnView[] {
    const turn = this.#comparison.turns.at(-1);
    if (this.#stage === 'off' || turn === undefined) return columns.map((column) => this.#views.column(column));
    return blindOrder(columns, turn.id).map((column, index) => this.#views.blindColumn(column, index));
  }

  reply(reply: ComparedReply): CompareReplyView {
    const turn = this.#comparison.turns.at(-1);
    if (this.#stage === 'off' || turn === undefined) return this.#views.reply(reply);
    const place = blindOrder(this.#comparison.columns, turn.id).findIndex(({ id }) => id === reply.columnId);
    return this.#views.blindReply(reply, place, this.#stage === 'writing' && reply.turnId === turn.id);
  }
}
