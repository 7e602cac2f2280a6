import { createHash } from 'node:crypto';
import type { ChatRequest } from '../chatRequest.ts';
import { CreditBalance } from '../creditBalance.ts';
import { RateLimiter } from '../rateLimiter.ts';
import { ServiceError } from '../serviceError.ts';
import type { ModelDefinition } from './modelDefinition.ts';
import { writingModel } from './writingModel.ts';

/** Echo models that reject some requests for a particular reason. */
export function refusingModels(now: () => number): readonly ModelDefinition[] {
  const limiter = new RateLimiter({ burst: 1, refillMs: 10_000, scope: 'local/limited', now });
  const seen = new Set<string>();
  return [
    writingModel(
      'local/limited',
      'Repeats the last user message, once in 10 s; sooner, it returns 429 with Retry-After.',
      {
        gate: () => limiter.take(),
      },
    ),
    writingModel('local/costly', 'Repeats the last user message for 0.5 credits of its own 1: two replies, then 402.', {
      price: { perPromptToken: 0, perCompletionToken: 0, perRequest: 0.5 },
      balance: new CreditBalance(1),
    }),
    {
      ...writingModel('local/locked', "Returns 403: the account can't use it."),
      behavior: { type: 'refusing', refusal: () => new ServiceError(403, 'This account may not use local/locked.') },
    },
    writingModel(
      'local/flaky',
      'Returns 502 to the first request of a conversation; repeats the last user message when asked again.',
      {
        gate: (request) => failOnce(request, seen),
      },
    ),
  ];
}

function failOnce(request: ChatRequest, seen: Set<string>): void {
  const conversation = createHash('sha256').update(JSON.stringify(request.messages)).digest('base64');
  if (seen.has(conversation)) return;
  seen.add(conversation);
  throw new ServiceError(502, 'The model was not ready. The same request works the next time.');
}
