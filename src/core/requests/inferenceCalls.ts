import type { ModelRef } from '../../shared/modelRef.ts';
import type { RequestOrigin } from './requestRecord.ts';
import type { AnswerOptions, CallOptions } from '../../api/callOptions.ts';
import type { ChatOperation } from '../../api/operations/chatCompletion.ts';
import type { WholeOperation } from '../../api/operations/operation.ts';
import type { ChatEvent } from '../../api/types.ts';
import type { RequestOperation } from './requestOperations.ts';

/** Everything that Parlance sends to the service: the operations that request history has a row for. */
export interface InferenceCalls {
  /** @throws {ApiError}, or the signal's reason on a cancel. Leaving the loop early aborts the request. */
  stream(operation: ChatOperation, options?: CallOptions): AsyncIterable<ChatEvent>;
  /**
   * @throws {ApiError}, or the signal's reason on a cancel. A failed request might still have been carried out and
   * charged: see `mayHaveBeenMade`. That includes a cancel after the request was sent.
   */
  ask<Answer>(operation: WholeOperation<Answer, RequestOperation>, options?: AnswerOptions): Promise<Answer>;
}

/** All services' calls, each recorded in request history. */
export interface RecordedCalls {
  /**
   * Recorded as sent from there.
   * @param stop called if the user stops one of these calls from the request history
   */
  from(
    origin: RequestOrigin,
    stop?: () => void,
  ): {
    /** ID of the service that has the model. */
    forModel(model: ModelRef): InferenceCalls;
  };
}
