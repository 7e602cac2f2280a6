import * as tls from 'node:tls';
import { knownSystemAuthorities, systemAuthorities } from './systemAuthorities.ts';

/**
 * Makes the TLS context that verifies the service: Node's own authorities, and the system's where the settings say so
 * and somebody has read them. Kept per transport, whatever happens to the settings, because parsing a few hundred
 * certificates takes tens of milliseconds.
 */
export class TrustedCertificates {
  #builtIn: tls.SecureContext | undefined;
  #withSystem: tls.SecureContext | undefined;

  /** What can be had at once. */
  contextFor(systemCertificates: boolean): tls.SecureContext {
    const system = systemCertificates ? knownSystemAuthorities() : undefined;
    return (
      (system === undefined ? undefined : this.#contextWith(system)) ?? (this.#builtIn ??= tls.createSecureContext())
    );
  }

  /** With the system's authorities, which may have to be read first; undefined where there are none. */
  async contextWithSystem(): Promise<tls.SecureContext | undefined> {
    return this.#contextWith(await systemAuthorities());
  }

  #contextWith(system: readonly string[]): tls.SecureContext | undefined {
    if (system.length === 0) return undefined;
    return (this.#withSystem ??= tls.createSecureContext({
      ca: [...new Set([...tls.getCACertificates('default'), ...system])],
    }));
  }
}
