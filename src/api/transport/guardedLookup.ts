import { lookup } from 'node:dns';
import { lookup as lookupAll } from 'node:dns/promises';
import { isIP, type LookupFunction } from 'node:net';
import { bareHost } from './proxyRoute.ts';

export const refusedAddressCode = 'ADDRESS_REFUSED';

/** The IP address that a name resolves to must not be contacted. */
class RefusedAddress extends Error {
  readonly code = refusedAddressCode;

  constructor() {
    super('the address is refused');
    this.name = 'RefusedAddress';
  }
}

/**
 * A name lookup that checks the result before any connection is made, because a name can be made to resolve to this
 * machine or its network. If one of several addresses is refused, so is the name.
 */
export function guardedLookup(mayConnect: (address: string) => boolean): LookupFunction {
  return (hostname, options, callback) => {
    lookup(hostname, { ...options, all: true }, (error, addresses) => {
      const [first] = addresses ?? [];
      if (error !== null) callback(error, '');
      else if (first === undefined || !addresses.every(({ address }) => mayConnect(address))) {
        callback(new RefusedAddress(), '');
      } else if (options.all === true) callback(null, addresses);
      else callback(null, first.address, first.family);
    });
  };
}

/** Also false for a name that can't be resolved here. */
export async function leadsToRefused(url: URL, mayConnect: (address: string) => boolean): Promise<boolean> {
  const host = bareHost(url);
  if (isIP(host) !== 0) return !mayConnect(host);
  try {
    return !(await lookupAll(host, { all: true })).every(({ address }) => mayConnect(address));
  } catch {
    return false;
  }
}
