import * as v from 'valibot';
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
  /** All of its models were given up; this is the failure that ended the last. */
  v.object({ reason: v.literal('failed'), failure: failureSchema }),
  /** A line couldn't be written, and nothing is sent that isn't on disk first. */
  v.object({ reason: v.literal('disk') }),
]);

const recordSchema = v.variant('type', [
  v.object({ type: v.literal('created'), version: v.literal(1), experiment: experimentSchema, ...written }),
  v.object({ type: v.literal('runStarted'), run: id, ...written }),
  // On disk before the first byte is sent.
  v.object({ type: v.literal('sending'), run: id, attempt: id, request: key, ...written }),
  v.object({
    type: v.literal('ended'),
    attempt: id,
    outcome: v.picklist(['done', 'incomplete', 'stopped', 'failed']),
    /** Nothing was sent, or it was refused before anything could be charged: it can be sent again. */
    isOpen: v.exactOptional(v.literal(true)),
    failure: v.exactOptional(failureSchema),
    finishReason: v.exactOptional(v.string()),
    /** The service's name for the request. */
    requestId: v.exactOptional(v.string()),
    sample: v.exactOptional(replySampleSchema),
    /** Currency units, at that moment's prices. */
    cost: v.exactOptional(v.number()),
    text: v.exactOptional(v.string()),
    reasoning: v.exactOptional(v.string()),
    ...written,
  }),
  /** Nothing more is sent to this model in this run. */
  v.object({ type: v.literal('gaveUp'), run: id, model: v.string(), failure: failureSchema, ...written }),
  /** How long events waited here before they were handled, in milliseconds: at most so long for 95% of them. */
  v.object({ type: v.literal('heldUp'), run: id, p95Ms: v.pipe(v.number(), v.finite(), v.minValue(0)), ...written }),
  v.object({ type: v.literal('runEnded'), run: id, end: runEndSchema, ...written }),
]);

/**
 * One line of an experiment's file. The experiment is the sum of its lines, in any order; nothing in the file is ever
 * changed. `writer` is the mark of the process that wrote it, `at` Unix time in milliseconds.
 */
export type ExperimentRecord = v.InferOutput<typeof recordSchema>;
export type RunEnd = v.InferOutput<typeof runEndSchema>;
export type AttemptEnd = Extract<ExperimentRecord, { type: 'ended' }>;

type Unstamped<T> = T extends unknown ? Omit<T, 'writer' | 'at'> : never;
/** A record before its writer and time are known. */
export type ExperimentFact = Unstamped<ExperimentRecord>;

export function encodeExperimentRecord(record: ExperimentRecord): string {
  return JSON.stringify(record);
}

/** Undefined for a line that is incomplete, damaged, or from a version that isn't known here. */
export function decodeExperimentRecord(line: string): ExperimentRecord | undefined {
  try {
    const parsed = v.safeParse(recordSchema, JSON.parse(line));
    return parsed.success ? parsed.output : undefined;
  } catch {
    return undefined;
  }
}
