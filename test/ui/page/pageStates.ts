import { modelRows } from './modelRows.ts';
import type { Attachment, AttachmentsView } from '../../../src/shared/attachment.ts';
import type { MessageView, ReplyView, UserMessageView } from '../../../src/shared/chat.ts';
import type { ChatSnapshot } from '../../../src/shared/protocol/chatProtocol.ts';
import type { Unnumbered } from './fakeHost.ts';

/** The states that `?state=` can show. */
export interface PageState {
  snapshot(): ChatSnapshot;
  /** True if the first snapshot waits for the test. */
  readonly held?: boolean;
  /** Messages that follow the first snapshot. */
  afterwards?(): readonly Unnumbered[];
}

const model = 'meta/llama-4-scout';

export const noAttachments: AttachmentsView = {
  items: [],
  conversationTokens: 0,
  maxPictureEdge: 400,
  folder: '/pictures/',
};

const emptySnapshot: ChatSnapshot = {
  conversationId: 'c1',
  title: 'New chat',
  messages: [],
  hasOlder: false,
  options: { model },
  defaults: { temperature: 0.7, stream: true },
  draft: '',
  connection: { state: 'ready', host: 'inference.example' },
  suggestions: [
    { id: 'explain', label: 'Explain the selected code' },
    { id: 'tests', label: 'Write tests for this file' },
    { id: 'parameters', label: 'Set a system prompt…' },
  ],
  attachments: noAttachments,
};

export function user(id: string, text: string): UserMessageView {
  return { role: 'user', id, at: Date.now() - 60_000, text };
}

export function reply(id: string, text: string, more: Partial<ReplyView> = {}): ReplyView {
  return {
    role: 'assistant',
    id,
    at: Date.now() - 50_000,
    model,
    text,
    reasoning: '',
    state: 'done',
    metrics: {
      timeToFirstTokenSeconds: { value: 0.31, from: 'service' },
      tokensPerSecond: { value: 84.2, from: 'service' },
      totalSeconds: { value: 3.4, from: 'service' },
      promptTokens: { value: 412, from: 'service' },
      completionTokens: { value: 261, from: 'service' },
    },
    finishReason: 'stop',
    requestId: 'req_8f2c1a',
    ...more,
  };
}

const taken = Date.UTC(2026, 4, 4, 9, 32);
const selection: Attachment = {
  kind: 'selection',
  id: '5f0c7a52-96e6-4b16-9a5a-0e8b6ffb0001',
  name: 'tasks.ts:6-12',
  detail: 'src/tasks.ts:6-12',
  tokens: 92,
  at: taken,
};
const openEditors: Attachment = {
  ...selection,
  kind: 'openEditors',
  id: '5f0c7a52-96e6-4b16-9a5a-0e8b6ffb0002',
  name: 'Open editors (4)',
  detail: 'src/tasks.ts, src/main.py, README.md, src/removeDoneTasksFromTheList.test.ts',
  tokens: 3420,
};
export const diff: Attachment = {
  ...selection,
  kind: 'gitWorking',
  id: '5f0c7a52-96e6-4b16-9a5a-0e8b6ffb0003',
  name: 'Unstaged changes',
  detail: 'Unstaged changes: tasks',
  tokens: 610,
};
export const screenshot: Attachment = {
  kind: 'picture',
  id: '5f0c7a52-96e6-4b16-9a5a-0e8b6ffb0004',
  name: 'Screenshot of the failing test.png',
  detail: 'Screenshot of the failing test.png',
  tokens: 86,
  at: taken,
  mediaType: 'image/png',
  width: 320,
  height: 200,
  bytes: 48_200,
};

const question = user('u1', 'Why does this loop skip items?');
const withCode = `Removing from an array while walking it shifts what is left, so the next index jumps over one item. Filter into a new array instead:

\`\`\`typescript
const open = tasks.filter((task) => !task.done);
save('tasks.json', open);
\`\`\`

- \`filter\` leaves the original alone
- it reads the list **once**
`;
const table = '| Way | Passes |\n|---|---|\n| filter | 1 |\n';
const answer = reply('r1', withCode);

/** As a prompt on selected code sends it. */
export const sentCode = `Explain this code from tasks.ts: what it does, how, and what to watch out for.

\`\`\`typescript
export function removeDone(tasks: Task[]): Task[] {
\tfor (let index = 0; index < tasks.length; index++) if (tasks[index]?.done) tasks.splice(index, 1);
\treturn tasks; // <b>as it is</b>
}
\`\`\`

In *two* sentences.`;
const longCode = `Review this code.\n\n\`\`\`\n${Array.from({ length: 60 }, (_, line) => `step(${line});`).join('\n')}\n\`\`\``;

export function chat(messages: readonly MessageView[], more: Partial<ChatSnapshot> = {}): ChatSnapshot {
  return { ...emptySnapshot, messages, ...more };
}

function running(id: string, text: string): ReplyView {
  return {
    role: 'assistant',
    id,
    at: Date.now() - 1200,
    model,
    text,
    reasoning: '',
    state: 'running',
    metrics: {},
  };
}

