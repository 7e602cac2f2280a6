import * as v from 'valibot';

/** Ids become file names, so nothing else is let through, wherever it was kept. */
export const conversationIdSchema = v.pipe(v.string(), v.uuid());

export function isConversationId(value: unknown): value is string {
  return v.is(conversationIdSchema, value);
}
