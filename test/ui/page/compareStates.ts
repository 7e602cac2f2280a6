import type {
  CompareColumnView,
  CompareReplyView,
  CompareSnapshot,
  CompareTurnView,
} from '../../../src/shared/protocol/compareProtocol.ts';
import { noAttachments } from './pageStates.ts';

export const compared = ['kestrel/sparrow', 'northwind/gale-32b-instruct', 'harbor/quill-70b'] as const;
const prices = ['0.10 in / 0.40 out', '0.20 in / 0.80 out', '0.60 in / 2.40 out'];
const rates = [118, 84, 51];
const firsts = [0.18, 0.32, 0.61];
const totals = [2.6, 5.9, 8.4];
const tokens = [288, 472, 398];

const answer = [
  '`splice` moves every later task one place to the left, but `index` still goes up by one. So the task right after each removed one is never checked.',
  'Build a new list instead:',
  '```typescript\nexport function removeDone(\n  tasks: readonly Task[],\n): Task[] {\n  return tasks.filter((task) => !task.done);\n}\n```',
  '- **One pass.** Each task is read once, so a list of a million stays fast.\n- **The input is safe.** With `readonly`, the compiler rejects a later `splice`.\n- **Order is kept.** The remaining tasks stay in the order they had.',
  'Callers must use the return value, because the list they passed in no longer changes.',
].join('\n\n');

export const turn: CompareTurnView = {
  id: 't1',
  text: 'Why does removeDone skip tasks, and how do I fix it?',
  attachments: [],
  order: 'allAtOnce',
  columns: ['c0', 'c1', 'c2'],
};

const columns: readonly CompareColumnView[] = compared.map((model, index) => ({
  id: `c${index}`,
  model,
  place: `inference.example · ${prices[index]} per 1M tokens`,
  tokensPerSecond: { value: rates[index] ?? 0, from: 'here' as const },
  options: {},
  defaults: { temperature: 0.2, maxTokens: 1024 },
}));

export function columnsOf(change: (view: CompareColumnView, index: number) => CompareColumnView) {
  return columns.map(change);
}

/** @param index of its column */
export function compareReply(index: number, more: Partial<CompareReplyView> = {}): CompareReplyView {
  const [rate = 1, first = 1, total = 1, count = 1] = [rates[index], firsts[index], totals[index], tokens[index]];
  return {
    role: 'assistant',
    id: `r${index}`,
    columnId: `c${index}`,
    turnId: 't1',
    at: Date.now() - 60_000,
    model: compared[index] ?? '',
    text: answer,
    reasoning: '',
    state: 'done',
    metrics: {
      timeToFirstTokenSeconds: { value: first, from: 'service' },
      tokensPerSecond: { value: rate, from: 'service' },
      totalSeconds: { value: total, from: 'service' },
      promptTokens: { value: 760, from: 'service' },
      completionTokens: { value: count, from: 'service' },
    },
    marks: Array.from({ length: Math.floor(count / 100) }, (_, each) => first + ((each + 1) * 100) / rate),
    cost: '0.00016',
    ...more,
  };
}

export function runningReply(index: number, more: Partial<CompareReplyView> = {}): CompareReplyView {
  const { cost: _cost, marks: _marks, ...rest } = compareReply(index);
  return { ...rest, at: Date.now(), text: '', state: 'running', metrics: {}, ...more };
}

const empty: CompareSnapshot = {
  comparisonId: 'f3b6a7b2-51f2-4f83-8f6c-6a5cf5b1d3c1',
  title: '',
  columns: columns.slice(0, 2),
  turns: [],
  replies: [],
  setup: { options: {}, order: 'allAtOnce', isBlind: false },
  defaults: { temperature: 0.2, maxTokens: 1024 },
  blindStage: 'off',
  tags: { last: '', known: [] },
  draft: '',
  estimate: {},
  attachments: noAttachments,
  notes: [],
};

const finished: CompareSnapshot = {
  ...empty,
  title: turn.text,
  columns,
  turns: [turn],
  replies: [0, 1, 2].map((index) => compareReply(index)),
};

const failed = compareReply(2, {
  state: 'failed',
  text: 'The loop changes the array while it walks over it. After `splice(index, 1)`, the next task takes the place of the removed one, and',
  problem: {
    severity: 'warning',
    title: 'Too many requests',
    detail: 'The service allows the next request in 41 s. The text above was kept.',
    actions: [
      { kind: 'retry', label: 'Retry' },
      { kind: 'selectModel', label: 'Select Another Model…' },
    ],
    technical: '429 rate_limit_exceeded',
    requestId: 'req_77b0de12',
  },
});

