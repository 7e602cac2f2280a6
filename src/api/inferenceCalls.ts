import type { CallObserver } from './callObserver.ts';
import type { ApiForm, AttemptEvent, ChatEvent, ChatRequest, HostForm } from './types.ts';

export interface CallOptions {
  readonly signal?: AbortSignal;
  /** Asks this form of the host and no other; where absent, the current one first. */
  readonly hostForm?: HostForm;
  /** Told of each HTTP exchange of this call. */
  readonly observer?: CallObserver;
}

/** Which API a chat goes to, where not the one that is configured. */
export interface ChatApiOption {
  readonly api?: ApiForm;
}

/** For calls whose answer comes in one piece. */
export interface AnswerOptions extends CallOptions {
  /** Told of each attempt and of each wait, which may last up to 30 s and ends on a cancel. */
  readonly onAttempt?: (event: AttemptEvent) => void;
}

/** The chat operation as the floors above see it. Leaving the loop early aborts the request. */
export interface ChatClient {
  /** @throws {ApiError} for every failure; a cancel through `signal` throws the signal's reason. */
  streamChat(request: ChatRequest, options?: CallOptions & ChatApiOption): AsyncIterable<ChatEvent>;
}
