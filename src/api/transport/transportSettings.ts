/** VS Code's `http.*` settings and the environment, as far as they affect how a request is sent. */
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

/** The settings of a process without VS Code: the environment's proxy, the system's certificates. */
export function nodeSettings(env: TransportSettings['env']): TransportSettings {
  // The environment might contain the API key too, so only the necessary variables are kept.
  const proxies = Object.entries(env).filter(([name]) => /^(https?|no)_proxy$/i.test(name));
  return { proxySupport: 'on', proxy: '', noProxy: [], systemCertificates: true, env: Object.fromEntries(proxies) };
}
