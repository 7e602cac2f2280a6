import { once } from 'node:events';
import { setTimeout } from 'node:timers/promises';
import type { Exchange } from '../exchange.ts';
import { writeOut } from '../writeOut.ts';
import type { FaultAnswer } from './faultScript.ts';

/** Long enough on loopback for a piece to be read before the next is sent or the connection is cut. */
const settleMs = 5;

/**
 * Plays a broken response according to its script.
 * @throws the signal's AbortError if the client leaves
 */
export async function playFault(exchange: Exchange, answer: FaultAnswer): Promise<void> {
  const { response, signal } = exchange;
  const status = answer.status ?? 200;
  if (answer.sendsRequestId === false) response.removeHeader('x-request-id');
  if (answer.sendsHeaders !== false) {
    exchange.record({ status });
    response.writeHead(status, { 'cache-control': 'no-cache', ...(answer.headers ?? eventStreamHeaders) });
    response.flushHeaders();
  }
  for (const piece of answer.pieces) {
    if (typeof piece === 'object' && 'pauseMs' in piece) {
      await setTimeout(piece.pauseMs, undefined, { signal });
    } else {
      await writeOut(response, piece, signal);
      await setTimeout(settleMs, undefined, { signal });
    }
  }
  await endings[answer.ending ?? 'end'](exchange, status);
}

const eventStreamHeaders = { 'content-type': 'text/event-stream; charset=utf-8' };

type Ending = NonNullable<FaultAnswer['ending']>;

const endings: Readonly<Record<Ending, (exchange: Exchange, status: number) => void | Promise<void>>> = {
  end: (exchange, status) => {
    exchange.settle(status < 400 ? 'done' : 'failed');
    exchange.response.end();
  },
  close: (exchange) => {
    exchange.settle('failed');
    exchange.response.socket?.destroy();
  },
  reset: (exchange) => {
    exchange.settle('failed');
    exchange.response.socket?.resetAndDestroy();
  },
  hold: async ({ response, signal }) => {
    await once(response, 'close', { signal });
  },
};
