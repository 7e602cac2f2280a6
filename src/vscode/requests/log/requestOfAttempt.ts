import type { LoggedRequest } from '../../../core/requests/requestLog.ts';
import type { RequestHistory } from '../requestHistory.ts';

/**
 * The request that was sent in this attempt, however old it is. Undefined if it was deleted.
 * @param experiment of any experiment by default: IDs of attempts are unique
 */
export async function requestOfAttempt(
  history: Pick<RequestHistory, 'requests' | 'hasOlder' | 'loadOlder'>,
  attempt: unknown,
  experiment?: string,
): Promise<LoggedRequest | undefined> {
  for (;;) {
    const found = (await history.requests()).find(
      ({ origin }) =>
        origin.experiment?.attempt === attempt && (experiment === undefined || origin.experiment?.id === experiment),
    );
    if (found !== undefined || !history.hasOlder) return found;
    await history.loadOlder();
  }
}
