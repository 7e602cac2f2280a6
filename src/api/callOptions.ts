import type { CallObserver } from './callObserver.ts';
import type { ApiChoice, AttemptEvent, HostForm } from './types.ts';

export interface CallOptions {
  readonly signal?: AbortSignal;
  /** Asks this form of the host and no other; where absent, the current one first. */
  readonly hostForm?: HostForm;
  /** Which of the service's two APIs is asked. Where absent: what the client was made for. */
  readonly api?: ApiChoice;
  /** Told of each HTTP exchange of this call. */
  readonly observer?: CallObserver;
}

/** For calls whose answer comes in one piece. */
export interface AnswerOptions extends CallOptions {
  /** Told of each attempt and of each wait, which may last up to 30 s and ends on a cancel. */
  readonly onAttempt?: (event: AttemptEvent) => void;
}
