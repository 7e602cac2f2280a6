import type { ServerResponse } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { eventOf } from './workload.ts';

const stallMs = 300;

/**
 * A reply as a busy service writes it: it begins after 50 to 250 ms, its tokens are 5 to 15 ms apart, and it stalls in
 * the middle. The last event contains what this process measured.
 */
export async function unevenReply(response: ServerResponse, count: number, arrivedMs: number): Promise<void> {
  const between = (least: number, most: number) => least + Math.random() * (most - least);
  let first = 0;
  let last = 0;
  for (let index = 0; index < count; index += 1) {
    const isStall = index === Math.floor(count / 2);
    await pause(index === 0 ? between(50, 250) : isStall ? stallMs : between(5, 15));
    last = performance.now();
    if (index === 0) first = last;
    response.write(eventOf(` ${index}`));
  }
  const end = {
    choices: [{ index: 0, delta: {}, finish_reason: 'stop' }],
    usage: { prompt_tokens: 1, completion_tokens: count },
    x_metrics: {
      ttft_seconds: (first - arrivedMs) / 1000,
      tps: ((count - 1) * 1000) / (last - first),
      total_time_seconds: (last - arrivedMs) / 1000,
    },
  };
  response.write(`data: ${JSON.stringify(end)}\n\ndata: [DONE]\n\n`);
}
