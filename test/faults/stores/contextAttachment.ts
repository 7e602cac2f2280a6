import type { Attachment } from '../../../src/shared/attachment.ts';

/** A piece of the workspace that is sent with a message. */
export function contextOf(id: string): Attachment {
  return { kind: 'file', id, name: 'a.ts', detail: `src/${id}.ts`, tokens: 1, at: 1 };
}
