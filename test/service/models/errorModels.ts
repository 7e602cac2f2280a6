import { ServiceError } from '../serviceError.ts';
import type { ModelDefinition } from './modelDefinition.ts';
import { usualPrice } from './writingModel.ts';

interface ErrorModel {
  readonly status: number;
  readonly meaning: string;
  readonly param?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

const errors: readonly ErrorModel[] = [
  { status: 400, meaning: 'a request with an invalid value', param: 'messages' },
  { status: 401, meaning: 'a wrong API key' },
  { status: 402, meaning: 'an account without credits' },
  { status: 403, meaning: "a model that the account can't use" },
  { status: 404, meaning: "a model that doesn't exist" },
  { status: 408, meaning: 'a request that arrived too slowly' },
  { status: 413, meaning: 'an input beyond the context window' },
  { status: 418, meaning: 'a teapot' },
  { status: 429, meaning: 'too many requests, with Retry-After: 1', headers: { 'retry-after': '1' } },
  { status: 500, meaning: 'an internal error' },
  { status: 502, meaning: "an upstream provider that doesn't exist" },
  { status: 503, meaning: 'a service that is overloaded' },
  { status: 504, meaning: 'an upstream provider that took too long' },
];

/** Models that each return one status, whatever the request. */
export function errorModels(): readonly ModelDefinition[] {
  return errors.map(({ status, meaning, ...details }) => ({
    id: `local/error-${status}`,
    description: `Returns ${status}, as for ${meaning}.`,
    kind: 'chat',
    contextWindow: 1_000_000,
    maxOutputTokens: 200_000,
    price: usualPrice,
    hidden: true,
    behavior: {
      type: 'refusing',
      refusal: () => new ServiceError(status, `local/error-${status} always answers as for ${meaning}.`, details),
    },
  }));
}
