import type { ModelRef } from '../../../shared/modelRef.ts';
import type { ReplyView } from '../../../shared/chat.ts';

/** Fewer tell little. */
const leastTokens = 20;
/** Longer ones are not tokens, shorter ones include a thought that isn't shown. */
const [shortest, longest] = [2, 8];

/** How long a token of each model was in its last reply, so that the speed shown while it writes agrees with the final one. */
export class TokenLengths {
  readonly #characters = new Map<string, number>();

  learn({ model, text, reasoning, metrics: { completionTokens } }: ReplyView): void {
    if (completionTokens === undefined || completionTokens.value < leastTokens) return;
    const length = (text.length + reasoning.length) / completionTokens.value;
    if (length >= shortest && length <= longest) this.#characters.set(model, length);
  }

  /** Characters of a token, on average; undefined of a model that hasn't replied here yet. */
  of(model: ModelRef): number | undefined {
    return this.#characters.get(model);
  }
}
