/** The service for the client rows, in its own process so that its work doesn't count as the client's. */
import { createServer, type ServerResponse } from 'node:http';
import { setImmediate as turn, setTimeout as pause } from 'node:timers/promises';
import { ClockedServer } from './clockedServer.ts';
import { clockPath, cutsOf, eventOf, type Mode, workloadOf, type Workload } from './workload.ts';

/** Pause between two events of `single`: longer than any client in the table needs for one. */
const gapMs = 0.2;
/** Pause between two events of `paced`: 100 per second, the pace of a fast model. */
const paceMs = 10;
const workloads = new Map<number, Workload>();

function workload(count: number): Workload {
  const known = workloads.get(count) ?? workloadOf(count);
  workloads.set(count, known);
  return known;
}

const clocked = new ClockedServer();

async function answer(response: ServerResponse, mode: Mode, count: number): Promise<void> {
  response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' });
  switch (mode) {
    case 'flood': {
      const all = Buffer.from(workload(count).events.join(''));
      for (let at = 0; at < all.length; at += 65_536) await write(response, all.subarray(at, at + 65_536));
      break;
    }
    case 'single': {
      let due = performance.now();
      for (const event of workload(count).events) {
        // A timer is far too coarse.
        while (performance.now() < due) await turn();
        due = Math.max(due, performance.now() - gapMs) + gapMs;
        response.write(event);
      }
      break;
    }
    case 'paced': {
      const started = performance.now();
      for (const [index, event] of workload(count).events.entries()) {
        const waitMs = started + index * paceMs - performance.now();
        if (waitMs > 0) await pause(waitMs);
        response.write(event);
      }
      break;
    }
    case 'cuts':
      for (const piece of cutsOf(workload(count))) {
        await write(response, piece);
        await turn();
      }
      break;
    case 'first':
      response.flushHeaders();
      await pause(3);
      response.write(eventOf(String(process.hrtime.bigint())));
      await pause(1);
      response.write('data: [DONE]\n\n');
  }
  response.end();
}

async function write(response: ServerResponse, bytes: Buffer): Promise<void> {
  if (!response.write(bytes)) await new Promise<void>((resolve) => response.once('drain', resolve));
}

const server = createServer((request, response) => {
  request.resume();
  if (request.url === clockPath) {
    response.end(JSON.stringify(clocked.take()));
    return;
  }
  request.on('end', () => {
    // For example `/single/2000/v1/chat/completions`: every client accepts such a base URL.
    const [, mode = 'flood', count = '1'] = (request.url ?? '').split('/');
    void answer(response, mode as Mode, Number(count));
  });
});
server.keepAliveTimeout = 60_000;
const clockedPort = await clocked.listen();
server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  const origin = (port: number) => `http://127.0.0.1:${port}`;
  if (typeof address === 'object' && address !== null) process.send?.([origin(address.port), origin(clockedPort)]);
});
process.on('disconnect', () => process.exit());
