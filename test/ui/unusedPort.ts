import { once } from 'node:events';
import { createServer } from 'node:net';

/** A port of this machine on which nothing listens. */
export async function unusedPort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  if (address === null || typeof address === 'string') throw new Error('The server had no port');
  return address.port;
}
