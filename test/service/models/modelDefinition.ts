import type { RowDress } from '../catalog/rowDresses.ts';
import type { ChatRequest } from '../chatRequest.ts';
import type { CreditBalance } from '../creditBalance.ts';
import type { Fault } from '../faults/faultScript.ts';
import type { Delivery } from '../files/delivery.ts';
import type { ServiceError } from '../serviceError.ts';

/** A piece of a reply; a model yields any number, of any length. */
export type ReplyPart = SpokenPart | ToolCallPart;

interface SpokenPart {
  readonly part: 'text' | 'reasoning';
  readonly text: string;
}

/** A piece of a tool call's arguments; the pieces of one call are consecutive. */
export interface ToolCallPart {
  readonly part: 'toolCall';
  readonly id: string;
  readonly name: string;
  /** The service expects it back with the call, like Gemini and OpenRouter. */
  readonly signature?: string;
  /** JSON, or a piece of it. */
  readonly text: string;
}

/** In credits. */
export interface Price {
  readonly perPromptToken: number;
  readonly perCompletionToken: number;
  readonly perRequest: number;
  /** Seconds of generated video or heard audio: 0 by default. */
  readonly perSecond?: number;
}

/** Writes a reply. */
export interface Writing {
  readonly type: 'writing';
  readonly reply: (request: ChatRequest) => Iterable<ReplyPart>;
  /** Overrides the service's speed. */
  readonly tokensPerSecond?: number;
  /** Overrides the service's wait before the first token. */
  readonly firstTokenDelayMs?: number;
  /** False for a model that sends neither usage nor metrics. */
  readonly sendsFigures: boolean;
  /** True for a model that accepts images between the words. */
  readonly sees: boolean;
}

/** Generates a video. */
export interface Filming {
  readonly type: 'filming';
  /** What the response contains: a link as `url` or `video_url`, a job instead, or nothing. */
  readonly answer: 'url' | 'videoUrl' | 'job' | 'empty' | 'noLink';
  readonly delivery: Delivery;
  /** Overrides the service's minimum generation time. */
  readonly seconds?: number;
}

/** Paints an image. */
export interface Painting {
  readonly type: 'painting';
  /** Its response by default: a link, base64 inside the JSON, or only the bytes. */
  readonly answer: 'url' | 'base64' | 'bytes';
}

/** States facts about audio. */
export interface Hearing {
  readonly type: 'hearing';
  /** True for a model that returns segments by default. */
  readonly isVerbose: boolean;
}

/** Breaks the response in one particular way, whatever the request. */
interface Breaking {
  readonly type: 'breaking';
  readonly fault: Fault;
}

/** Returns one error, whatever the request. */
interface Refusing {
  readonly type: 'refusing';
  readonly refusal: () => ServiceError;
}

export type ModelKind = 'chat' | 'multimodal' | 'image' | 'video' | 'audio';

export interface ModelDefinition {
  /** `<provider>/<name>`; the provider is `local`, except for aliases. */
  readonly id: string;
  /** One line: what the model does. */
  readonly description: string;
  readonly kind: ModelKind;
  /** Tokens. */
  readonly contextWindow: number;
  /** Tokens. */
  readonly maxOutputTokens: number;
  readonly price: Price;
  /** True for models that are in the catalog only on request. */
  readonly hidden: boolean;
  /** Drops the beginning of a request that is too long, and counts the rest, instead of returning an error. */
  readonly dropsBeginning?: boolean;
  /** The form of its catalog row: `full` by default. */
  readonly dress?: RowDress;
  /** Rejects a request before anything is written by throwing a ServiceError. */
  readonly gate?: (request: ChatRequest) => void;
  /** Pays instead of the account. */
  readonly balance?: CreditBalance;
  readonly behavior: Writing | Filming | Painting | Hearing | Breaking | Refusing;
}
