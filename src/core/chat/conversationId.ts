import * as v from 'valibot';

/** IDs become file names, so nothing else is accepted, no matter where it was stored. */
export const conversationIdSchema = v.pipe(v.string(), v.uuid());

export function isConversationId(value: unknown): value is string {
  return v.is(conversationIdSchema, value);
}
