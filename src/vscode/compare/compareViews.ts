import * as vscode from 'vscode';
import type { ModelInfo } from '../../api/wire/decodeModels.ts';
import type { VoteGiven } from '../../core/compare/blindTurn.ts';
import type { ComparedColumn, ComparedReply, ComparedTurn } from '../../core/compare/comparison.ts';
import { metricsHere, sampleMetrics, tokenMarks } from '../../core/experiments/sampleMetrics.ts';
import { type MeasuredModels, speedOf } from '../../core/models/measuredModel.ts';
import type { ChatOptions } from '../../shared/chat.ts';
import type { ApiFailure } from '../../shared/apiFailure.ts';
import {
  type CompareColumnView,
  type CompareReplyView,
  type CompareTurnView,
  type GivenVote,
  tokensPerMark,
} from '../../shared/protocol/compareProtocol.ts';
import type { Problem } from '../../shared/problem.ts';
import { problemInColumn } from '../../core/problems/compareProblems.ts';
import { pricesText } from '../../core/models/priceWords.ts';
import { costText } from '../../words/amount.ts';
import { modelLabel } from '../../words/modelLabel.ts';
import type { ModelRef } from '../../shared/modelRef.ts';
import { parametersText } from '../../words/parameterWords.ts';

export interface CompareViewDeps {
  readonly modelOf: (model: { readonly id: string }) => ModelInfo | undefined;
  readonly measured: Pick<MeasuredModels, 'figures'>;
  /** Says that its service doesn't support chat; absent if unknown. */
  readonly lackOf: (model: ModelRef) => string | undefined;
  readonly explain: (failure: ApiFailure, reply: ComparedReply) => Problem;
  /** For a reply whose window was closed. */
  readonly explainInterrupted: (reply: ComparedReply) => Problem;
  /** Says that it might have been charged; undefined if its service is on this computer. */
  readonly chargeNote: (reply: ComparedReply) => string | undefined;
  /** Applies to a column without its own parameters. */
  readonly sharedOptions: () => ChatOptions;
}

/** What a page shows of a comparison. */
export class CompareViews {
  readonly #deps: CompareViewDeps;

  constructor(deps: CompareViewDeps) {
    this.#deps = deps;
  }

  column({ id, model, options = {} }: ComparedColumn): CompareColumnView {
    const own = parametersText(options);
    const info = this.#deps.modelOf({ id: model });
    const { tokensPerSecond } = speedOf(this.#deps.measured.figures(model));
    return {
      id,
      model,
      place: this.#deps.lackOf(model) ?? pricesText(info),
      ...(tokensPerSecond !== undefined && { tokensPerSecond }),
      options,
      defaults: this.#deps.sharedOptions(),
      ...(own !== '' && { own }),
    };
  }

  /** Doesn't reveal the model. @param place position on screen */
  blindColumn({ id }: ComparedColumn, place: number): CompareColumnView {
    return { id, model: blindName(place), isBlind: true, place: '', options: {}, defaults: {} };
  }

  /**
   * Without its model, figures, and times.
   * @param isHidden also without its text, while others are still being written
   */
  blindReply(
    reply: ComparedReply,
    place: number,
    { isHidden, canWin }: { readonly isHidden: boolean; readonly canWin: boolean },
  ): CompareReplyView {
    const { id, turnId, columnId, text } = reply;
    const facts = { role: 'assistant', id, turnId, columnId, at: 0, model: blindName(place), reasoning: '' } as const;
    if (isHidden) return { ...facts, metrics: {}, text: '', state: 'running' };
    const state = reply.state === 'failed' ? 'failed' : 'done';
    return { ...facts, metrics: {}, text, state, ...(canWin && { canWin }) };
  }

  /** @param columns those of the question */
  given({ turnId, choice, place }: VoteGiven, columns: readonly ComparedColumn[]): GivenVote {
    if (choice === 'equal') return { turnId, words: vscode.l10n.t('Your vote: equal') };
    if (choice === 'none') return { turnId, words: vscode.l10n.t('Your vote: none of them') };
    const { model = '', options = {} } = columns.find(({ id }) => id === choice.columnId) ?? {};
    const own = parametersText(options);
    const name = own === '' ? modelLabel(model) : `${modelLabel(model)} (${own})`;
    const words =
      place === undefined
        ? vscode.l10n.t('Your vote: {0}', name)
        : vscode.l10n.t('Your vote: {0}, shown as {1}', name, blindName(place));
    return { turnId, words };
  }

  turn({ id, text, attachments, order, columns }: ComparedTurn): CompareTurnView {
    return { id, text, attachments, order, columns };
  }

  reply(reply: ComparedReply): CompareReplyView {
    const { state, end, cost, ...facts } = reply;
    const { failure, finishReason, requestId, sample } = end ?? {};
    // One that was stopped in time was never sent, and has no sample.
    const isCutOff = state === 'stopped' && sample !== undefined && cost === undefined;
    const here = sample === undefined ? undefined : metricsHere(sample);
    const chargeNote = isCutOff ? this.#deps.chargeNote(reply) : undefined;
    return {
      role: 'assistant',
      ...facts,
      state: state === 'queued' ? 'running' : state,
      ...(state === 'queued' && { isQueued: true }),
      metrics: sample === undefined ? {} : sampleMetrics(sample),
      ...(here !== undefined && { metricsHere: here }),
      ...(sample !== undefined && { marks: tokenMarks(sample, tokensPerMark) }),
      ...(finishReason !== undefined && { finishReason }),
      ...(requestId !== undefined && { requestId }),
      ...(cost !== undefined && { cost: costText(cost, { isEstimate: sample?.isEstimate === true }) }),
      ...(chargeNote !== undefined && { chargeNote }),
      ...(failure !== undefined && { problem: problemInColumn(this.#deps.explain(failure, reply)) }),
      ...(state === 'interrupted' && { problem: this.#deps.explainInterrupted(reply) }),
    };
  }
}

/** `Reply A`, `Reply B`. */
function blindName(place: number): string {
  return vscode.l10n.t('Reply {0}', String.fromCodePoint(65 + place));
}
