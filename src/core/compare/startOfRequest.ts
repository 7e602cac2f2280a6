import * as v from 'valibot';
import type { ChatMessage } from '../../api/operations/chatCompletion.ts';
import type { ChatOptions } from '../../shared/chat.ts';
import { chatNumbers, chatParameters } from '../../shared/chatParameters.ts';

/** How a comparison starts that another feature asks for. */
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
  model: v.string(),
  messages: v.array(v.object({ role: v.picklist(['system', 'user', 'assistant']), content: v.string() })),
});

/**
 * The question of a chat completion, with everything that was sent with it. Undefined for a body of another form, or
 * with images.
 */
export function startOfRequest(body: unknown): CompareStart | undefined {
  const parsed = v.safeParse(bodySchema, body);
  if (!parsed.success) return undefined;
  const { model, messages, ...fields } = parsed.output;
  const systemPrompt = messages.find(({ role }) => role === 'system')?.content;
  const said = messages.filter(({ role }) => role !== 'system');
  const question = said.at(-1);
  if (question?.role !== 'user') return undefined;
  return {
    models: [model],
    text: question.content,
    content: question.content,
    before: said.slice(0, -1),
    options: {
      ...(systemPrompt !== undefined && { systemPrompt }),
      ...chatNumbers((name) => fields[chatParameters[name].wire]),
    },
  };
}