const rateLimited = (): ReplyView =>
  reply('r2', '', {
    state: 'failed',
    metrics: {},
    problem: {
      severity: 'error',
      title: 'Too many requests',
      detail: 'The service allows more again in 41 s. Nothing was lost; your message is kept.',
      actions: [
        { kind: 'retry', label: 'Retry' },
        { kind: 'selectModel', label: 'Select Another Model…' },
      ],
      technical: '429 rate_limit_exceeded',
      requestId: 'req_8f2c1a',
      retryAt: Date.now() + 41_000,
    },
  });

const outOfCredits = (): ReplyView =>
  reply('r3', 'The three changes that users see are', {
    state: 'failed',
    metrics: { totalSeconds: { value: 1.1, from: 'here' }, completionTokens: { value: 9, from: 'estimate' } },
    problem: {
      severity: 'warning',
      title: 'Out of credits',
      detail: 'The account has none left for this model.',
      actions: [
        { kind: 'openCreditsPage', label: 'Open Credits Page' },
        { kind: 'showLog', label: 'Show Log' },
      ],
      technical: '402 insufficient_quota',
      requestId: 'req_77b0de',
    },
  });

const longModel = 'mistral-community/very-long-model-name-that-goes-on-mixtral-8x22b-instruct-v0.3-fp8-120b';

function many(count: number): MessageView[] {
  return Array.from({ length: count }, (_, index) =>
    index % 2 === 0
      ? user(`m${index}`, `Question ${index}`)
      : reply(`m${index}`, `Answer ${index}.\n\nIt has a second paragraph, so that it takes some room on the page.`),
  );
}

const withFormulas = String.raw`The chance that two of $n$ people share a birthday is

$$
p(n) = 1 - \prod_{k=1}^{n-1} \left(1 - \frac{k}{365}\right) \approx 1 - e^{-n(n-1)/730}
$$

so \(p(23) \approx 0.507\), and with a matrix

\[
A = \begin{pmatrix} a & b \\ c & d \end{pmatrix}, \quad \det A = ad - bc
\]

A ticket costs $5, or $10 with $HOME.`;

