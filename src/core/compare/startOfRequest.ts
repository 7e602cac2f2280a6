import * as v from 'valibot';
import { type ChatMessage, withUsualNames } from '../../api/operations/chatCompletion.ts';
import { type ChatOptions, chatOptionsOf } from '../../shared/chat.ts';
import type { ModelRef } from '../../shared/modelRef.ts';
import type { SentBody } from '../requests/requestBody.ts';
import { chatNumbers, chatParameters } from '../../shared/chatParameters.ts';

/** How to start a comparison for another feature. */
export interface CompareStart {
  /** By default, the models from the settings or the most recent ones. */
  readonly models?: readonly string[];
  /** For the composer. With `content`, it's sent at once. */
  readonly text?: string;
  /** The question as it's sent, including attachments. */
  readonly content?: ChatMessage['content'];
  /** The messages before the question. */
  readonly before?: readonly ChatMessage[];
  readonly options?: ChatOptions;
  /** ID of an open comparison to use; a new one by default. */
  readonly comparison?: string;
}

const bodySchema = v.looseObject({
  messages: v.array(v.object({ role: v.picklist(['system', 'user', 'assistant']), content: v.string() })),
});

/** Why a request can't be asked again: nothing of it was saved, or its images weren't, or it isn't a text question. */
export type NoQuestion = 'noContent' | 'noImages' | 'noQuestion';

/**
 * The question of a chat completion, with everything that was sent with it.
 * @param model that it was sent to: the body names it as its service does
 */
export function startOfRequest(
  sent: Pick<SentBody, 'body' | 'isPartial'> | undefined,
  model: ModelRef | undefined,
): CompareStart | NoQuestion {
  if (sent?.body === undefined) return 'noContent';
  if (sent.isPartial === true) return 'noImages';
  const parsed = v.safeParse(bodySchema, sent.body);
  if (!parsed.success || model === undefined) return 'noQuestion';
  const { messages } = parsed.output;
  const fields: Readonly<Record<string, unknown>> = withUsualNames(parsed.output);
  const systemPrompt = messages.find(({ role }) => role === 'system')?.content;
  const said = messages.filter(({ role }) => role !== 'system');
  const question = said.at(-1);
  if (question?.role !== 'user') return 'noQuestion';
  return {
    models: [model],
    text: question.content,
    content: question.content,
    before: said.slice(0, -1),
    options: chatOptionsOf({
      model: undefined,
      systemPrompt,
      ...chatNumbers((name) => fields[chatParameters[name].wire]),
      stream: undefined,
    }),
  };
}
