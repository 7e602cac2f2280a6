/** VS Code's `http.*` settings and the environment, as far as they decide how a request travels. */
export interface TransportSettings {
  /** `http.proxySupport`; `off` means no proxy at all. */
  readonly proxySupport: 'off' | 'on' | 'override' | 'fallback';
  /** `http.proxy`; empty when not set. */
  readonly proxy: string;
  /** `http.noProxy`. */
  readonly noProxy: readonly string[];
  /** `http.proxyAuthorization`: the value of the `proxy-authorization` header. */
  readonly proxyAuthorization?: string;
  /** `http.systemCertificates`. */
  readonly systemCertificates: boolean;
  /** Only the proxy variables are read. */
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** The settings of a process that has no VS Code around it: the environment's proxy, the system's certificates. */
export function nodeSettings(env: TransportSettings['env']): TransportSettings {
  // The environment may hold the API key too: no more of it is kept than is needed.
  const proxies = Object.entries(env).filter(([name]) => /^(https?|no)_proxy$/i.test(name));
  return { proxySupport: 'on', proxy: '', noProxy: [], systemCertificates: true, env: Object.fromEntries(proxies) };
}
