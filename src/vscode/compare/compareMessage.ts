import * as v from 'valibot';
import {
  compareOrders,
  isComposerMessage,
  maxTagLength,
  replyActs,
  type ToCompareHost,
  voteWords,
} from '../../shared/protocol/compareProtocol.ts';
import { maxAttachments, maxTextLength } from '../../shared/messageLimits.ts';
import { chatOptionsSchema } from '../../core/chat/conversationRecord.ts';
import { chatMessageSchema } from '../chat/chatMessage.ts';

const id = v.pipe(v.string(), v.minLength(1), v.maxLength(64));
const tag = v.pipe(v.string(), v.minLength(1), v.maxLength(maxTagLength));
const uuid = v.pipe(v.string(), v.uuid());

const ownSchema = v.variant('type', [
  v.object({ type: v.literal('ready') }),
  v.object({
    type: v.literal('compare'),
    text: v.pipe(v.string(), v.maxLength(maxTextLength)),
    attachments: v.pipe(v.array(uuid), v.maxLength(maxAttachments)),
    to: v.exactOptional(id),
  }),
  v.object({ type: v.literal('askColumn'), columnId: id }),
  v.object({ type: v.literal('stopColumn'), columnId: id }),
  v.object({ type: v.literal('chooseModel'), columnId: v.exactOptional(id) }),
  v.object({ type: v.literal('closeColumn'), columnId: id }),
  v.object({ type: v.literal('setBlind'), isBlind: v.boolean() }),
  v.object({
    type: v.literal('columnOptionsChanged'),
    columnId: id,
    options: v.omit(chatOptionsSchema, ['model']),
  }),
  v.object({ type: v.literal('setTo'), columnId: v.exactOptional(id) }),
  v.object({
    type: v.literal('vote'),
    turnId: id,
    choice: v.union([v.object({ columnId: id }), v.picklist(voteWords)]),
    tag: v.exactOptional(tag),
  }),
  v.object({
    type: v.literal('showRanking'),
    tag: v.exactOptional(tag),
    prompt: v.exactOptional(v.pipe(v.string(), v.maxLength(300))),
  }),
  v.object({ type: v.literal('openComparison') }),
  v.object({ type: v.literal('newComparison') }),
  v.object({ type: v.literal('exportComparison') }),
  v.object({ type: v.literal('deleteComparison') }),
  v.object({ type: v.literal('setOrder'), order: v.picklist(compareOrders) }),
  v.object({ type: v.literal('actOnReply'), replyId: id, act: v.picklist(replyActs) }),
]);

/** What a comparison's page sends: its own messages, and those of the message box. */
export const compareMessageSchema = v.union([
  ownSchema,
  v.pipe(chatMessageSchema, v.guard(isComposerMessage)),
]) satisfies v.GenericSchema<unknown, ToCompareHost>;
