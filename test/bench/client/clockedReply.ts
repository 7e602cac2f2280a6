import { setTimeout as pause } from 'node:timers/promises';
import { eventOf } from './workload.ts';

const stallMs = 300;

/** A reply by the service's own clock. Times are milliseconds of the system's monotonic clock, which processes share. */
export interface ClockedReply {
  /** When the service read the request. */
  readonly arrivedMs: number;
  /** When each token was written. */
  readonly writtenMs: readonly number[];
}

/** Milliseconds of the monotonic clock that all processes of this machine share. */
export function sharedNow(): number {
  return Number(process.hrtime.bigint()) / 1e6;
}

export type Pace = 'even' | 'uneven';

/** How long to wait before each token, in milliseconds. */
const waits: Readonly<Record<Pace, (index: number, count: number) => number>> = {
  even: (index) => (index === 0 ? 150 : 10),
  /** As services under load write: 50 to 250 ms before the first, 5 to 15 between tokens, and a stall in the middle. */
  uneven: (index, count) => {
    if (index === Math.floor(count / 2)) return stallMs;
    return index === 0 ? between(50, 250) : between(5, 15);
  },
};

/** Writes a reply and notes when each token was written. */
export async function clockedReply(
  write: (text: string) => void,
  { pace, count, arrivedMs }: { readonly pace: Pace; readonly count: number; readonly arrivedMs: number },
): Promise<ClockedReply> {
  const writtenMs: number[] = [];
  // Due times add up, so that a late timer doesn't delay everything after it.
  let due = arrivedMs;
  for (let index = 0; index < count; index += 1) {
    due += waits[pace](index, count);
    const waitMs = due - sharedNow();
    if (waitMs > 0) await pause(waitMs);
    const event = eventOf(` ${index}`);
    writtenMs.push(sharedNow());
    write(event);
  }
  const end = {
    choices: [{ index: 0, delta: {}, finish_reason: 'stop' }],
    usage: { prompt_tokens: 1, completion_tokens: count },
  };
  write(`data: ${JSON.stringify(end)}\n\ndata: [DONE]\n\n`);
  return { arrivedMs, writtenMs };
}

function between(least: number, most: number): number {
  return least + Math.random() * (most - least);
}
