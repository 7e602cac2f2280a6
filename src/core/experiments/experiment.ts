import * as v from 'valibot';
import type { ChatRequest } from '../../api/operations/chatCompletion.ts';
import { attachmentSchema, chatOptionsSchema, numberSchema } from '../chat/conversationRecord.ts';

const id = v.pipe(v.string(), v.minLength(1), v.maxLength(64));
const name = v.pipe(v.string(), v.minLength(1));
const count = numberSchema('count');
const optionalCount = v.exactOptional(count);

function isMessage(value: unknown): value is ChatRequest['messages'][number] {
  if (typeof value !== 'object' || value === null || !('role' in value) || !('content' in value)) return false;
  return typeof value.role === 'string' && (typeof value.content === 'string' || Array.isArray(value.content));
}

const messages = v.array(v.custom<ChatRequest['messages'][number]>(isMessage));

const promptSchema = v.object({
  /** Unique in the experiment. */
  id,
  title: v.exactOptional(v.string()),
  /** Sent unchanged, after the system prompt of the options. */
  messages,
  options: v.exactOptional(chatOptionsSchema),
});

const modelSchema = v.object({
  /** With its service: a `ModelRef`. */
  id: name,
  /**
   * Host of its service when the experiment was created. Nothing is sent to any other host. Absent if any will do: then
   * that of a run's first request.
   */
  host: v.exactOptional(v.string()),
  /** Identifies a column with its own parameters. */
  options: v.exactOptional(chatOptionsSchema),
  /** The messages of this model before the prompt, for a follow-up. */
  before: v.exactOptional(messages),
  /** The column of a comparison that shows its replies. */
  column: v.exactOptional(id),
});

/** Identifies a question of a comparison. A comparison consists of the experiments that name it. */
const turnSchema = v.object({
  comparison: id,
  /** The same for a question and for its retries. */
  turn: id,
  /** The user's text. */
  text: v.string(),
  attachments: v.exactOptional(v.array(attachmentSchema)),
  /** Names and figures were hidden until the vote. */
  isBlind: v.exactOptional(v.literal(true)),
  /** The parameters that were set for the whole comparison, without the settings and those of this question alone. */
  shared: v.exactOptional(chatOptionsSchema),
  /** Those of this question alone, as from a prompt's file. */
  own: v.exactOptional(chatOptionsSchema),
});

const milliseconds = v.exactOptional(v.pipe(v.number(), v.finite(), v.gtValue(0)));
const targetSchema = v.object({ firstMs: milliseconds, perTokenMs: milliseconds, endToEndMs: milliseconds });

export const experimentSchema = v.object({
  id,
  kind: v.picklist(['comparison', 'measurement', 'checks']),
  title: v.exactOptional(v.string()),
  of: v.exactOptional(turnSchema),
  /** Host of the service, or hosts, to distinguish two runs. */
  host: v.exactOptional(v.string()),
  /** The limits that a reply must meet to count for goodput. */
  target: v.exactOptional(targetSchema),
  prompts: v.array(promptSchema),
  models: v.array(modelSchema),
  /** How often each prompt is sent to each model. */
  repeats: count,
  /**
   * `allAtOnce`: every model has its own lanes, so that they race each other. `interleaved`: the models take turns in
   * shared lanes, so that whatever slows the service down affects all of them. `oneAfterAnother`: a model starts when
   * the previous one has finished, which is fair to models on the same machine.
   */
  order: v.picklist(['allAtOnce', 'interleaved', 'oneAfterAnother']),
  /**
   * Requests in flight: per model for `allAtOnce`, otherwise in total. If there are several numbers, each is run in
   * turn.
   */
  concurrency: v.array(count),
  /** Requests per model beforehand that aren't measured. */
  warmUp: v.pipe(v.number(), v.integer(), v.minValue(0)),
  /** Starts each request with unique text, so that none is answered from a prompt cache. */
  hasUniquePrefix: v.boolean(),
  /** Whether the record stores the text of replies, in addition to their figures. */
  keepsReplies: v.boolean(),
  limits: v.object({
    requests: optionalCount,
    /** Tokens of prompts and replies together. */
    tokens: optionalCount,
    /** In currency units. */
    cost: v.exactOptional(v.pipe(v.number(), v.finite(), v.gtValue(0))),
    minutes: v.exactOptional(v.pipe(v.number(), v.finite(), v.gtValue(0))),
  }),
  /** For every request. A prompt's options override these, and a model's override both. */
  options: v.exactOptional(chatOptionsSchema),
  /** The temperature of the options is Parlance's own, so it isn't sent to models that refuse it. */
  hasOwnTemperature: v.exactOptional(v.literal(true)),
});

/** Prompts × models × repeats, and how they're sent. Never changes once it has started. */
export type Experiment = v.InferOutput<typeof experimentSchema>;
export type ExperimentPrompt = Experiment['prompts'][number];
export type ExperimentModel = Experiment['models'][number];
export type ExperimentLimit = keyof Experiment['limits'];

/** Two models are the same if their keys are. The first half is always empty, as in results that are stored. */
export function modelKey({ id: model }: Pick<ExperimentModel, 'id'>): string {
  return JSON.stringify(['', model]);
}

/** The model of a key; undefined for text that isn't one. */
export function modelOfKey(key: string): Pick<ExperimentModel, 'id'> | undefined {
  try {
    const [, model]: readonly unknown[] = [JSON.parse(key)].flat();
    return typeof model === 'string' ? { id: model } : undefined;
  } catch {
    return undefined;
  }
}
