import { join } from 'node:path';
import { startProxyServer } from '../unit/api/proxyServer.ts';
import { projectFolder } from './folders.ts';

/** The network setup of the host suite's machine, like the machines in a company. */
export interface HostNetwork {
  /** For the process from which the extension host is started. */
  readonly env: Readonly<Record<string, string>>;
  close(): Promise<void>;
}

/**
 * A certificate authority in the system's store, another one only for Node, and a proxy that maps `service.test` to
 * this machine. VS Code reads the proxy when the host starts; a test that then removes the variable has a proxy that VS
 * Code knows and an extension can't see, like that of an operating system or a PAC file.
 */
export async function startHostNetwork(): Promise<HostNetwork> {
  const certificates = join(projectFolder, 'test/unit/api/certificates');
  const { server, origin } = await startProxyServer({ onlyTo: 'service.test' });
  return {
    env: {
      SSL_CERT_FILE: join(certificates, 'authority.pem'),
      NODE_EXTRA_CA_CERTS: join(certificates, 'selfSigned.pem'),
      HTTPS_PROXY: origin,
      PARLANCE_HOST_PROXY: origin,
    },
    close: () => server.close(),
  };
}
