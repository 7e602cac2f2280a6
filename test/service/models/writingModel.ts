import type { ChatRequest } from '../chatRequest.ts';
import type { ModelDefinition, Price, ReplyPart, Writing } from './modelDefinition.ts';
import { lastUserMessage } from './writing/writerText.ts';

/** 0.2 and 0.8 credits per million tokens. */
export const usualPrice: Price = { perPromptToken: 2e-7, perCompletionToken: 8e-7, perRequest: 0 };

type Differences = Partial<Omit<ModelDefinition, 'id' | 'description' | 'behavior'>> & {
  readonly reply?: Writing['reply'];
  readonly pace?: Pick<Writing, 'tokensPerSecond' | 'firstTokenDelayMs'>;
  readonly sendsFigures?: boolean;
  readonly sees?: boolean;
};

/** A model that writes: an echo with a large context window, except for the differences. */
export function writingModel(id: string, description: string, differences: Differences = {}): ModelDefinition {
  const { reply = echo, pace = {}, sendsFigures = true, sees = false, ...rest } = differences;
  return {
    id,
    description,
    kind: sees ? 'multimodal' : 'chat',
    contextWindow: 1_000_000,
    maxOutputTokens: 200_000,
    price: usualPrice,
    hidden: false,
    ...rest,
    behavior: { type: 'writing', reply, sendsFigures, sees, ...pace },
  };
}

/** The last user message, unchanged. */
function* echo(request: ChatRequest): Generator<ReplyPart, void, undefined> {
  yield { part: 'text', text: lastUserMessage(request) };
}
