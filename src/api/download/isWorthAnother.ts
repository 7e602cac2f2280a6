import type { ApiFailure } from '../../shared/apiFailure.ts';

/** Whether another attempt to download the file might succeed. */
export function isWorthAnother(failure: ApiFailure): boolean {
  switch (failure.kind) {
    case 'network':
    case 'connectionLost':
    case 'timeout':
      return true;
    case 'download':
      return (
        failure.status !== undefined && (failure.status >= 500 || failure.status === 429 || failure.status === 408)
      );
    default:
      return false;
  }
}
