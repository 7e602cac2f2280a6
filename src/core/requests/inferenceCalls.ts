import type { ModelRef } from '../../shared/modelRef.ts';
import type { RequestOrigin } from './requestRecord.ts';
import type { AnswerOptions, CallOptions } from '../../api/callOptions.ts';
import type { ChatOperation } from '../../api/operations/chatCompletion.ts';
import type { WholeOperation } from '../../api/operations/operation.ts';
import type { ChatEvent } from '../../api/types.ts';
import type { RequestOperation } from './requestOperations.ts';

/** All that Parlance asks of the service: operations that request history has a row for. */
export interface InferenceCalls {
  /** @throws {ApiError}, or the signal's reason on a cancel. Leaving the loop early aborts the request. */
  stream(operation: ChatOperation, options?: CallOptions): AsyncIterable<ChatEvent>;
  /**
   * @throws {ApiError}, or the signal's reason on a cancel. What failed may have been made and charged all the same:
   * `mayHaveBeenMade` tells. That holds for a cancel too, once it was sent.
   */
  ask<Answer>(operation: WholeOperation<Answer, RequestOperation>, options?: AnswerOptions): Promise<Answer>;
}

/** All services' calls, each written into request history. */
export interface RecordedCalls {
  /** Logged as asked from there. */
  from(origin: RequestOrigin): {
    /** The service that has the model. */
    forModel(model: ModelRef): InferenceCalls;
  };
}
