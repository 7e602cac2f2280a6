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
