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
  /** Sent as they are, after the system prompt of the options. */
  messages,
  options: v.exactOptional(chatOptionsSchema),
});

const modelSchema = v.object({
  id: name,
  /** Names a service that the user added; absent for the one in the settings. */
  service: v.exactOptional(name),
  /** For a column with parameters of its own. */
  options: v.exactOptional(chatOptionsSchema),
  /** What was said to this model and by it before the prompt, for a follow-up. */
  before: v.exactOptional(messages),
  /** The column of a comparison that its replies are shown in. */
  column: v.exactOptional(id),
});

/** Which question of which comparison this is. A comparison is made of the experiments that name it. */
const turnSchema = v.object({
  comparison: id,
  /** The same for a question and for what is asked again. */
  turn: id,
  /** What the person wrote. */
  text: v.string(),
  attachments: v.exactOptional(v.array(attachmentSchema)),
  /** Names and figures were hidden until the vote. */
  isBlind: v.exactOptional(v.literal(true)),
});

const milliseconds = v.exactOptional(v.pipe(v.number(), v.finite(), v.gtValue(0)));
const targetSchema = v.object({ firstMs: milliseconds, perTokenMs: milliseconds, endToEndMs: milliseconds });

export const experimentSchema = v.object({
  id,
  kind: v.picklist(['comparison', 'measurement', 'checks']),
  title: v.exactOptional(v.string()),
  of: v.exactOptional(turnSchema),
  /** Host of the service in the settings, for telling two runs apart. */
  host: v.exactOptional(v.string()),
  /** What a reply must keep to for goodput. */
  target: v.exactOptional(targetSchema),
  prompts: v.array(promptSchema),
  models: v.array(modelSchema),
  /** How often each model gets each prompt. */
  repeats: count,
  /**
   * `allAtOnce`: every model has lanes of its own, so that they race each other. `interleaved`: the models take turns
   * in shared lanes, so that whatever slows the service down meets all of them. `oneAfterAnother`: a model starts
   * when the one before has finished, which is the fair way for models on the same machine.
   */
  order: v.picklist(['allAtOnce', 'interleaved', 'oneAfterAnother']),
  /** Requests in flight: of each model for `allAtOnce`, otherwise in total. With several, each is run in turn. */
  concurrency: v.array(count),
  /** Requests to each model beforehand that aren't measured. */
  warmUp: v.pipe(v.number(), v.integer(), v.minValue(0)),
  /** Starts each request with text that no other has, so that none is answered from a prompt cache. */
  hasUniquePrefix: v.boolean(),
  /** Whether the record keeps the text of replies, and not only their figures. */
  keepsReplies: v.boolean(),
  limits: v.object({
    requests: optionalCount,
    /** Of prompts and replies together. */
    tokens: optionalCount,
    /** Currency units. */
    cost: v.exactOptional(v.pipe(v.number(), v.finite(), v.gtValue(0))),
    minutes: v.exactOptional(v.pipe(v.number(), v.finite(), v.gtValue(0))),
  }),
  /** For every request; a prompt's and then a model's come before them. */
  options: v.exactOptional(chatOptionsSchema),
});

/** Prompts × models × repeats, and how they are sent. Never changed once it has begun. */
export type Experiment = v.InferOutput<typeof experimentSchema>;
export type ExperimentPrompt = Experiment['prompts'][number];
export type ExperimentModel = Experiment['models'][number];
export type ExperimentLimit = keyof Experiment['limits'];

/** Two models are the same if their keys are: the model's ID, and the service's name where it has one. */
export function modelKey({ id: model, service }: Pick<ExperimentModel, 'id' | 'service'>): string {
  return JSON.stringify([service ?? '', model]);
}

/** IDs begin with the kind, so that a list of one kind doesn't read the files of the others. */
export function experimentId(kind: Experiment['kind'], unique: string): string {
  return `${kind}-${unique}`;
}
