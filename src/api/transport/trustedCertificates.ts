import * as tls from 'node:tls';
import { knownSystemAuthorities, systemAuthorities } from './systemAuthorities.ts';

/**
 * Creates the TLS context that verifies the service: Node's own authorities, plus the system's if the settings say so
 * and they have been read. Kept per transport through all changes of settings, because parsing a few hundred
 * certificates takes tens of milliseconds.
 */
export class TrustedCertificates {
  #builtIn: tls.SecureContext | undefined;
  #withSystem: tls.SecureContext | undefined;

  /** What is available without waiting. */
  contextFor(systemCertificates: boolean): tls.SecureContext {
    const system = systemCertificates ? knownSystemAuthorities() : undefined;
    return (
      (system === undefined ? undefined : this.#contextWith(system)) ?? (this.#builtIn ??= tls.createSecureContext())
    );
  }

  /** With the system's authorities, reading them first if necessary; undefined if there are none. */
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
