import type { CallObserver } from './callObserver.ts';
import type { ApiChoice, AttemptEvent, HostForm } from './types.ts';

export interface CallOptions {
  readonly signal?: AbortSignal;
  /** Uses only this form of the host. If absent, the current one comes first. */
  readonly hostForm?: HostForm;
  /** Which of the service's two APIs to use. If absent, the one that the client was created for. */
  readonly api?: ApiChoice;
  /** Called for each HTTP exchange of this call. */
  readonly observer?: CallObserver;
}

/** For calls whose response arrives in one piece. */
export interface AnswerOptions extends CallOptions {
  /** Called for each attempt and each wait. A wait can last up to 30 s and ends on a cancel. */
  readonly onAttempt?: (event: AttemptEvent) => void;
}
