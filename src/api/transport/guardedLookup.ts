import { lookup } from 'node:dns';
import { lookup as lookupAll } from 'node:dns/promises';
import { isIP, type LookupFunction } from 'node:net';
import { bareHost } from './proxyRoute.ts';

export const refusedAddressCode = 'ADDRESS_REFUSED';

/** What a name leads to is not an address that may be asked. */
class RefusedAddress extends Error {
  readonly code = refusedAddressCode;

  constructor() {
    super('the address is refused');
    this.name = 'RefusedAddress';
  }
}

/**
 * A name lookup that looks at what comes out before anything is connected: a name can be made to lead
 * to this machine or into its network. One refused address among several refuses the name.
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

/** False also for a name that leads nowhere from here. */
export async function leadsToRefused(url: URL, mayConnect: (address: string) => boolean): Promise<boolean> {
  const host = bareHost(url);
  if (isIP(host) !== 0) return !mayConnect(host);
  try {
    return !(await lookupAll(host, { all: true })).every(({ address }) => mayConnect(address));
  } catch {
    return false;
  }
}
