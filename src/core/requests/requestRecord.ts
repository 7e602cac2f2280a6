import * as v from 'valibot';
import { recordIn } from '../recordLine.ts';
import { type RequestOperation, requestOperations } from './requestOperations.ts';
import { replyEndFields } from '../chat/conversationRecord.ts';

const isOperation = (name: unknown): name is RequestOperation =>
  typeof name === 'string' && Object.hasOwn(requestOperations, name);
const originKinds = [
  'chat',
  'prompt',
  'languageModel',
  'connectionTest',
  'models',
  'media',
  'experiment',
  'again',
  'other',
] as const;

/** Which part of Parlance sent it. */
export interface RequestOrigin {
  readonly kind: (typeof originKinds)[number];
  /** The conversation that the reply belongs to. */
  readonly conversationId?: string;
  /** The prompt that was run, by its name. */
  readonly prompt?: string;
  /** The request that was run again. */
  readonly repeats?: string;
  /**
   * The experiment that it's part of, and its attempt there. `load`: this many requests to the service were in flight at
   * once; absent for one at a time. `isWarmUp`: its reply only prepares the model for the next ones
   */
  readonly experiment?: {
    readonly id: string;
    readonly attempt: string;
    readonly load?: number;
    readonly isWarmUp?: boolean;
  };
}

const id = v.pipe(v.string(), v.minLength(1), v.maxLength(64));
const written = { writer: v.pipe(v.string(), v.maxLength(64)), at: v.number() };

const recordSchema = v.variant('type', [
  v.object({
    type: v.literal('started'),
    id,
    pid: v.number(),
    operation: v.custom<RequestOperation>(isOperation),
    origin: v.object({
      // A newer version might have more of them.
      kind: v.fallback(v.picklist(originKinds), 'other'),
      conversationId: v.exactOptional(v.string()),
      prompt: v.exactOptional(v.string()),
      repeats: v.exactOptional(v.string()),
      experiment: v.exactOptional(
        v.object({
          id: v.string(),
          attempt: v.string(),
          load: v.exactOptional(v.number()),
          isWarmUp: v.exactOptional(v.boolean()),
        }),
      ),
    }),
    /** ID of the service; absent for the one with `mainServiceId`. */
    service: v.exactOptional(v.pipe(v.string(), v.maxLength(300))),
    model: v.exactOptional(v.string()),
    /** The beginning of the question, on one line; absent if content isn't saved. */
    asked: v.exactOptional(v.string()),
    ...written,
  }),
  v.object({
    type: v.literal('ended'),
    id,
    ...replyEndFields,
    /** For the last response. */
    status: v.exactOptional(v.number()),
    /** In currency units, at the model list's prices of that moment. */
    cost: v.exactOptional(v.number()),
    ...written,
  }),
  v.object({ type: v.literal('deleted'), ids: v.array(id), ...written }),
]);

/**
 * One line of the request history. A request is the sum of its records. A start without an end is still running, or its
 * window was closed. `writer` is the window, `at` Unix time in milliseconds.
 */
export type RequestRecord = v.InferOutput<typeof recordSchema>;
export type RequestStart = Extract<RequestRecord, { type: 'started' }>;
export type RequestEnd = Extract<RequestRecord, { type: 'ended' }>;

export function encodeRequestRecord(record: RequestRecord): string {
  return JSON.stringify(record);
}

/** The record in a line, or undefined if the line is incomplete, damaged, or from an unknown version. */
export function decodeRequestRecord(line: string): RequestRecord | undefined {
  return recordIn(line, recordSchema);
}