export const pageStates: Readonly<Record<string, PageState>> = {
  empty: { snapshot: () => emptySnapshot },
  needsBaseUrl: {
    snapshot: () => chat([], { connection: { state: 'needsBaseUrl', host: '' }, options: {}, suggestions: [] }),
  },
  needsKey: {
    snapshot: () => chat([], { connection: { state: 'needsApiKey', host: 'inference.example' } }),
  },
  needsLocalKey: {
    snapshot: () => chat([], { connection: { state: 'needsApiKey', host: 'localhost:11434', isLocal: true } }),
  },
  needsModel: {
    snapshot: () => chat([], { connection: { state: 'needsModel', host: 'inference.example' }, options: {} }),
  },
  wrongHost: {
    snapshot: () =>
      chat([], {
        connection: {
          state: 'needsApiKey',
          host: 'inference.example',
          problem: {
            severity: 'warning',
            title: 'The API key is for another host',
            detail: 'It was given for api.example and is not sent to inference.example.',
            actions: [
              { kind: 'useKeyForThisHost', label: 'Use It for This Host' },
              { kind: 'setApiKey', label: 'Set Another Key…' },
            ],
            technical: '',
          },
        },
      }),
  },
  sentCode: {
    snapshot: () => chat([user('u1', sentCode), answer, user('u2', longCode), reply('r2', 'It is a long one.')]),
  },
  loading: { held: true, snapshot: () => chat([question, answer], { draft: 'From the host' }) },
  loadingEmpty: { held: true, snapshot: () => chat([question, answer]) },
  elsewhere: {
    snapshot: () => chat([question, reply('r1', 'Removing from an array', { state: 'elsewhere', metrics: {} })]),
  },
  done: { snapshot: () => chat([question, answer]) },
  picking: {
    snapshot: () => chat([question, answer]),
    afterwards: () => [{ type: 'modelPickerOpened', view: modelRows }],
  },
  twoOfEach: { snapshot: () => chat([question, reply('r1', `${withCode}\n${table}\n${withCode}\n${table}`)]) },
  formulas: { snapshot: () => chat([question, reply('r1', withFormulas)]) },
  streaming: {
    snapshot: () => chat([question, answer, user('u2', 'And if the list has a million items?'), running('r2', '')]),
    afterwards: () => [
      {
        type: 'replyGrew',
        replyId: 'r2',
        part: 'text',
        offset: 0,
        text: 'Then walk it backwards: what shifts has already been seen, and nothing is copied. For a million items that saves about 8 MB and one pass. The order of removal',
      },
    ],
  },
  versions: {
    snapshot: () =>
      chat([
        question,
        reply('r2', 'Each removal shifts the rest of the array, and the next task is skipped. Walk backwards.', {
          model: 'kestrel/sparrow',
          metrics: {
            timeToFirstTokenSeconds: { value: 0.18, from: 'service' },
            tokensPerSecond: { value: 118, from: 'service' },
            totalSeconds: { value: 1.7, from: 'service' },
            promptTokens: { value: 412, from: 'service' },
            completionTokens: { value: 188, from: 'service' },
          },
          versions: [
            { id: 'r1', model, metrics: { totalSeconds: { value: 3.4, from: 'service' } } },
            { id: 'r2', model: 'kestrel/sparrow' },
          ],
        }),
      ]),
  },
  edited: {
    snapshot: () =>
      chat([
        { ...question, versions: [{ id: 'u0' }, { id: question.id }] },
        answer,
        user('u2', 'And backwards?'),
        answer,
      ]),
  },
  waiting: { snapshot: () => chat([question, running('r2', '')]) },
  retrying: {
    snapshot: () =>
      chat([
        question,
        { ...running('r2', ''), retry: { attempt: 2, at: Date.now() + 4000, reason: 'The service is overloaded' } },
      ]),
  },
  reasoning: {
    snapshot: () =>
      chat([
        question,
        reply('r1', withCode, {
          reasoning: 'The loop removes while it walks.\n\nSo it must skip.',
          thoughtSeconds: 2.04,
        }),
      ]),
  },
  errors: {
    snapshot: () =>
      chat([
        user('u2', 'Summarize the changes in this file for the changelog'),
        outOfCredits(),
        user('u3', 'Go on'),
        rateLimited(),
      ]),
  },
  stopped: {
    snapshot: () =>
      chat([
        user('u2', 'Summarize the changes in this file for the changelog'),
        reply(
          'r2',
          'Three changes that users see:\n\n1. Search keeps its place.\n2. Exports carry the file’s own name.',
          {
            state: 'stopped',
            metrics: {
              timeToFirstTokenSeconds: { value: 0.58, from: 'here' },
              tokensPerSecond: { value: 61, from: 'here' },
              totalSeconds: { value: 2.1, from: 'here' },
              completionTokens: { value: 44, from: 'estimate' },
            },
          },
        ),
        user('u4', 'Go on'),
        reply('r4', 'It ends where the limit', { finishReason: 'length' }),
        user('u5', 'And then?'),
        reply('r5', 'The window was closed while', { state: 'interrupted', metrics: {} }),
      ]),
  },
  longModel: {
    snapshot: () =>
      chat([question, reply('r1', `A word without end: ${'unbroken'.repeat(40)}`, { model: longModel })], {
        options: { model: longModel, temperature: 0.2, maxTokens: 500 },
      }),
  },
  // The fake host names two services for this one.
  severalServices: {
    snapshot: () => {
      const elsewhere = `home::${longModel}`;
      return chat([question, reply('r1', 'It does.', { model: elsewhere })], { options: { model: elsewhere } });
    },
  },
  attached: {
    snapshot: () =>
      chat([question, answer], {
        draft: 'Why does this test fail?',
        attachments: {
          ...noAttachments,
          items: [selection, openEditors, diff, screenshot],
          conversationTokens: 673,
          contextWindow: 131_072,
          seesPictures: true,
        },
      }),
  },
  begun: {
    snapshot: () =>
      chat(
        [
          user('u2', `Explain this code.\n\n${'```ts\nconst tasks = [];\n```\n\n'.repeat(8)}`),
          running('r2', 'Some more words.\n\n'.repeat(20).slice(0, 240)),
        ],
        {
          attachments: {
            ...noAttachments,
            suggested: { kind: 'selection', name: 'tasks.ts:6-9', detail: 'src/tasks.ts:6-9', tokens: 40 },
          },
        },
      ),
  },
  suggested: {
    snapshot: () =>
      chat([question, answer], {
        attachments: {
          ...noAttachments,
          items: [diff],
          suggested: { kind: 'file', name: 'tasks.ts', detail: 'src/tasks.ts', tokens: 96 },
        },
      }),
  },
  tooMuch: {
    snapshot: () =>
      chat([], {
        attachments: {
          ...noAttachments,
          items: [{ ...openEditors, tokens: 34_100 }],
          contextWindow: 32_768,
          conversationTokens: 0,
        },
      }),
  },
  blind: {
    snapshot: () =>
      chat([], { attachments: { ...noAttachments, items: [screenshot], contextWindow: 32_768, seesPictures: false } }),
  },
  sentWithContext: {
    snapshot: () =>
      chat([
        { ...user('u1', 'Why does this test fail on the second run?'), attachments: [selection, diff] },
        answer,
        { ...user('u2', 'And what does the picture show?'), attachments: [screenshot] },
        reply('r2', 'A gradient with discs on it.'),
      ]),
  },
  told: {
    snapshot: () =>
      chat([question, answer], {
        notes: [
          {
            id: 'n1',
            severity: 'busy',
            text: 'Testing the connection: waiting for local/writer…',
            buttons: ['Cancel'],
          },
          {
            id: 'n2',
            severity: 'error',
            text: "The API key wasn't accepted. Check it in your account. (401 missing_api_key · req_8f2c1a)",
            buttons: ['Set API Key…', 'Show Log'],
          },
          {
            id: 'n3',
            severity: 'info',
            text: 'The API key is stored for inference.example.',
            buttons: ['Test Connection'],
          },
        ],
      }),
  },
  many: { snapshot: () => chat(many(60).slice(30), { hasOlder: true }) },
};
