import * as vscode from 'vscode';
import type { ModelInfo } from '../../api/wire/decodeModels.ts';
import type { ComparedColumn, ComparedReply, ComparedTurn } from '../../core/compare/comparison.ts';
import { sampleMetrics, tokenMarks } from '../../core/experiments/sampleMetrics.ts';
import { type MeasuredModels, speedOf } from '../../core/models/measuredModel.ts';
import type { ApiFailure } from '../../shared/apiFailure.ts';
import {
  type CompareColumnView,
  type CompareReplyView,
  type CompareTurnView,
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

function pricesOf(info: ModelInfo | undefined): string {
  const { inputPricePerMillion: input, outputPricePerMillion: output } = info ?? {};
  if (input === undefined || output === undefined) return '';
  return vscode.l10n.t('{0} in / {1} out per 1M tokens', amountText(input), amountText(output));
}
