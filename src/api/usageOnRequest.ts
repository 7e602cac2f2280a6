import type { ApiFailure } from '../shared/apiFailure.ts';
import type { MultimodalChatRequest } from './mediaTypes.ts';
import { jsonBody, type Operation } from './operation.ts';
import { type FactStore, usageFact } from './serviceFacts.ts';
import type { ChatRequest } from './types.ts';

/** A streamed chat that asks for usage where the service sends it only on request. */
export interface UsageAskingChat {
  readonly operation: Operation;
  /** A streamed reply of this service came to its end. */
  ended(service: string, hasUsage: boolean): void;
}

/**
 * Once a reply of a service came without usage, the next request asks for it with `stream_options`, the one
 * field that the spec lacks; a refusal that names the field ends that, and the request is sent without it.
 */
export function askingForUsage(
  operation: Operation,
  request: ChatRequest | MultimodalChatRequest,
  facts: FactStore,
  now: () => number,
): UsageAskingChat {
  if (!request.stream) return { operation, ended: () => undefined };
  let asked: string | undefined;
  let isGivenUp = false;
  return {
    operation: {
      ...operation,
      body: (service) => {
        asked = !isGivenUp && usageFact(facts.of(service), now()) === 'onRequest' ? service : undefined;
        return jsonBody(asked === undefined ? request : { ...request, stream_options: { include_usage: true } });
      },
      corrects: (failure) => {
        if (asked === undefined || !namesTheField(failure)) return false;
        facts.learnedUsage(asked, 'never', now());
        asked = undefined;
        isGivenUp = true;
        return true;
      },
    },
    ended: (service, hasUsage) => {
      if (facts.of(service).usage === undefined) facts.learnedUsage(service, hasUsage ? 'sent' : 'onRequest', now());
    },
  };
}

function namesTheField(failure: ApiFailure): boolean {
  if (!('status' in failure) || (failure.status !== 400 && failure.status !== 422) || !('message' in failure))
    return false;
  // The name of a field that was sent, wherever the service quotes it.
  return /stream_options|include_usage/.test(`${failure.param ?? ''} ${failure.message}`);
}
