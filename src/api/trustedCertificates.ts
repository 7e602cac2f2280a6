import * as tls from 'node:tls';

/**
 * Makes the TLS context that verifies the service: Node's own authorities, and the system's where
 * the settings say so. Kept per transport, because reading and parsing a few hundred certificates
 * takes tens of milliseconds.
 */
export class TrustedCertificates {
  readonly #contexts = new Map<boolean, tls.SecureContext>();

  contextFor(systemCertificates: boolean): tls.SecureContext {
    const known = this.#contexts.get(systemCertificates);
    if (known !== undefined) return known;
    const context = tls.createSecureContext(systemCertificates ? withSystemAuthorities() : {});
    this.#contexts.set(systemCertificates, context);
    return context;
  }

  forget(): void {
    this.#contexts.clear();
  }
}

function withSystemAuthorities(): tls.SecureContextOptions {
  // Node 22.15 and 23.10 brought the function; before that only the built-in list can be had.
  if (typeof tls.getCACertificates !== 'function') return {};
  const all = new Set([...tls.getCACertificates('default'), ...tls.getCACertificates('system')]);
  return { ca: [...all] };
}
