import * as vscode from 'vscode';
import type { ModelInfo } from '../../api/wire/decodeModels.ts';
import type { ComparedColumn, ComparedReply, ComparedTurn } from '../../core/compare/comparison.ts';
import { type CompareVote, duelsOf } from '../../core/compare/compareVote.ts';
import type { RankedModel } from '../../core/experiments/modelRanking.ts';
import { speedFacts } from '../../core/models/modelFacts.ts';
import { sampleMetrics, tokenMarks } from '../../core/experiments/sampleMetrics.ts';
import { type MeasuredModels, speedOf } from '../../core/models/measuredModel.ts';
import type { ApiFailure } from '../../shared/apiFailure.ts';
import {
  type CompareColumnView,
  type CompareRankingView,
  type CompareReplyView,
  type CompareTurnView,
  type RankingRowView,
  tokensPerMark,
} from '../../shared/compareProtocol.ts';
import type { Problem } from '../../shared/problem.ts';
import { amountText, costText } from '../../words/amount.ts';

export interface CompareViewDeps {
  readonly modelOf: (column: Pick<ComparedColumn, 'service'> & { readonly id: string }) => ModelInfo | undefined;
  readonly measured: Pick<MeasuredModels, 'figures'>;
  readonly explain: (failure: ApiFailure, reply: ComparedReply) => Problem;
}

/** What a page shows of a comparison. */
export class CompareViews {
  readonly #deps: CompareViewDeps;

  constructor(deps: CompareViewDeps) {
    this.#deps = deps;
  }

  column({ id, model, service }: ComparedColumn): CompareColumnView {
    const info = this.#deps.modelOf({ id: model, ...(service !== undefined && { service }) });
    const { tokensPerSecond } = speedOf(this.#deps.measured.figures(model));
    return { id, model, place: pricesOf(info), ...(tokensPerSecond !== undefined && { tokensPerSecond }) };
  }

  /** Doesn't reveal the model. @param place position on screen */
  blindColumn({ id }: ComparedColumn, place: number): CompareColumnView {
    return { id, model: blindName(place), place: '' };
  }

  /**
   * Without its model, figures, and times. @param isHidden also without its text, while others are still being written
   */
  blindReply(reply: ComparedReply, place: number, isHidden: boolean): CompareReplyView {
    const { id, turnId, columnId, text } = reply;
    const facts = { role: 'assistant', id, turnId, columnId, at: 0, model: blindName(place), reasoning: '' } as const;
    return { ...facts, metrics: {}, text: isHidden ? '' : text, state: isHidden ? 'running' : 'done' };
  }

  /** Best first. Models that no chain of votes connects can't be compared, so they're at the end without a rank. */
  async ranking(votes: readonly CompareVote[]): Promise<CompareRankingView> {
    const { modelRanking } = await import('../../core/experiments/modelRanking.ts');
    const [largest = [], ...others] = modelRanking(duelsOf(votes));
    const rows = [...largest, ...others.flat().map(({ rank: _rank, ...row }) => row)];
    return { votes: votes.length, rows: rows.map((row) => this.#rankingRow(row)) };
  }

  #rankingRow({ model, wins, duels, share, interval, rank }: RankedModel): RankingRowView {
    const info = this.#deps.modelOf({ id: model });
    const facts = [...speedFacts(speedOf(this.#deps.measured.figures(model))), pricesOf(info)].filter(
      (part) => part !== '',
    );
    const [best, worst] = rank ?? [];
    return {
      model,
      rank: best === undefined || worst === undefined ? '' : best === worst ? `${best}` : `${best}–${worst}`,
      wins,
      duels,
      share,
      low: interval.low,
      high: interval.high,
      facts: facts.join(' · '),
    };
  }

  turn({ id, text, attachments, order, columns }: ComparedTurn): CompareTurnView {
    return { id, text, attachments, order, columns };
  }

  reply(reply: ComparedReply): CompareReplyView {
    const { state, end, cost, ...facts } = reply;
    const { failure, finishReason, requestId, sample } = end ?? {};
    return {
      role: 'assistant',
      ...facts,
      state: state === 'queued' ? 'running' : state,
      ...(state === 'queued' && { isQueued: true }),
      metrics: sample === undefined ? {} : sampleMetrics(sample),
      ...(sample !== undefined && { marks: tokenMarks(sample, tokensPerMark) }),
      ...(finishReason !== undefined && { finishReason }),
      ...(requestId !== undefined && { requestId }),
      ...(cost !== undefined && { cost: costText(cost, { isEstimate: sample?.isEstimate === true }) }),
      ...(failure !== undefined && { problem: this.#deps.explain(failure, reply) }),
    };
  }
}

/** `Reply A`, `Reply B`. */
function blindName(place: number): string {
  return vscode.l10n.t('Reply {0}', String.fromCodePoint(65 + place));
}

function pricesOf(info: ModelInfo | undefined): string {
  const { inputPricePerMillion: input, outputPricePerMillion: output } = info ?? {};
  if (input === undefined || output === undefined) return '';
  return vscode.l10n.t('{0} in / {1} out per 1M tokens', amountText(input), amountText(output));
}
