import { isOverflowFailure, statedContextWindow } from '../../api/wire/errorCodes.ts';
import type { ApiFailure } from '../../shared/apiFailure.ts';
import type { ReplyMetrics } from '../../shared/chat.ts';
import type { ModelRef } from '../../shared/modelRef.ts';
import type { ModelCatalogs } from '../models/modelCatalogs.ts';

/** How a request to a model ended, as far as it shows the size of the context window. */
export interface EndedChat {
  readonly failure?: ApiFailure;
  readonly metrics: ReplyMetrics;
  /** Some of the reply arrived, so the window is larger than what was sent. */
  readonly hasBegun: boolean;
  /** Estimated tokens of the request. */
  readonly sentTokens: () => number;
  /** Set if the service dropped some of the request: the tokens that it had at least. */
  readonly sentAtLeast?: number;
}

/**
 * A request that was refused because of its length, or of which some was dropped, shows that less fits. How much the
 * service counted of the latter says no more: Ollama fills as little as half of the window, or keeps one short message.
 * A longer request that was accepted disproves that.
 */
export function learnWindowFrom(
  { failure, metrics, hasBegun, sentTokens, sentAtLeast }: EndedChat,
  model: ModelRef,
  catalog: Pick<ModelCatalogs, 'learnWindow' | 'accepted'>,
): void {
  if (failure === undefined) {
    if (sentAtLeast !== undefined) {
      catalog.learnWindow(model, { tokens: Math.max(sentAtLeast, sentTokens()), isStated: false });
    } else if (metrics.promptTokens?.from === 'service') catalog.accepted(model, metrics.promptTokens.value);
    return;
  }
  if (!isOverflowFailure(failure)) return;
  const stated = statedContextWindow(failure.message);
  if (stated !== undefined) catalog.learnWindow(model, { tokens: stated, isStated: true });
  else if (!hasBegun) catalog.learnWindow(model, { tokens: sentTokens(), isStated: false });
}
