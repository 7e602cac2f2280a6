import type { Attachment } from './attachment.ts';
import type { ChatNumbers } from './chatParameters.ts';
import type { Problem } from './problem.ts';

/** What a person set for a conversation. A field that is absent is not sent to the service. */
export interface ChatOptions extends ChatNumbers {
  readonly model?: string;
  readonly systemPrompt?: string;
  readonly stream?: boolean;
}

/**
 * A number with its origin: `service` sent it; `here` was measured in the editor; `estimate` was
 * counted from the text, because no token count came.
 */
export interface Figure {
  readonly value: number;
  readonly from: 'service' | 'here' | 'estimate';
}

/** Speed and size of one reply. A figure that is neither sent nor measurable is absent. */
export interface ReplyMetrics {
  readonly timeToFirstTokenSeconds?: Figure;
  readonly tokensPerSecond?: Figure;
  readonly totalSeconds?: Figure;
  readonly promptTokens?: Figure;
  readonly completionTokens?: Figure;
}

/**
 * `running` in this window; `elsewhere` in another window; `done`; `incomplete` (cut off: the finish reason says why,
 * or the stream ended without one); `stopped` by the user; `failed` with a problem; `interrupted` by a crash or
 * a closed window.
 */
export type ReplyState = 'running' | 'elsewhere' | 'done' | 'incomplete' | 'stopped' | 'failed' | 'interrupted';

export interface UserMessageView {
  readonly role: 'user';
  readonly id: string;
  /** Unix time in milliseconds. */
  readonly at: number;
  readonly text: string;
  readonly attachments?: readonly Attachment[];
  /** All versions of this message, itself among them, in the order in which they began. Absent where it's the only one. */
  readonly versions?: readonly VersionView[];
}

export interface ReplyView {
  readonly role: 'assistant';
  readonly id: string;
  /** Unix time in milliseconds of the moment the request was made. */
  readonly at: number;
  /** The model that was asked. */
  readonly model: string;
  readonly text: string;
  /** What a reasoning model thought aloud; empty for others. */
  readonly reasoning: string;
  /** How long that took, of a reply that has ended; absent where it came all at once. */
  readonly thoughtSeconds?: number;
  readonly state: ReplyState;
  readonly metrics: ReplyMetrics;
  /** As the service sent it; unknown values are shown as they are. */
  readonly finishReason?: string;
  readonly requestId?: string;
  /** The model that replied, where it isn't the one that was asked. */
  readonly answeredBy?: string;
  readonly problem?: Problem;
  /** Set while a failed attempt is waiting to be repeated. */
  readonly retry?: RetryView;
  /** All versions of this reply, itself among them, in the order in which they began. Absent where it's the only one. */
  readonly versions?: readonly VersionView[];
}

/** Another wording of a question, or another reply to it. */
export interface VersionView {
  readonly id: string;
  /** Of a reply. */
  readonly model?: string;
  /** Of a reply that has ended. */
  readonly metrics?: ReplyMetrics;
}

/** An automatic retry that is being waited for. */
export interface RetryView {
  /** The attempt that comes next, counted from 1. */
  readonly attempt: number;
  /** Unix time in milliseconds at which it starts. */
  readonly at: number;
  /** The title of the problem that caused it. */
  readonly reason: string;
}

export type MessageView = UserMessageView | ReplyView;
