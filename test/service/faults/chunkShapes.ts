import type { Fault } from './faultScript.ts';
import { firstHalf, secondHalf } from './spoken.ts';

/** Valid responses whose chunks have unusual forms. */
export const chunkShapes: readonly Fault[] = [
  {
    name: 'empty-choices',
    description: 'Valid response with chunks whose `choices` are empty, null, and missing.',
    answer: (say) => ({
      pieces: [
        say.role + say.chunk([]) + say.first + say.chunk(null) + say.second,
        say.chunk(undefined) + say.finish + say.chunk([], { usage: say.usage(firstHalf + secondHalf) }) + say.done,
      ],
    }),
  },
  {
    name: 'empty-deltas',
    description: 'Valid response with chunks whose `delta` is missing, null, or empty, or has a null content.',
    answer: (say) => ({
      pieces: [
        say.role + say.chunk([{ index: 0 }]) + say.first + say.delta(null) + say.delta({}),
        say.delta({ content: null }) + say.second + say.finish + say.done,
      ],
    }),
  },
  {
    name: 'message',
    description: 'Valid response; the chunks carry `message` in place of `delta`.',
    answer: (say) => ({
      pieces: [
        say.chunk([{ index: 0, message: { role: 'assistant', content: firstHalf }, finish_reason: null }]),
        say.chunk([{ index: 0, message: { role: 'assistant', content: secondHalf }, finish_reason: 'stop' }]) +
          say.done,
      ],
    }),
  },
  {
    name: 'text',
    description: 'Valid response; the chunks carry `text` in place of `delta`.',
    answer: (say) => ({
      pieces: [
        say.chunk([{ index: 0, text: firstHalf, finish_reason: null }]),
        say.chunk([{ index: 0, text: secondHalf, finish_reason: 'stop' }]) + say.done,
      ],
    }),
  },
  {
    name: 'usage-everywhere',
    description: 'Valid response with a running usage and metrics on every chunk; only the last ones are the total.',
    answer: (say) => {
      const half = { usage: say.usage(firstHalf), x_metrics: { ttft_seconds: 0.1, tps: 10, total_time_seconds: 0.2 } };
      const all = {
        usage: say.usage(firstHalf + secondHalf),
        x_metrics: { ttft_seconds: 0.1, tps: 40, total_time_seconds: 0.4 },
      };
      return {
        pieces: [
          say.delta({ role: 'assistant', content: firstHalf }, half),
          say.delta({ content: secondHalf }, all) + say.chunk([{ index: 0, delta: {}, finish_reason: 'stop' }], all),
          say.done,
        ],
      };
    },
  },
  {
    name: 'reasoning-field',
    description: 'Valid response; the reasoning arrives as `reasoning`, not `reasoning_content`.',
    answer: (say) => ({
      pieces: [say.role, say.delta({ reasoning: 'A thought.' }), say.first + say.second + say.finish + say.done],
    }),
  },
  ...['content_filter', 'tool_calls', 'error', 'paused_by_moon'].map((reason): Fault => ({
    name: `finish-${reason.replaceAll('_', '-')}`,
    description: `Valid response whose finish reason is \`${reason}\`.`,
    answer: (say) => ({ pieces: [say.role + say.first + say.second + say.finishFor(reason) + say.done] }),
  })),
  {
    name: 'no-text',
    description: 'A valid stream without any text.',
    answer: (say) => ({ pieces: [say.role + say.finish + say.done] }),
  },
  {
    name: 'no-request-id',
    description: 'Valid response without an x-request-id header.',
    answer: (say) => ({ pieces: [say.whole], sendsRequestId: false }),
  },
];
