import { createServer, type Socket } from 'node:net';
import { type ClockedReply, clockedReply, type Pace, sharedNow } from './clockedReply.ts';

const head = (id: string): string =>
  [
    'HTTP/1.1 200 OK',
    'content-type: text/event-stream',
    'cache-control: no-cache',
    `x-request-id: ${id}`,
    'transfer-encoding: chunked',
    '\r\n',
  ].join('\r\n');

/**
 * A service that only writes tokens and notes when. It has no HTTP server, because that takes longer for each request
 * than the time between two of 64, so that requests would wait for it before its clock saw them. The head leaves with
 * the first token, as with most services.
 */
export class ClockedServer {
  /** By request ID, until they're fetched. */
  readonly #replies = new Map<string, ClockedReply>();
  readonly #server = createServer({ noDelay: true }, (socket) => this.#serve(socket));
  #requestCount = 0;

  /** @returns its port */
  async listen(): Promise<number> {
    const listening = Promise.withResolvers<void>();
    this.#server.listen(0, '127.0.0.1', listening.resolve);
    await listening.promise;
    const address = this.#server.address();
    if (typeof address !== 'object' || address === null) throw new Error('The service has no port');
    return address.port;
  }

  /** The replies since the last time. */
  take(): readonly (readonly [id: string, reply: ClockedReply])[] {
    const taken = [...this.#replies];
    this.#replies.clear();
    return taken;
  }

  #serve(socket: Socket): void {
    let read = '';
    let arrivedMs = 0;
    socket.setEncoding('latin1');
    socket.on('error', () => undefined);
    socket.on('data', (text: string) => {
      if (read === '') arrivedMs = sharedNow();
      read += text;
      const headEnd = read.indexOf('\r\n\r\n');
      const length = Number(/^content-length: (\d+)/im.exec(read)?.[1] ?? 0);
      if (headEnd === -1 || read.length < headEnd + 4 + length) return;
      // For example `/even/60/v1/chat/completions`.
      const [, pace = 'even', count = '1'] = (/ (\S+)/.exec(read)?.[1] ?? '').split('/');
      read = '';
      void this.#answer(socket, pace as Pace, Number(count), arrivedMs);
    });
  }

  async #answer(socket: Socket, pace: Pace, count: number, arrivedMs: number): Promise<void> {
    this.#requestCount += 1;
    const id = `request-${this.#requestCount}`;
    let start = head(id);
    const write = (text: string): void => {
      socket.write(`${start}${Buffer.byteLength(text).toString(16)}\r\n${text}\r\n`);
      start = '';
    };
    this.#replies.set(id, await clockedReply(write, { pace, count, arrivedMs }));
    socket.write('0\r\n\r\n');
  }
}
