import { spawn } from 'node:child_process';
import { once } from 'node:events';
import * as net from 'node:net';

/** Listens without ever accepting a connection. Prints its port at once, because it does nothing more. */
const listener = `
  const server = require('node:net').createServer();
  server.listen({ port: 0, host: '127.0.0.1', backlog: 1 }, () => {
    require('node:fs').writeSync(1, String(server.address().port));
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
  });
`;

export interface DeafPort {
  readonly port: number;
  close(): Promise<void>;
}

/**
 * A port of this machine whose queue is full: the kernel accepts no further connection, like a firewall that drops
 * packets. Undefined if the system's queue is unlimited.
 */
export async function openDeafPort(): Promise<DeafPort | undefined> {
  const child = spawn(process.execPath, ['-e', listener], { stdio: ['ignore', 'pipe', 'inherit'] });
  const [printed] = await once(child.stdout, 'data');
  const port = Number(String(printed));
  const fillers: net.Socket[] = [];
  const close = async (): Promise<void> => {
    for (const filler of fillers) filler.destroy();
    const gone = once(child, 'exit');
    child.kill('SIGKILL');
    await gone;
  };
  for (;;) {
    const filler = net.connect(port, '127.0.0.1').on('error', () => {});
    fillers.push(filler);
    const answered = once(filler, 'connect').then(() => true);
    // If this process was busy for longer, the connection's event still comes before that.
    const late = new Promise<false>((resolve) => setTimeout(() => setImmediate(resolve, false), 300));
    if (!(await Promise.race([answered, late]))) break;
    if (fillers.length < 20) continue;
    await close();
    return undefined;
  }
  return { port, close };
}
