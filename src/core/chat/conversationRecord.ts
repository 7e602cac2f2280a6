import * as v from 'valibot';
import { jsonIn, type Unstamped } from '../recordLine.ts';
import { conversationIdSchema } from './conversationId.ts';
import type { ApiFailure } from '../../shared/apiFailure.ts';
import { type Attachment, contextKinds } from '../../shared/attachment.ts';
import type { ChatOptions, ReplyMetrics } from '../../shared/chat.ts';
import { chatParameters } from '../../shared/chatParameters.ts';
import { mapTable } from '../../shared/mapTable.ts';
import { isWithin, type NumberKind, numberKinds } from '../../shared/numberKinds.ts';

const figure = v.object({ value: v.number(), from: v.picklist(['service', 'here', 'estimate']) });

const metricsSchema = v.object({
  timeToFirstTokenSeconds: v.exactOptional(figure),
  tokensPerSecond: v.exactOptional(figure),
  hasWaitInRate: v.exactOptional(v.literal(true)),
  totalSeconds: v.exactOptional(figure),
  promptTokens: v.exactOptional(figure),
  completionTokens: v.exactOptional(figure),
}) satisfies v.GenericSchema<ReplyMetrics>;

export function numberSchema(kind: NumberKind): v.GenericSchema<number> {
  return v.pipe(
    v.number(),
    v.check((value) => isWithin(value, numberKinds[kind])),
  );
}

/** What a user set for a conversation, as stored in a file or received from a page. */
export const chatOptionsSchema = v.object({
  model: v.exactOptional(v.pipe(v.string(), v.minLength(1))),
  systemPrompt: v.exactOptional(v.string()),
  ...mapTable(chatParameters, ({ kind }) => v.exactOptional(numberSchema(kind))),
  stream: v.exactOptional(v.boolean()),
} satisfies Readonly<Record<keyof ChatOptions, unknown>>) satisfies v.GenericSchema<ChatOptions>;

const failureKinds: { readonly [K in ApiFailure['kind']]: true } = {
  badRequest: true,
  unauthorized: true,
  outOfCredits: true,
  forbidden: true,
  modelNotFound: true,
  contextTooLong: true,
  requestTooLarge: true,
  noImageInput: true,
  notReady: true,
  unavailable: true,
  serverError: true,
  backendUnavailable: true,
  backendTimeout: true,
  unexpectedStatus: true,
  rateLimited: true,
  proxyAuthRequired: true,
  redirected: true,
  network: true,
  tls: true,
  timeout: true,
  connectionLost: true,
  streamError: true,
  malformed: true,
  notTheService: true,
  emptyAnswer: true,
  noApi: true,
  tooLarge: true,
  unsupported: true,
  download: true,
  setup: true,
  attachmentLost: true,
  unexpected: true,
};

function isFailure(value: unknown): boolean {
  return (
    typeof value === 'object' &&
    value !== null &&
    'kind' in value &&
    typeof value.kind === 'string' &&
    Object.hasOwn(failureKinds, value.kind)
  );
}

// An error kind from an older or newer version is shown as unexpected. The line itself stays unchanged.
export const failureSchema = v.fallback(v.custom<ApiFailure>(isFailure), { kind: 'unexpected', message: '' });

const id = v.pipe(v.string(), v.minLength(1), v.maxLength(64));
const written = { writer: v.pipe(v.string(), v.maxLength(64)), at: v.number() };
// The previous message on the visible path; null for the first.
const after = v.exactOptional(v.nullable(id));
// Counts switches between a message's versions over all windows: the highest one wins.
const turn = v.pipe(v.number(), v.integer(), v.minValue(1));
// Set for another version of a message: the ID of the first one. The new version is shown from now on.
const version = v.exactOptional(v.object({ of: id, turn }));

// The ID names a file, so nothing else is accepted.
const attachmentFacts = {
  id: v.pipe(v.string(), v.uuid()),
  name: v.string(),
  detail: v.string(),
  tokens: v.number(),
  at: v.number(),
};

