import type { ModelRef } from '../../../shared/modelRef.ts';
import type { ReplyView } from '../../../shared/chat.ts';

/** Fewer tokens say little. */
const leastTokens = 20;
/** Longer ones aren't tokens, and shorter ones include reasoning that isn't shown. */
const [shortest, longest] = [2, 8];

/** The average token length in each model's last reply, so that the live speed agrees with the final one. */
export class TokenLengths {
  readonly #characters = new Map<string, number>();

  learn({ model, text, reasoning, metrics: { completionTokens } }: ReplyView): void {
    if (completionTokens === undefined || completionTokens.value < leastTokens) return;
    const length = (text.length + reasoning.length) / completionTokens.value;
    if (length >= shortest && length <= longest) this.#characters.set(model, length);
  }

  /** Characters per token, on average; undefined for a model that hasn't replied here yet. */
  of(model: ModelRef): number | undefined {
    return this.#characters.get(model);
  }
}