function voting(): CompareSnapshot {
  return {
    ...finished,
    setup: { options: {}, order: 'allAtOnce', isBlind: true },
    blindStage: 'voting',
    tags: { last: 'review', known: ['review', 'German'] },
    columns: ['A', 'B', 'C'].map((name, index) => ({
      id: `c${index}`,
      model: `Reply ${name}`,
      isBlind: true,
      place: '',
      options: {},
      defaults: {},
    })),
    replies: [0, 1, 2].map((index) =>
      compareReply(index, { model: `Reply ${'ABC'[index]}`, metrics: {}, marks: [], at: 0, canWin: true }),
    ),
  };
}

/** Its columns aren't in the order that they had before the vote. */
function voted(): CompareSnapshot {
  return { ...finished, given: { turnId: turn.id, words: `Your vote: ${compared[0]}, shown as Reply C` } };
}

export const compareStates: Readonly<Record<string, () => CompareSnapshot>> = {
  empty: () => empty,
  finished: () => finished,
  running: () => ({ ...finished, replies: [compareReply(0), runningReply(1), runningReply(2)] }),
  queued: () => ({
    ...finished,
    setup: { options: {}, order: 'oneAfterAnother', isBlind: false },
    replies: [compareReply(0), runningReply(1), runningReply(2, { isQueued: true })],
  }),
  paused: () => ({
    ...finished,
    replies: [
      compareReply(0),
      runningReply(1),
      runningReply(2, { isQueued: true, waitsUntil: new Date(2030, 0, 31, 14, 5).getTime() }),
    ],
  }),
  // Blind was turned off for the next question, and a model was added.
  votingOnTwo: () => {
    const { replies, setup, ...rest } = voting();
    return { ...rest, setup: { ...setup, isBlind: false }, replies: replies.slice(0, 2) };
  },
  elsewhere: () => ({
    ...finished,
    replies: [compareReply(0), compareReply(1), runningReply(2, { state: 'elsewhere' })],
  }),
  failed: () => ({ ...finished, replies: [compareReply(0), compareReply(1), failed] }),
  stopped: () => {
    const { cost: _cost, ...third } = compareReply(2, { state: 'stopped', chargeNote: 'You might have been charged.' });
    return { ...finished, replies: [compareReply(0), compareReply(1), third] };
  },
  voting,
  voted,
  told: () => ({
    ...finished,
    notes: [
      { id: 'n1', severity: 'busy', text: 'Testing…', buttons: ['Cancel'] },
      { id: 'n2', severity: 'warning', text: 'The daily budget is spent.', buttons: ['Show Usage', 'Change Budget…'] },
    ],
  }),
  votingWithoutOne: () => {
    const { replies, ...rest } = voting();
    const withoutVote = ({ canWin: _canWin, ...reply }: CompareReplyView): CompareReplyView => ({
      ...reply,
      state: 'failed',
      text: 'The loop changes the array while',
    });
    return { ...rest, replies: replies.map((reply, index) => (index === 1 ? withoutVote(reply) : reply)) };
  },
  // The fake host names two services for these.
  votingTwoServices: voting,
  twoServices: () => ({
    ...finished,
    columns: columns.map((view, index) => (index === 1 ? { ...view, model: 'home::kestrel/sparrow' } : view)),
    replies: [0, 1, 2].map((index) => compareReply(index, index === 1 ? { model: 'home::kestrel/sparrow' } : {})),
  }),
  estimated: () => ({
    ...finished,
    draft: 'And in Python?',
    estimate: { promptTokens: 760, cost: 'at most 0.0044' },
  }),
  toOne: () => ({
    ...finished,
    turns: [
      turn,
      { ...turn, id: 't2', text: 'Only for you', columns: ['c1'] },
      { ...turn, id: 't3', text: 'And in Python?' },
    ],
    replies: [
      ...finished.replies,
      compareReply(1, { id: 's1', turnId: 't2', text: 'Just me.' }),
      ...[0, 1, 2].map((index) => compareReply(index, { id: `u${index}`, turnId: 't3', text: 'A comprehension.' })),
    ],
  }),
  ownParameters: () => ({
    ...finished,
    columns: columns.map((view, index) =>
      index === 1 ? { ...view, options: { temperature: 0.9 }, own: 'Temperature 0.9 · System prompt' } : view,
    ),
  }),
  followUp: () => ({
    ...finished,
    turns: [turn, { ...turn, id: 't2', text: 'And in Python?' }],
    replies: [
      ...finished.replies,
      ...[0, 1].map((index) => compareReply(index, { id: `s${index}`, turnId: 't2', text: 'A list comprehension.' })),
    ],
  }),
};
