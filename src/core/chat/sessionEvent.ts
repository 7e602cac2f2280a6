import type { Conversation } from './conversation.ts';
import type { ConversationRecord } from './conversationRecord.ts';

/** A change of the conversation, for the pages that show it. */
export type SessionEvent =
  | { readonly type: 'messageAdded'; readonly id: string }
  | {
      readonly type: 'replyGrew';
      readonly id: string;
      readonly part: 'text' | 'reasoning';
      /** Length of the part before `text`. */
      readonly offset: number;
      readonly text: string;
    }
  | { readonly type: 'replyChanged'; readonly id: string }
  | { readonly type: 'messagesRemoved'; readonly ids: readonly string[]; readonly canRestore: boolean }
  /** Other messages are visible than before: some were restored, or another version of a message was selected. */
  | { readonly type: 'messagesRearranged' }
  /** What is sent, or what was spent, has changed. */
  | { readonly type: 'lengthChanged' }
  | { readonly type: 'titleChanged' }
  /** In another window. The one that deletes it shows something else itself. */
  | { readonly type: 'deleted' }
  | { readonly type: 'optionsChanged' };

/** What a record from another window means for the pages of this one. @param before the conversation without it */
export function eventOf(record: ConversationRecord, before: Conversation): SessionEvent | undefined {
  switch (record.type) {
    case 'sentFrom':
    case 'summarized':
      return { type: 'lengthChanged' };
    case 'continues':
    case 'created':
    case 'undeleted':
      return undefined;
    case 'deleted':
      return { type: 'deleted' };
    case 'titled':
      return { type: 'titleChanged' };
    case 'optionsSet':
      return { type: 'optionsChanged' };
    case 'asked':
    case 'replyStarted':
      return record.version === undefined ? { type: 'messageAdded', id: record.id } : { type: 'messagesRearranged' };
    case 'versionShown':
      return { type: 'messagesRearranged' };
    case 'replyGrew': {
      const { type, id, part, text } = record;
      // After a line that can't be read, the text moves up.
      const offset = Math.min(record.offset, before.reply(id)?.[part].length ?? 0);
      return { type, id, part, offset, text };
    }
    case 'replyEnded':
      return { type: 'replyChanged', id: record.id };
    case 'removed':
      return { type: 'messagesRemoved', ids: record.ids, canRestore: false };
    case 'restored':
      return { type: 'messagesRearranged' };
  }
}
