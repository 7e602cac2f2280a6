import type { ChatRequest } from '../chatRequest.ts';
import type { CreditBalance } from '../creditBalance.ts';
import type { Fault } from '../faults/faultScript.ts';

/** A stretch of a reply; a model yields as many as it likes, of any length. */
export interface ReplyPart {
  readonly part: 'text' | 'reasoning';
  readonly text: string;
}

/** In credits. */
export interface Price {
  readonly perPromptToken: number;
  readonly perCompletionToken: number;
  readonly perRequest: number;
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
}

/** Breaks the answer in one particular way. */
interface Breaking {
  readonly type: 'breaking';
  readonly fault: Fault;
}

/** Cannot chat. */
interface NoChat {
  readonly type: 'noChat';
}

export interface ModelDefinition {
  /** `local/<name>`. */
  readonly id: string;
  /** One line: what the model really does. */
  readonly description: string;
  readonly kind: 'chat' | 'video';
  /** Tokens. */
  readonly contextWindow: number;
  /** Tokens. */
  readonly maxOutputTokens: number;
  readonly price: Price;
  /** True for models that are in the catalogue only when asked for. */
  readonly hidden: boolean;
  /** Refuses a request before anything is written, by throwing a ServiceError. */
  readonly gate?: (request: ChatRequest) => void;
  /** Pays in place of the account. */
  readonly balance?: CreditBalance;
  readonly behaviour: Writing | Breaking | NoChat;
}
