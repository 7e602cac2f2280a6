import * as v from 'valibot';
import { chatOptionsSchema } from '../../core/chat/conversationRecord.ts';
import type { ToHost } from '../../shared/protocol/chatProtocol.ts';
import {
  maxAttachments,
  maxContextLength,
  maxLanguageLength,
  maxLinkLength,
  maxPictureBytes,
  maxQueryLength,
  maxTextLength,
} from '../../shared/messageLimits.ts';
import { modelFigureNames } from '../../shared/modelRow.ts';
import { problemActionKinds } from '../../shared/problem.ts';
import { conversationIdSchema } from '../../core/chat/conversationId.ts';

const text = v.pipe(v.string(), v.maxLength(maxTextLength));
const id = v.pipe(v.string(), v.minLength(1), v.maxLength(64));
const model = v.pipe(v.string(), v.minLength(1), v.maxLength(256));

const count = v.pipe(v.number(), v.integer());
const uuid = v.pipe(v.string(), v.uuid());
const name = v.pipe(v.string(), v.maxLength(300));
const pixels = v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(100_000));
const bytes = v.pipe(v.instance(Uint8Array), v.maxLength(maxPictureBytes));

/** What a chat page sends. It shows a model's text, so it isn't trusted. */
export const chatMessageSchema = v.variant('type', [
  v.object({ type: v.literal('ready') }),
  v.object({
    type: v.literal('ask'),
    conversationId: v.exactOptional(conversationIdSchema),
    text,
    attachments: v.exactOptional(v.pipe(v.array(uuid), v.maxLength(maxAttachments))),
    version: v.exactOptional(count),
  }),
  v.object({ type: v.literal('stop') }),
  v.object({ type: v.literal('retry'), replyId: id, model: v.exactOptional(model) }),
  v.object({ type: v.literal('retryWithOther'), replyId: id }),
  v.object({ type: v.literal('compareReply'), replyId: id }),
  v.object({ type: v.literal('offerRetry'), replyId: id }),
  v.object({ type: v.literal('showVersion'), messageId: id }),
  v.object({ type: v.literal('resend'), messageId: id, text }),
  v.object({ type: v.literal('deleteMessage'), messageId: id }),
  v.object({ type: v.literal('loadOlder'), beforeId: id, throughId: v.exactOptional(id) }),
  v.object({ type: v.literal('sendFrom'), messageId: v.nullable(id) }),
  v.object({ type: v.literal('moveSentFrom'), step: v.picklist([-1, 1]) }),
  v.object({ type: v.literal('leaveOutEarliest') }),
  v.object({ type: v.literal('summarize') }),
  v.object({ type: v.literal('stopSummary') }),
  v.object({ type: v.literal('summaryEdited'), text: v.pipe(v.string(), v.maxLength(maxContextLength)) }),
  v.object({ type: v.literal('useSummary'), text: v.pipe(v.string(), v.maxLength(maxContextLength)) }),
  v.object({ type: v.literal('openContinued') }),
  v.object({
    type: v.literal('find'),
    request: count,
    query: v.pipe(v.string(), v.maxLength(maxQueryLength)),
    beforeId: id,
  }),
  v.object({ type: v.literal('composing') }),
  v.object({ type: v.literal('focusMoved'), isHere: v.boolean() }),
  v.object({ type: v.literal('draftChanged'), conversationId: conversationIdSchema, text, version: count }),
  v.object({ type: v.literal('optionsChanged'), conversationId: conversationIdSchema, options: chatOptionsSchema }),
  v.object({ type: v.literal('addContext') }),
  v.object({ type: v.literal('removeAttachment'), conversationId: conversationIdSchema, id: uuid }),
  v.object({ type: v.literal('openAttachment'), id: uuid }),
  v.object({
    type: v.literal('addPicture'),
    conversationId: conversationIdSchema,
    id: uuid,
    name,
    width: pixels,
    height: pixels,
    bytes,
  }),
  v.object({
    type: v.literal('addText'),
    conversationId: conversationIdSchema,
    id: uuid,
    name,
    text: v.pipe(v.string(), v.maxLength(maxContextLength)),
  }),
  v.object({
    type: v.literal('addDropped'),
    conversationId: conversationIdSchema,
    id: uuid,
    uri: v.pipe(v.string(), v.maxLength(maxLinkLength)),
  }),
  v.object({
    type: v.literal('complete'),
    request: count,
    typed: v.pipe(v.string(), v.maxLength(100)),
  }),
  v.object({ type: v.literal('addCompletion'), conversationId: conversationIdSchema, id: uuid, row: id }),
  v.object({
    type: v.literal('addSuggested'),
    conversationId: conversationIdSchema,
    id: uuid,
    detail: v.pipe(v.string(), v.maxLength(maxLinkLength)),
  }),
  v.object({ type: v.literal('completePrompt'), request: count, typed: v.pipe(v.string(), v.maxLength(100)) }),
  v.object({ type: v.literal('runPrompt'), row: id }),
  v.object({ type: v.literal('selectModel') }),
  v.object({
    type: v.literal('findModels'),
    request: count,
    question: v.object({
      typed: v.pipe(v.string(), v.maxLength(maxQueryLength)),
      sort: v.exactOptional(v.picklist(modelFigureNames)),
      allKinds: v.boolean(),
    }),
    again: v.exactOptional(v.boolean()),
    service: v.exactOptional(id),
  }),
  v.object({ type: v.literal('takeModel'), row: id, replyId: v.exactOptional(id) }),
  v.object({ type: v.literal('toggleFavorite'), row: id }),
  v.object({ type: v.literal('closeModels') }),
  v.object({ type: v.literal('showModels') }),
  v.object({ type: v.literal('addService') }),
  v.object({ type: v.literal('copyText'), text }),
  v.object({ type: v.literal('copyMessage'), messageId: id }),
  v.object({ type: v.literal('insertCode'), text }),
  v.object({ type: v.literal('compareCode'), text }),
  v.object({ type: v.literal('openCode'), text, language: v.pipe(v.string(), v.maxLength(maxLanguageLength)) }),
  v.object({ type: v.literal('openLink'), href: v.pipe(v.string(), v.maxLength(maxLinkLength)) }),
  v.object({ type: v.literal('runSuggestion'), id }),
  v.object({ type: v.literal('endNote'), id, button: v.exactOptional(name) }),
  v.object({
    type: v.literal('runAction'),
    action: v.picklist(problemActionKinds),
    replyId: v.exactOptional(id),
    service: v.exactOptional(id),
    model: v.exactOptional(model),
  }),
]) satisfies v.GenericSchema<ToHost>;
