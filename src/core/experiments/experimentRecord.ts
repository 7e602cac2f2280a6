import * as v from 'valibot';
import { recordIn, type Unstamped } from '../recordLine.ts';
import { failureSchema } from '../chat/conversationRecord.ts';
import { experimentSchema } from './experiment.ts';
import { replySampleSchema } from './replySample.ts';

const id = v.pipe(v.string(), v.minLength(1), v.maxLength(64));
const key = v.pipe(v.string(), v.minLength(1), v.maxLength(64));
const written = { writer: v.pipe(v.string(), v.maxLength(64)), at: v.number() };

const runEndSchema = v.variant('reason', [
  v.object({ reason: v.literal('done') }),
  v.object({ reason: v.literal('stopped') }),
  v.object({ reason: v.literal('limit'), limit: v.picklist(['requests', 'tokens', 'cost', 'minutes']) }),
  /** All of its models were given up. This is the failure that ended the last one. */
  v.object({ reason: v.literal('failed'), failure: failureSchema }),
  /** A line couldn't be written, and nothing is sent before it's on disk. With the system's code, if it gave one. */
  v.object({ reason: v.literal('disk'), code: v.exactOptional(v.string()) }),
]);

const recordSchema = v.variant('type', [
  v.object({ type: v.literal('created'), version: v.literal(1), experiment: experimentSchema, ...written }),
  v.object({ type: v.literal('runStarted'), run: id, ...written }),
  // Written to disk before the first byte is sent.
  v.object({ type: v.literal('sending'), run: id, attempt: id, request: key, ...written }),
  v.object({
    type: v.literal('ended'),
    attempt: id,
    outcome: v.picklist(['done', 'incomplete', 'stopped', 'failed']),
    /** Nothing was sent, or it was refused before anything could be charged, so it can be resent. */
    isOpen: v.exactOptional(v.literal(true)),
    /** Nothing was sent, so it isn't one of the requests that a limit counts. */
    isUnsent: v.exactOptional(v.literal(true)),
    failure: v.exactOptional(failureSchema),
    finishReason: v.exactOptional(v.string()),
    /** The service's ID of the request. */
    requestId: v.exactOptional(v.string()),
    sample: v.exactOptional(replySampleSchema),
    /** In currency units, at the prices of that moment. */
    cost: v.exactOptional(v.number()),
    text: v.exactOptional(v.string()),
    reasoning: v.exactOptional(v.string()),
    ...written,
  }),
  /** Nothing more is sent to this model in this run. */
  v.object({ type: v.literal('gaveUp'), run: id, model: v.string(), failure: failureSchema, ...written }),
  /** How long events waited here before they were handled, in milliseconds (p95). */
  v.object({ type: v.literal('heldUp'), run: id, p95Ms: v.pipe(v.number(), v.finite(), v.minValue(0)), ...written }),
  v.object({ type: v.literal('runEnded'), run: id, end: runEndSchema, ...written }),
]);

/**
 * One line of an experiment's file. The experiment is the sum of its lines, in any order, and nothing in the file ever
 * changes. `writer` identifies the process that wrote it, `at` is Unix time in milliseconds.
 */
export type ExperimentRecord = v.InferOutput<typeof recordSchema>;
export type RunEnd = v.InferOutput<typeof runEndSchema>;
export type AttemptEnd = Extract<ExperimentRecord, { type: 'ended' }>;

/** A record before its writer and time are known. */
export type ExperimentFact = Unstamped<ExperimentRecord>;

export function encodeExperimentRecord(record: ExperimentRecord): string {
  return JSON.stringify(record);
}

/** Undefined for a line that is incomplete, damaged, or from an unknown version. */
export function decodeExperimentRecord(line: string): ExperimentRecord | undefined {
  return recordIn(line, recordSchema);
}
