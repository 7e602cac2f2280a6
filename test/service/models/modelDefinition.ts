import type { RowDress } from '../catalog/rowDresses.ts';
import type { ChatRequest } from '../chatRequest.ts';
import type { CreditBalance } from '../creditBalance.ts';
import type { Fault } from '../faults/faultScript.ts';
import type { Delivery } from '../files/delivery.ts';
import type { ServiceError } from '../serviceError.ts';

/** A stretch of a reply; a model yields as many as it likes, of any length. */
export type ReplyPart = SpokenPart | ToolCallPart;

interface SpokenPart {
  readonly part: 'text' | 'reasoning';
  readonly text: string;
}

/** A stretch of the arguments of a tool call; those of one call follow each other. */
export interface ToolCallPart {
  readonly part: 'toolCall';
  readonly id: string;
  readonly name: string;
  /** JSON, or a stretch of it. */
  readonly text: string;
}

/** In credits. */
export interface Price {
  readonly perPromptToken: number;
  readonly perCompletionToken: number;
  readonly perRequest: number;
  /** Of video made or audio heard: 0 unless given. */
  readonly perSecond?: number;
}

/** Writes a reply. */
export interface Writing {
  readonly type: 'writing';
  readonly reply: (request: ChatRequest) => Iterable<ReplyPart>;
  /** Replaces the service's rate. */
  readonly tokensPerSecond?: number;
  /** Replaces the service's wait before the first token. */
  readonly firstTokenDelayMs?: number;
  /** False for a model that sends neither usage nor metrics. */
  readonly sendsFigures: boolean;
  /** True for a model that takes images between the words. */
  readonly sees: boolean;
}

/** Makes a video. */
export interface Filming {
  readonly type: 'filming';
  /** What stands in the answer: a link as `url` or `video_url`, a job in place of it, or nothing. */
  readonly answer: 'url' | 'videoUrl' | 'job' | 'empty' | 'noLink';
  readonly delivery: Delivery;
  /** Replaces the service's least making time. */
  readonly seconds?: number;
}

/** Paints an image. */
export interface Painting {
  readonly type: 'painting';
  /** What it answers where the request doesn't say: a link, base64 inside the JSON, or the bytes alone. */
  readonly answer: 'url' | 'base64' | 'bytes';
}

/** Says what is true of audio. */
export interface Hearing {
  readonly type: 'hearing';
  /** True for one that gives segments where the request doesn't say. */
  readonly isVerbose: boolean;
}

/** Breaks the answer in one particular way, whatever it is asked for. */
interface Breaking {
  readonly type: 'breaking';
  readonly fault: Fault;
}

/** Answers one error, whatever it is asked for. */
interface Refusing {
  readonly type: 'refusing';
  readonly refusal: () => ServiceError;
}

export type ModelKind = 'chat' | 'multimodal' | 'image' | 'video' | 'audio';

export interface ModelDefinition {
  /** `<provider>/<name>`; the provider is `local` but for other names of the same models. */
  readonly id: string;
  /** One line: what the model really does. */
  readonly description: string;
  readonly kind: ModelKind;
  /** Tokens. */
  readonly contextWindow: number;
  /** Tokens. */
  readonly maxOutputTokens: number;
  readonly price: Price;
  /** True for models that are in the catalog only when asked for. */
  readonly hidden: boolean;
  /** The form of its row in the catalog: `full` unless given. */
  readonly dress?: RowDress;
  /** Refuses a request before anything is written, by throwing a ServiceError. */
  readonly gate?: (request: ChatRequest) => void;
  /** Pays in place of the account. */
  readonly balance?: CreditBalance;
  readonly behavior: Writing | Filming | Painting | Hearing | Breaking | Refusing;
}
