import { isIP } from 'node:net';
import { bareHost, inSubnets, isThisMachine } from '../transport/proxyRoute.ts';

/**
 * Which URLs files can be loaded from. A link comes from the service, or from whoever responds in its name, so it must
 * not make this machine send requests into its own network.
 */
export interface DownloadRules {
  /** Whether this URL can be requested at all. */
  allows(url: URL): boolean;
  /** The URL to request for a link: a service behind a proxy often doesn't know that its own URL is `https:`. */
  secured(url: URL): URL;
  /** Whether a connection can be made to the IP address that the host name resolves to. */
  mayConnect(url: URL): (address: string) => boolean;
}

/**
 * Only `https:`, and no address of this machine or its network. Exceptions: `http:` and loopback if the service itself
 * is on loopback, and the service's own hosts and origins.
 * @param service the configured URLs.
 */
export function downloadRules(service: readonly URL[]): DownloadRules {
  const isLocalService = service.some((url) => isThisMachine(bareHost(url)));
  const isServiceHost = (url: URL): boolean => service.some(({ hostname }) => hostname === url.hostname);
  const mayBe = (host: string): boolean => isPublicAddress(host) || (isLocalService && isThisMachine(host));
  const allows = (url: URL): boolean => {
    if (url.username !== '' || url.password !== '') return false;
    const host = bareHost(url);
    const isLocal = isLocalService && isThisMachine(host);
    const isService = service.some(({ origin }) => origin === url.origin);
    if (url.protocol !== 'https:' && !(url.protocol === 'http:' && (isLocal || isService))) return false;
    if (isServiceHost(url) || isLocal) return true;
    if (isThisMachine(host)) return false;
    return isIP(host) === 0 || isPublicAddress(host);
  };
  return {
    allows,
    secured(url) {
      if (url.protocol !== 'http:' || allows(url)) return url;
      const own = service.find(({ protocol, hostname }) => protocol === 'https:' && hostname === url.hostname);
      return own === undefined ? url : Object.assign(new URL(url), { protocol: own.protocol, port: own.port });
    },
    mayConnect: (url) => (isServiceHost(url) ? () => true : mayBe),
  };
}

/** False for addresses of this machine, of private networks, and reserved ones. */
function isPublicAddress(address: string): boolean {
  return isIP(address) !== 0 && !isNonPublic(address);
}

// IANA's special-purpose registries: addresses that aren't globally reachable, and ways to embed one address in
// another.
const isNonPublic = inSubnets([
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
  '::/96',
  '::ffff:0:0/96',
  '64:ff9b::/96',
  '64:ff9b:1::/48',
  '100::/64',
  '2001::/23',
  '2001:db8::/32',
  '2002::/16',
  '3fff::/20',
  'fc00::/7',
  'fe80::/10',
  'fec0::/10',
  'ff00::/8',
]);
