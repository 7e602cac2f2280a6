import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { eventOf } from './client/workload.ts';

/** One reply of numbered words: `r3w0. r3w1. `, with the reply's own number first. */
export interface WordReply {
  readonly number: number;
  /** When each word was written, in milliseconds since 1970. */
  readonly writtenAt: readonly number[];
  readonly isOver: boolean;
}

/** A service that responds to everything with words at a steady pace. */
export interface WordService {
  readonly baseUrl: string;
  readonly model: string;
  /** Words per second of the next reply. */
  rate: number;
  /** Length of the next reply; Infinity until it's stopped. */
  seconds: number;
  /** In the order in which they were requested. */
  readonly replies: readonly WordReply[];
  /** Ends all replies. */
  stop(): void;
  close(): Promise<void>;
}

export async function startWordService(): Promise<WordService> {
  const replies: { number: number; writtenAt: number[]; isOver: boolean }[] = [];
  const server = createServer((request, response) => {
    request.resume();
    if (request.method === 'POST') void write(response);
    else response.end(JSON.stringify({ data: [{ id: 'local/writer' }] }));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (typeof address !== 'object' || address === null) throw new Error('The service has no port');
  let stopped = 0;
  const service: WordService = {
    baseUrl: `http://127.0.0.1:${address.port}/v1`,
    model: 'local/writer',
    rate: 50,
    seconds: 5,
    replies,
    stop: () => {
      stopped = replies.length;
    },
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
  return service;

  async function write(response: ServerResponse): Promise<void> {
    const { rate, seconds } = service;
    const reply = { number: replies.length, writtenAt: [] as number[], isOver: false };
    replies.push(reply);
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    const started = performance.now();
    for (let index = 0; index < rate * seconds && stopped <= reply.number && !response.destroyed; index += 1) {
      const wait = started + (index * 1000) / rate - performance.now();
      if (wait > 1) await pause(wait);
      reply.writtenAt.push(performance.timeOrigin + performance.now());
      response.write(eventOf(`r${reply.number}w${index}.${index % 40 === 39 ? '\n\n' : ' '}`));
    }
    reply.isOver = true;
    response.end('data: [DONE]\n\n');
  }
}
