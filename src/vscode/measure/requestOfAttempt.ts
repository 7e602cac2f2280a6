import type { LoggedRequest } from '../../core/requests/requestLog.ts';
import type { RequestHistory } from '../requests/requestHistory.ts';

/** The request that an experiment sent in this attempt, however old it is. Undefined if it was deleted. */
export async function requestOfAttempt(
  history: Pick<RequestHistory, 'requests' | 'hasOlder' | 'loadOlder'>,
  experiment: string,
  attempt: string,
): Promise<LoggedRequest | undefined> {
  for (;;) {
    const found = (await history.requests()).find(
      ({ origin }) => origin.experiment?.id === experiment && origin.experiment.attempt === attempt,
    );
    if (found !== undefined || !history.hasOlder) return found;
    await history.loadOlder();
  }
}
