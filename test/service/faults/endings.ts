import type { Fault } from './faultScript.ts';

/** Responses with a wrong ending. */
export const endings: readonly Fault[] = [
  {
    name: 'reset',
    description: 'The connection is reset in the middle of an event, after half of the text.',
    answer: (say) => ({ pieces: [say.role + say.first, say.second.slice(0, 40)], ending: 'reset' }),
  },
  {
    name: 'close',
    description: 'The connection is closed in the middle of an event, after half of the text.',
    answer: (say) => ({ pieces: [say.role + say.first, say.second.slice(0, 40)], ending: 'close' }),
  },
  {
    name: 'reset-early',
    description: 'The connection is reset before the response begins.',
    answer: () => ({ pieces: [], sendsHeaders: false, ending: 'reset' }),
  },
  {
    name: 'close-early',
    description: 'The connection is closed before the response begins.',
    answer: () => ({ pieces: [], sendsHeaders: false, ending: 'close' }),
  },
  {
    name: 'close-after-headers',
    description: 'The connection is closed after the headers.',
    answer: () => ({ pieces: [], ending: 'close' }),
  },
  {
    name: 'short-body',
    description: 'A JSON body that is shorter than its Content-Length, then the connection is closed.',
    answer: () => ({
      headers: { 'content-type': 'application/json', 'content-length': '5000' },
      pieces: ['{"id":"chatcmpl-short","choices":[{"index":0,"message":{"role":"assistant","content":"The ans'],
      ending: 'close',
    }),
  },
  {
    name: 'unfinished',
    description: 'A clean end after half of the text, with neither [DONE] nor a finish reason.',
    answer: (say) => ({ pieces: [say.role + say.first] }),
  },
  {
    name: 'no-done',
    description: 'The whole text and its finish reason, and no [DONE].',
    answer: (say) => ({ pieces: [say.role + say.first + say.second + say.finish] }),
  },
  {
    name: 'no-finish',
    description: 'The whole text and [DONE], and no finish reason.',
    answer: (say) => ({ pieces: [say.role + say.first + say.second + say.done] }),
  },
  {
    name: 'no-last-blank',
    description: 'The last event has no blank line after it; then a clean end.',
    answer: (say) => ({ pieces: [say.role + say.first, say.second.trimEnd()] }),
  },
  {
    name: 'left-open',
    description: 'Everything up to [DONE]; then the connection stays open.',
    answer: (say) => ({ pieces: [say.whole], ending: 'hold' }),
  },
  {
    name: 'after-done',
    description: "More text after [DONE], which doesn't belong to the reply.",
    answer: (say) => ({ pieces: [say.whole, say.text(' NOT PART OF THE ANSWER'), `data: ${say.error()}\n\n`] }),
  },
];
