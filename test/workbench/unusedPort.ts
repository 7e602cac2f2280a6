import { once } from 'node:events';
import { type AddressInfo, connect, createServer } from 'node:net';

/**
 * A port of this machine that refuses connections until this process ends: one end of a connection has it, so no server
 * of another test can get it.
 */
export async function unusedPort(): Promise<number> {
  const server = createServer((socket) => socket.unref()).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const client = connect(port, '127.0.0.1').unref();
  await once(client, 'connect');
  server.close();
  if (client.localPort === undefined) throw new Error('The connection had no port');
  return client.localPort;
}
