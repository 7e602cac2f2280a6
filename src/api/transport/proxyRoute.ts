import { BlockList, isIP } from 'node:net';
import type { TransportSettings } from './transportSettings.ts';

/** How one target is reached. */
export type ProxyRoute =
  | { readonly via: 'direct' }
  /** `proxy` contains no login. `authorization` is the value of `proxy-authorization`. */
  | { readonly via: 'proxy'; readonly proxy: URL; readonly authorization?: string }
  /** The configured proxy can't be used as it is, and a direct connection would bypass it. */
  | { readonly via: 'unusableProxy'; readonly host: string; readonly code: string };

const direct: ProxyRoute = { via: 'direct' };

/**
 * In VS Code's order: this machine is reached directly, then `http.noProxy`, `http.proxy`,
 * `NO_PROXY`, and the environment's proxy.
 */
export function proxyRouteFor(target: URL, settings: TransportSettings): ProxyRoute {
  if (settings.proxySupport === 'off' || isThisMachine(bareHost(target))) return direct;
  if (settings.noProxy.some((rule) => matchesRule(target, rule))) return direct;
  if (settings.proxy.trim() !== '') return usable(settings.proxy.trim(), settings);

  const fromEnv = environmentProxy(target, settings.env);
  if (fromEnv === '') return direct;
  const noProxy = variable(settings.env, 'no_proxy').split(/[\s,]+/);
  if (noProxy.some((rule) => matchesRule(target, rule))) return direct;
  return usable(fromEnv, settings);
}

/** A URL's host name without the brackets of an IPv6 address. */
export function bareHost(url: URL): string {
  return url.hostname.replace(/^\[|\]$/g, '');
}

export function portOf(url: URL): number {
  if (url.port !== '') return Number(url.port);
  return url.protocol === 'https:' ? 443 : 80;
}

function environmentProxy(target: URL, env: TransportSettings['env']): string {
  const plain = variable(env, 'http_proxy');
  return target.protocol === 'https:' ? variable(env, 'https_proxy') || plain : plain;
}

function variable(env: TransportSettings['env'], name: string): string {
  // Windows ignores their case, and so do people elsewhere. The usual two come first.
  const other = Object.keys(env).find((each) => each.toLowerCase() === name && env[each]);
  return (env[name] || env[name.toUpperCase()] || (other && env[other]) || '').trim();
}

function usable(text: string, settings: TransportSettings): ProxyRoute {
  const url = URL.parse(/^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? text : `http://${text}`);
  if (url === null || url.hostname === '') return { via: 'unusableProxy', host: '', code: 'INVALID_PROXY_ADDRESS' };
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    return { via: 'unusableProxy', host: url.host, code: 'UNSUPPORTED_PROXY_SCHEME' };
  }
  const authorization = settings.proxyAuthorization?.trim() || loginOf(url);
  if (authorization !== undefined && !/^[\x20-\x7e]+$/.test(authorization)) {
    return { via: 'unusableProxy', host: url.host, code: 'INVALID_PROXY_AUTHORIZATION' };
  }
  const proxy = new URL(url.origin);
  return authorization === undefined ? { via: 'proxy', proxy } : { via: 'proxy', proxy, authorization };
}

function loginOf(url: URL): string | undefined {
  if (url.username === '') return undefined;
  return `Basic ${Buffer.from(`${decoded(url.username)}:${decoded(url.password)}`).toString('base64')}`;
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

/** Any of this computer's names and addresses for itself. @param host as of `bareHost`, or an IP address. */
export function isThisMachine(host: string): boolean {
  const name = host.toLowerCase().replace(/\.$/, '');
  if (name === 'localhost' || name.endsWith('.localhost')) return true;
  return isLoopback(name);
}

const isLoopback = inSubnets(['127.0.0.0/8', '::1/128', '::ffff:127.0.0.0/104']);

/**
 * Whether an IP address is in one of the subnets; false for anything else. The list is built with the first address that
 * is checked, and kept: building it takes a hundred times as long as a check.
 * @param subnets in CIDR notation
 */
export function inSubnets(subnets: readonly string[]): (address: string) => boolean {
  let list: BlockList | undefined;
  const build = (): BlockList => {
    const built = new BlockList();
    for (const subnet of subnets) {
      const [address = '', bits] = subnet.split('/', 2);
      built.addSubnet(address, Number(bits), familyOf(address));
    }
    return built;
  };
  return (address) => isIP(address) !== 0 && (list ??= build()).check(address, familyOf(address));
}

function familyOf(address: string): 'ipv4' | 'ipv6' {
  return isIP(address) === 6 ? 'ipv6' : 'ipv4';
}

/**
 * `*`, `example.com` (with its subdomains), `.example.com`, `*.example.com`, each with or without `:port`, and CIDR.
 */
function matchesRule(target: URL, rule: string): boolean {
  const text = rule.trim().toLowerCase();
  if (text === '') return false;
  if (text === '*') return true;
  const host = bareHost(target).toLowerCase();
  if (text.includes('/')) return isInside(host, text);
  if (isIP(text.replace(/^\[|\]$/g, '')) === 6) return host === text.replace(/^\[|\]$/g, '');

  const [, name = '', port] = /^(.*?)(?::(\d+))?$/.exec(text) ?? [];
  if (port !== undefined && Number(port) !== portOf(target)) return false;
  const domain = name.replace(/^\*?\./, '').replace(/^\[|\]$/g, '');
  return domain !== '' && (host === domain || host.endsWith(`.${domain}`));
}

function isInside(host: string, cidr: string): boolean {
  const [address = '', prefix = ''] = cidr.split('/', 2);
  const family = isIP(host);
  const bits = Number(prefix);
  if (family === 0 || isIP(address) !== family) return false;
  if (!/^\d+$/.test(prefix) || bits > (family === 6 ? 128 : 32)) return false;
  return inSubnets([cidr])(host);
}
