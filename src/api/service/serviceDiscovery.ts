import type { ApiFailure } from '../../shared/apiFailure.ts';
import { ApiError } from '../apiError.ts';
import type { WholeOperation } from '../operations/operation.ts';
import { listModels } from '../operations/listModels.ts';
import { pathProbe, unknownPathProbe } from '../operations/pathProbe.ts';
import type { ApiForm } from '../types.ts';
import { capabilities, type Capability, isNoSuchPath, type PathFact } from './serviceFacts.ts';

/**
 * Fetches an API's model list, then probes each path with a request that is rejected before any work is done.
 * @param deps.ask fails with an {@link ApiError}.
 * @returns false if no more requests should be sent to the service: it refused the key, asked for a pause, or wasn't
 * reached.
 */
export async function discoverApi(
  api: ApiForm,
  deps: {
    readonly ask: <Answer>(operation: WholeOperation<Answer>, api: ApiForm) => Promise<Answer>;
    readonly learned: (capability: Capability, fact: Omit<PathFact, 'at'>) => void;
  },
): Promise<boolean> {
  const { ask, learned } = deps;
  const list = await failureOf(ask({ ...listModels, retried: 'probe' }, api));
  if (list === undefined) learned('models', { isThere: true, why: 'answered' });
  else if (isClosed(list)) return false;
  else learn('models', list, false);

  // Some servers parse the body before they look at the path, so the path they reject might not exist.
  const unknown = await failureOf(ask(unknownPathProbe, api));
  if (unknown !== undefined && isClosed(unknown)) return false;
  const rejectsAnything = unknown !== undefined && isRejection(unknown);
  for (const capability of capabilities) {
    const probe = capability === 'models' ? undefined : pathProbe(capability, api);
    const failure = probe === undefined ? undefined : await failureOf(ask(probe, api));
    if (failure === undefined) continue;
    if (isClosed(failure)) return false;
    // The compatible API has one path for chats with and without images: that it exists says nothing about images.
    learn(capability, failure, !rejectsAnything && !(api === 'compatible' && capability === 'imageInput'));
  }
  return true;

  function learn(capability: Capability, failure: ApiFailure, isProvenByRejection: boolean): void {
    // A probe names no model, so its 404 isn't about one, even if the path was there before.
    if (isNoSuchPath(failure)) {
      learned(capability, { isThere: false, why: 'noSuchPath' });
    } else if (isProvenByRejection && isRejection(failure)) learned(capability, { isThere: true, why: 'rejected' });
  }
}

async function failureOf(asked: Promise<unknown>): Promise<ApiFailure | undefined> {
  try {
    await asked;
    return undefined;
  } catch (error) {
    if (error instanceof ApiError) return error.failure;
    throw error;
  }
}

/** More requests would fail in the same way, and could get a key or an IP address blocked. */
function isClosed(failure: ApiFailure): boolean {
  switch (failure.kind) {
    case 'setup':
    case 'unauthorized':
    case 'forbidden':
    case 'rateLimited':
    case 'network':
    case 'tls':
    case 'timeout':
    case 'connectionLost':
    case 'proxyAuthRequired':
      return true;
    case 'outOfCredits':
      return failure.status === 403 || failure.status === 429;
    default:
      return false;
  }
}

/** The service parsed the request, and found what was wrong with it. */
function isRejection(failure: ApiFailure): boolean {
  switch (failure.kind) {
    case 'badRequest':
    case 'contextTooLong':
    case 'requestTooLarge':
    case 'outOfCredits':
    case 'serverError':
      return true;
    case 'modelNotFound':
      return !isNoSuchPath(failure);
    case 'unexpectedStatus':
      return failure.status === 409 || failure.status === 415 || failure.status === 422;
    default:
      return false;
  }
}
