import type { ApiFailure } from '../../shared/apiFailure.ts';
import type { ChatOperation } from '../operations/chatCompletion.ts';
import { jsonBody } from '../operations/operation.ts';
import { acceptedFields } from './acceptedFields.ts';
import type { FactStore } from './serviceFacts.ts';
import type { ApiForm } from '../types.ts';
import { asksForUsage, type UsageFact, usageOf } from './usageFacts.ts';

/** A streamed chat that asks for usage if the service only sends it on request. */
export interface UsageAskingChat {
  readonly operation: ChatOperation;
  /** A streamed reply of this service finished. */
  ended(service: string, hasUsage: boolean): void;
}

/**
 * After a reply without usage, the next request for the same model asks for it with `stream_options`, a field that isn't
 * in the spec. If a refusal names the field, that stops, and the request is sent again without it.
 */
export function askingForUsage(operation: ChatOperation, facts: FactStore, now: () => number): UsageAskingChat {
  const { model, stream } = operation.request;
  const { request, corrects } = acceptedFields(operation, facts, now);
  if (!stream) {
    const whole = { ...operation, body: (_api: ApiForm, service: string) => jsonBody(request(service)), corrects };
    return { operation: whole, ended: () => undefined };
  }
  let asked: string | undefined;
  let isGivenUp = false;
  const learned = (service: string, is: UsageFact): void => facts.learnedUsage(service, model, { is, at: now() });
  return {
    operation: {
      ...operation,
      body: (_api, service) => {
        const { usageByModel = {} } = facts.of(service);
        asked = !isGivenUp && asksForUsage(usageByModel, model, now()) ? service : undefined;
        const body = request(service);
        return jsonBody(asked === undefined ? body : { ...body, stream_options: { include_usage: true } });
      },
      corrects: (failure) => {
        if (corrects(failure)) return true;
        if (asked === undefined || !namesTheField(failure)) return false;
        learned(asked, 'never');
        asked = undefined;
        isGivenUp = true;
        return true;
      },
    },
    ended: (service, hasUsage) => {
      const known = usageOf(facts.of(service).usageByModel ?? {}, model);
      if (known === undefined) learned(service, hasUsage ? 'sent' : 'onRequest');
      else if (asked !== undefined && hasUsage && known !== 'given') learned(service, 'given');
    },
  };
}

function namesTheField(failure: ApiFailure): boolean {
  if (!('status' in failure) || (failure.status !== 400 && failure.status !== 422) || !('message' in failure))
    return false;
  // The name of a field that was sent, wherever the service quotes it.
  return /stream_options|include_usage/.test(`${failure.param ?? ''} ${failure.message}`);
}
