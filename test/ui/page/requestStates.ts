import type { RequestToPage, RequestView } from '../../../src/shared/protocol/requestProtocol.ts';

const text = `\`splice\` moves every later task one place to the left, but \`index\` still goes up by one. So the task right after each removed one is never checked. Build a new list instead:

\`\`\`typescript
export function removeDone(tasks: readonly Task[]): Task[] {
  return tasks.filter((task) => !task.done);
}
\`\`\`

- **One pass.** Each task is read once, so a list of a million stays fast.
- **The input is safe.** The compiler rejects a later \`splice\`.
`;

const done: RequestView = {
  id: 'a',
  name: 'northwind/gale-32b-instruct',
  at: Date.now() - 60_000,
  host: 'inference.example',
  state: 'done',
  ending: 'succeeded (200)',
  metrics: {
    timeToFirstTokenSeconds: { value: 0.32, from: 'service' },
    tokensPerSecond: { value: 84, from: 'service' },
    totalSeconds: { value: 5.9, from: 'here' },
    promptTokens: { value: 412, from: 'service' },
    completionTokens: { value: 472, from: 'service' },
  },
  cost: '0.00046',
  costValue: 0.000_46,
  usual: "As fast as usual: this model's median is 84 tok/s over 212 requests.",
  isContentOff: false,
  system: { role: 'system', words: 'Answer in short sentences.', pieces: [], pictures: 0 },
  earlier: [],
  question: {
    role: 'user',
    words: 'Why does removeDone skip tasks, and how do I fix it?',
    pieces: [{ heading: 'Selection: tasks.ts, lines 6-12', text: 'tasks.splice(index, 1);\n' }],
    pictures: 0,
  },
  reply: { text, reasoning: '', calls: [] },
  parameters: [
    { name: 'temperature', value: '0.2' },
    { name: 'max tokens', value: '1024' },
    { name: 'stream', value: 'true' },
  ],
  service: [
    { name: 'Operation', value: 'Chat' },
    { name: 'Sent by', value: 'chat' },
    { name: 'URL', value: 'https://inference.example/v1/chat/completions' },
    { name: 'Finish reason', value: 'stop' },
    { name: 'Request ID', value: 'req_8f2c1a04' },
  ],
  requestId: 'req_8f2c1a04',
  acts: ['runAgain', 'runWithModel', 'compare', 'copyAsCode', 'openConversation', 'showJson', 'showRequestJson'],
};

const sparrow: RequestView = {
  ...done,
  id: 'b',
  name: 'kestrel/sparrow',
  metrics: {
    timeToFirstTokenSeconds: { value: 0.18, from: 'service' },
    tokensPerSecond: { value: 118, from: 'service' },
    totalSeconds: { value: 2.6, from: 'here' },
    promptTokens: { value: 412, from: 'service' },
    completionTokens: { value: 288, from: 'service' },
  },
  cost: '0.00016',
  costValue: 0.000_16,
  reply: {
    text: 'The loop removes items from the array it walks over. Each removal shifts the rest, and the next item is skipped.\n\nWalk backwards:\n\n```typescript\nfor (let i = tasks.length; i--; ) if (tasks[i].done) tasks.splice(i, 1);\n```\n',
    reasoning: '',
    calls: [],
  },
};

const { usual: _usual, cost: _cost, costValue: _costValue, ...unpriced } = done;

const running: RequestView = {
  ...unpriced,
  state: 'running',
  ending: 'running',
  metrics: {
    timeToFirstTokenSeconds: { value: 0.32, from: 'here' },
    tokensPerSecond: { value: 81, from: 'estimate' },
    totalSeconds: { value: 2.1, from: 'here' },
    completionTokens: { value: 160, from: 'estimate' },
  },
  reply: { text: text.slice(0, 120), reasoning: 'The loop walks over what it changes.', calls: [] },
  acts: ['stop', 'openConversation', 'showJson', 'showRequestJson'],
};

/** The states of the page about a request that `?state=` can show. */
export const requestStates: Readonly<Record<string, () => RequestToPage>> = {
  done: () => ({ type: 'request', request: done }),
  running: () => ({ type: 'request', request: running }),
  failed: () => ({
    type: 'request',
    request: {
      ...unpriced,
      state: 'failed',
      ending: 'failed (429)',
      metrics: { totalSeconds: { value: 0.2, from: 'here' } },
      reply: { text: 'Three changes that', reasoning: '', calls: [] },
      problem: {
        severity: 'error',
        title: 'Too many requests',
        detail: 'The service allows more again in 41 s.',
        actions: [{ kind: 'selectModel', label: 'Select Another Model…' }],
        technical: '429 rate_limit_exceeded',
        requestId: 'req_8f2c1a04',
      },
    },
  }),
  notSaved: () => {
    const { system: _system, question: _question, ...rest } = done;
    return {
      type: 'request',
      request: {
        ...rest,
        reply: { text: '', reasoning: '', calls: [] },
        parameters: [],
        note: "The content isn't saved.",
        isContentOff: true,
        acts: ['openConversation', 'showJson'],
      },
    };
  },
  calls: () => ({
    type: 'request',
    request: {
      ...done,
      earlier: [
        { role: 'user', words: 'What time is it?', pieces: [], pictures: 1 },
        { role: 'tool', words: '{"time":"14:05"}', pieces: [], pictures: 0 },
      ],
      reply: { text: '', reasoning: 'It asks for the time.', calls: [{ name: 'get_time', value: '{"zone":"UTC"}' }] },
    },
  }),
  gone: () => ({ type: 'gone' }),
  compared: () => ({ type: 'comparison', left: done, right: sparrow }),
  identical: () => ({
    type: 'comparison',
    left: done,
    right: { ...sparrow, reply: { ...done.reply, reasoning: 'It walks over what it changes.' } },
  }),
};
