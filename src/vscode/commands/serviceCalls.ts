import type { CallOptions, ChatEvent, ChatRequest } from '../../api/types.ts';

/** What the service's commands ask of the service. */
export interface ServiceCalls {
  /** @throws {ApiError} for every failure; a cancel through `signal` throws the signal's reason. */
  streamChat(request: ChatRequest, options?: CallOptions): AsyncIterable<ChatEvent>;
}
