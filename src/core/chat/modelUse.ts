import type { SpentView } from '../../shared/conversationLength.ts';
import type { ModelRef } from '../../shared/modelRef.ts';
import { type ModelPrices, requestCost } from '../requests/requestCost.ts';
import type { Conversation } from './conversation.ts';
import { isTokensEstimate } from './replyMetrics.ts';

/** What a conversation used of one model. */
export interface ModelUse {
  readonly model: ModelRef;
  readonly promptTokens: number;
  readonly completionTokens: number;
  /** Replies whose tokens are in the sums. */
  readonly counted: number;
  /** Replies whose tokens nobody counted. */
  readonly uncounted: number;
  /** Some of the tokens were estimated. */
  readonly isEstimate: boolean;
}

/** What the model lists say about prices. */
export interface KnownPrices {
  find(model: ModelRef): ModelPrices | undefined;
}

/** What the replies used, by model. Deleting a reply doesn't make it free. */
export function modelUse(ends: ReturnType<Conversation['everyEnd']>): readonly ModelUse[] {
  const uses = new Map<ModelRef, ModelUse>();
  for (const { model, metrics, outcome } of ends) {
    const { promptTokens: prompt, completionTokens: completion } = metrics;
    // Most failures aren't charged. Those with a count might be.
    if (outcome === 'failed' && prompt?.from !== 'service') continue;
    const before = uses.get(model) ?? unused(model);
    const after =
      prompt === undefined || completion === undefined
        ? { ...before, uncounted: before.uncounted + 1 }
        : {
            ...before,
            promptTokens: before.promptTokens + prompt.value,
            completionTokens: before.completionTokens + completion.value,
            counted: before.counted + 1,
            isEstimate: before.isEstimate || isTokensEstimate(metrics),
          };
    uses.set(model, after);
  }
  return [...uses.values()];
}

/** At today's prices; undefined if none are known. */
export function costOfUse(uses: readonly ModelUse[], known: KnownPrices): SpentView | undefined {
  let cost = 0;
  let [isPriced, isEstimate, isPartial] = [false, false, false];
  for (const use of uses) {
    const metrics = { promptTokens: figure(use.promptTokens), completionTokens: figure(use.completionTokens) };
    const each = use.counted === 0 ? undefined : requestCost(known.find(use.model) ?? {}, undefined, 'done', metrics);
    isPartial ||= each === undefined || use.uncounted > 0;
    if (each === undefined) continue;
    cost += each;
    isPriced = true;
    isEstimate ||= use.isEstimate;
  }
  return isPriced ? { cost, isEstimate, isPartial } : undefined;
}

function unused(model: ModelRef): ModelUse {
  return { model, promptTokens: 0, completionTokens: 0, counted: 0, uncounted: 0, isEstimate: false };
}

function figure(value: number): { readonly value: number; readonly from: 'service' } {
  return { value, from: 'service' };
}
