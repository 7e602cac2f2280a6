import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import type { Page } from 'playwright-core';
import { afterItsTasks } from './afterItsTasks.ts';
import { hearPageErrors } from './hearPageErrors.ts';

/** The errors of a window and of the pages in it, for tests in the window's extension host, which can't see them. */
export interface PageFaults {
  /** Of this computer; for `takePageFaults`. */
  readonly port: number;
  close(): Promise<void>;
}

/** Collects what the pages in a window write to their consoles as errors, and what they and the window throw. */
export async function servePageFaults(page: Page): Promise<PageFaults> {
  const faults: string[] = [];
  hearPageErrors(page, (fault, url) => {
    // The window's own code repeats errors of the extension host, including those that a test is about.
    if (!url.includes('workbench.js')) faults.push(fault);
  });
  const take = async (): Promise<string> => {
    // Most tests have no page open, and the window itself has answered the caller just before.
    const pages = page.frames().filter((frame) => frame.parentFrame() !== null);
    await Promise.all(pages.map((frame) => afterItsTasks(frame)));
    return JSON.stringify(faults.splice(0));
  };
  const server = createServer((socket) => {
    socket.on('error', () => undefined);
    void take().then((text) => socket.end(text));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('There is no port');
  return {
    port: address.port,
    close: async () => {
      server.close();
      await once(server, 'close');
    },
  };
}

/**
 * The faults since the last call, after everything that this process sent to the pages before has been handled there.
 * Over a plain socket, because VS Code and the tests change how HTTP requests are routed.
 */
export async function takePageFaults(port: number): Promise<readonly string[]> {
  const socket = connect(port, '127.0.0.1');
  let text = '';
  socket.setEncoding('utf8');
  for await (const chunk of socket) text += String(chunk);
  const faults: unknown = JSON.parse(text);
  return Array.isArray(faults) ? faults.map(String) : [];
}
