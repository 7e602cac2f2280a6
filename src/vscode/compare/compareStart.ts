import * as v from 'valibot';
import type { ChatMessage } from '../../api/operations/chatCompletion.ts';
import { conversationIdSchema } from '../../core/chat/conversationId.ts';
import { chatOptionsSchema } from '../../core/chat/conversationRecord.ts';
import type { CompareStart } from '../../core/compare/startOfRequest.ts';
import { modelIdOf } from '../models/modelIdOf.ts';

const message = v.custom<ChatMessage>(
  (value) =>
    typeof value === 'object' &&
    value !== null &&
    'role' in value &&
    'content' in value &&
    (value.role === 'user' || value.role === 'assistant') &&
    (typeof value.content === 'string' || Array.isArray(value.content)),
);

const startSchema = v.object({
  models: v.exactOptional(v.array(v.pipe(v.string(), v.minLength(1)))),
  /** For the composer. With `content`, it's sent at once. */
  text: v.exactOptional(v.string()),
  /** The question as it's sent, including attachments. If there's only one model, asks for more first. */
  content: v.exactOptional(
    v.custom<ChatMessage['content']>((value) => typeof value === 'string' || Array.isArray(value)),
  ),
  /** The messages before it. */
  before: v.exactOptional(v.array(message)),
  options: v.exactOptional(chatOptionsSchema),
  comparison: v.exactOptional(conversationIdSchema),
});

/** From the command's arguments: rows of models, with all selected ones, or data from another feature. */
export function compareStart(given: unknown, selected: unknown): CompareStart {
  const rows = Array.isArray(selected) ? selected : [];
  const models = [given, ...rows].flatMap((row: unknown) => (isRow(row) ? (modelIdOf(row) ?? []) : []));
  if (models.length > 0) return { models: [...new Set(models)] };
  const parsed = v.safeParse(startSchema, given);
  return parsed.success ? parsed.output : {};
}

function isRow(value: unknown): boolean {
  return typeof value === 'object' && value !== null && 'entry' in value;
}
