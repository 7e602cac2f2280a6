import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';

/** Another origin of a service, which can disappear separately. */
export interface Gate {
  /** `http://127.0.0.1:<port>`. */
  readonly origin: string;
  /** Connections accepted in total. */
  accepted(): number;
  /** Cuts its connections and stops listening. */
  close(): Promise<void>;
}

/** Forwards every connection to `target`, an origin on this machine, byte for byte. */
export async function openGate(target: string): Promise<Gate> {
  const sockets = new Set<Socket>();
  let accepted = 0;
  const server = createServer((socket) => {
    accepted += 1;
    const behind = connect(Number(new URL(target).port), '127.0.0.1');
    for (const [one, other] of [
      [socket, behind],
      [behind, socket],
    ] as const) {
      sockets.add(one);
      one.on('error', () => other.destroy());
      one.once('close', () => {
        sockets.delete(one);
        other.destroy();
      });
      one.pipe(other);
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The gate has no port');
  return {
    origin: `http://127.0.0.1:${address.port}`,
    accepted: () => accepted,
    close: async () => {
      if (!server.listening) return;
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}