/** A message's attachment, as stored in a file. */
export const attachmentSchema = v.variant('kind', [
  v.object({
    kind: v.literal('picture'),
    mediaType: v.picklist(['image/png', 'image/jpeg', 'image/webp', 'image/gif']),
    width: v.number(),
    height: v.number(),
    bytes: v.number(),
    ...attachmentFacts,
  }),
  v.object({
    kind: v.picklist(contextKinds),
    ...attachmentFacts,
  }),
]) satisfies v.GenericSchema<Attachment>;

/** What the end of a reply contains, both in a conversation and in the request history. */
export const replyEndFields = {
  outcome: v.picklist(['done', 'incomplete', 'stopped', 'failed']),
  metrics: metricsSchema,
  finishReason: v.exactOptional(v.string()),
  requestId: v.exactOptional(v.string()),
  failure: v.exactOptional(failureSchema),
  attempts: v.exactOptional(v.number()),
  answeredBy: v.exactOptional(v.string()),
};

const recordSchema = v.variant('type', [
  v.object({ type: v.literal('created'), version: v.literal(1), ...written }),
  v.object({ type: v.literal('titled'), title: v.string(), ...written }),
  v.object({ type: v.literal('optionsSet'), options: chatOptionsSchema, ...written }),
  v.object({
    type: v.literal('asked'),
    id,
    text: v.string(),
    attachments: v.exactOptional(v.array(attachmentSchema)),
    after,
    version,
    ...written,
  }),
  v.object({
    type: v.literal('replyStarted'),
    id,
    model: v.string(),
    pid: v.number(),
    after,
    version,
    ...written,
  }),
  // Another version of a message is shown, and what followed it.
  v.object({ type: v.literal('versionShown'), id, turn, ...written }),
  v.object({
    type: v.literal('replyGrew'),
    id,
    part: v.picklist(['text', 'reasoning']),
    // Length of the part before this text, so that a line that was written twice changes nothing.
    offset: v.number(),
    text: v.string(),
    ...written,
  }),
  v.object({
    type: v.literal('replyEnded'),
    id,
    ...replyEndFields,
    leastTokens: v.exactOptional(v.number()),
    sentAtLeast: v.exactOptional(v.number()),
    ...written,
  }),
  v.object({ type: v.literal('removed'), ids: v.array(id), ...written }),
  v.object({ type: v.literal('restored'), ids: v.array(id), ...written }),
  v.object({ type: v.literal('sentFrom'), id: v.nullable(id), ...written }),
  // A summary was written for another conversation. Its text isn't part of this one, but its cost is.
  v.object({
    type: v.literal('summarized'),
    model: v.string(),
    outcome: replyEndFields.outcome,
    metrics: metricsSchema,
    ...written,
  }),
  v.object({ type: v.literal('continues'), conversationId: conversationIdSchema, title: v.string(), ...written }),
  v.object({ type: v.literal('deleted'), ...written }),
  v.object({ type: v.literal('undeleted'), ...written }),
]);

/**
 * One line of a conversation's file. A conversation is the sum of its records, in order, and nothing in the file ever
 * changes. `writer` is the window that wrote it, `at` Unix time in milliseconds.
 */
export type ConversationRecord = v.InferOutput<typeof recordSchema>;

/** A record before its window and time are known. */
export type ConversationFact = Unstamped<ConversationRecord>;

/** One line of text for a record, without a line break. */
export function encodeRecord(record: ConversationRecord): string {
  return JSON.stringify(record);
}

/** The record in a line, or undefined if the line is incomplete, damaged, or from an unknown version. */
export function decodeRecord(line: string): ConversationRecord | undefined {
  const value = jsonIn(line);
  if (isGrowth(value)) return value;
  const parsed = v.safeParse(recordSchema, value);
  return parsed.success ? parsed.output : undefined;
}

type Growth = Extract<ConversationRecord, { type: 'replyGrew' }>;

/** The schema's check, written by hand, because nearly all lines of a long conversation are of this kind. */
function isGrowth(value: unknown): value is Growth {
  if (typeof value !== 'object' || value === null) return false;
  const line: { readonly [K in keyof Growth]?: unknown } = value;
  return (
    line.type === 'replyGrew' &&
    typeof line.id === 'string' &&
    (line.part === 'text' || line.part === 'reasoning') &&
    typeof line.offset === 'number' &&
    typeof line.text === 'string' &&
    typeof line.writer === 'string' &&
    typeof line.at === 'number'
  );
}
