import type { ModelRef } from './modelRef.ts';
import type { Attachment } from './attachment.ts';
import { type ChatNumbers, type ChatParameterName, chatParameters } from './chatParameters.ts';
import { keysOf, mapTable } from './mapTable.ts';
import type { Problem } from './problem.ts';

/** What a user set for a conversation. A field that is absent isn't sent to the service. */
export interface ChatOptions extends ChatNumbers {
  readonly model?: ModelRef;
  readonly systemPrompt?: string;
  readonly stream?: boolean;
}

type OptionName = keyof ChatOptions;
/** Everything a user sets besides the model. */
export type ParameterName = Exclude<OptionName, 'model'>;

/** Each option's name in a request; null for what isn't a field there. */
export const optionWires = {
  model: 'model',
  systemPrompt: null,
  ...mapTable(chatParameters, ({ wire }) => wire),
  stream: 'stream',
} as const satisfies Readonly<Record<OptionName, string | null>>;
export const optionNames = keysOf(optionWires);

type EveryOption = { readonly [K in Exclude<OptionName, ChatParameterName>]: ChatOptions[K] | undefined } & {
  readonly [K in ChatParameterName]?: number | undefined;
};

/** The options that are set. A caller names each one, so that none is forgotten. */
export function chatOptionsOf(options: EveryOption): ChatOptions {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- Object.fromEntries forgets which value is whose
  return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined)) as ChatOptions;
}

/**
 * A number with its origin: `service` sent it, `here` was measured in the editor, `estimate` was counted from the text
 * because no token count arrived.
 */
export interface Figure {
  readonly value: number;
  readonly from: 'service' | 'here' | 'estimate';
}

/** Speed and size of one reply. A figure that is neither sent nor measurable is absent. */
export interface ReplyMetrics {
  readonly timeToFirstTokenSeconds?: Figure;
  readonly tokensPerSecond?: Figure;
  /** That speed is lower than the speed of writing: the reply arrived at once, so only its total time is known. */
  readonly hasWaitInRate?: true;
  readonly totalSeconds?: Figure;
  readonly promptTokens?: Figure;
  readonly completionTokens?: Figure;
}

/**
 * `running` in this window, `elsewhere` in another window, `done`, `incomplete` (cut off: the finish reason says why,
 * or the stream ended without one), `stopped` by the user, `failed` with a problem, or `interrupted` by a crash or a
 * closed window.
 */
export type ReplyState = 'running' | 'elsewhere' | 'done' | 'incomplete' | 'stopped' | 'failed' | 'interrupted';

export interface UserMessageView {
  readonly role: 'user';
  readonly id: string;
  /** Unix time in milliseconds. */
  readonly at: number;
  readonly text: string;
  readonly attachments?: readonly Attachment[];
  /** All versions of this message, including this one, oldest first. Absent if it's the only one. */
  readonly versions?: readonly VersionView[];
}

export interface ReplyView {
  readonly role: 'assistant';
  readonly id: string;
  /** When the request was sent, as Unix time in milliseconds. */
  readonly at: number;
  /** The requested model. */
  readonly model: ModelRef;
  readonly text: string;
  /** What a reasoning model thought; empty for others. */
  readonly reasoning: string;
  /** How long the reasoning took, in milliseconds, once the reply has ended; absent if it arrived all at once. */
  readonly thoughtSeconds?: number;
  readonly state: ReplyState;
  readonly metrics: ReplyMetrics;
  /** As the service sent it; unknown values are shown unchanged. */
  readonly finishReason?: string;
  readonly requestId?: string;
  /** The model that replied, if it isn't the requested one. */
  readonly answeredBy?: string;
  readonly problem?: Problem;
  /** Set while a failed attempt is waiting for its retry. */
  readonly retry?: RetryView;
  /** All versions of this reply, including this one, oldest first. Absent if it's the only one. */
  readonly versions?: readonly VersionView[];
}

/** Another wording of a question, or another reply to it. */
export interface VersionView {
  readonly id: string;
  /** Only for a reply. */
  readonly model?: ModelRef;
  /** Only for a reply that has ended. */
  readonly metrics?: ReplyMetrics;
}

/** An automatic retry that is due. */
export interface RetryView {
  /** Number of the next attempt, counted from 1. */
  readonly attempt: number;
  /** When it starts, as Unix time in milliseconds. */
  readonly at: number;
  /** The title of the problem that caused it. */
  readonly reason: string;
}

export type MessageView = UserMessageView | ReplyView;
