import { mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ChatEvent } from '../../../src/api/types.ts';
import { encodeBody } from '../../../src/core/requests/requestBody.ts';
import { encodeRequestRecord, type RequestEnd, type RequestStart } from '../../../src/core/requests/requestRecord.ts';
import { LinesFile } from '../../../src/vscode/disk/linesFile.ts';
import type { InferenceCalls } from '../../../src/core/requests/inferenceCalls.ts';
import { openHistory } from '../../../src/vscode/requests/openHistory.ts';
import type { RequestHistory } from '../../../src/vscode/requests/requestHistory.ts';
import { openRequestLog } from '../../../src/vscode/requests/openRequestLog.ts';
import { figure, ratios, type RowSet, takeTurns } from '../figure.ts';
import { chatCompletion } from '../../../src/api/operations/chatCompletion.ts';

const few = 1000;
const many = 100_000;
const perFile = 400;
const appended = 40;
const tokens = 100_000;

const measures = ['open the list', 'load an older page', 'append one request', 'sums with the index'] as const;
type Measure = (typeof measures)[number];
const sizes = { [`${few}`]: few, [`${many}`]: many } as const;

export const requestRows: RowSet = {
  name: 'requests',
  title: `Request history: ${many} requests in it`,
  method:
    `The same work on a request history of ${few} and of ${many} requests: opening the list, loading its next ` +
    'page, and appending must not take longer as it grows. Appending one request means its start and its end ' +
    `with their bodies, until both are on disk. Then what the history adds to each token of a stream: ${tokens} ` +
    'events, plain and recorded. By the clock, in Node.',
  async run({ rounds, say }) {
    const folders = new Map<string, string>();
    try {
      for (const [name, count] of Object.entries(sizes)) {
        say(`writing ${count} requests`);
        const folder = await mkdtemp(join(tmpdir(), 'parlance-requests-'));
        folders.set(name, folder);
        await fill(folder, count);
      }
      const folderOf = (name: string) => folders.get(name) ?? name;
      const bytes = await sizeOf(folderOf(`${many}`));
      const cold = await timed(async () => {
        const history = open(folderOf(`${many}`));
        await history.digest();
        history.dispose();
      });
      say(`${rounds} rounds`);
      const times: Record<string, Record<Measure, number[]>> = {};
      const names = Object.keys(sizes);
      await takeTurns(names, rounds, async (name) => {
        const measured = await measure(folderOf(name));
        const own = (times[name] ??= {
          'open the list': [],
          'load an older page': [],
          'append one request': [],
          'sums with the index': [],
        });
        for (const each of measures) own[each].push(measured[each]);
        return 0;
      });
      const [small, large] = [times[`${few}`], times[`${many}`]];
      if (small === undefined || large === undefined) throw new Error('Nothing was measured');
      const stream = await streamTimes(rounds);
      return [
        figure('on disk', [bytes / 1_000_000], 'MB'),
        figure('sums of the whole log without an index', [cold], 'ms'),
        ...measures.flatMap((name) => [
          figure(`${name}, ${few} requests`, small[name], 'ms'),
          figure(`${name}, ${many} requests`, large[name], 'ms', name === 'open the list' ? 100 : undefined),
        ]),
        figure(`open the list: ${many} ÷ ${few}`, ratios(large['open the list'], small['open the list']), '×', 2),
        figure(`append: ${many} ÷ ${few}`, ratios(large['append one request'], small['append one request']), '×', 2),
        figure('a token of a stream, plain', stream.plain, 'µs'),
        figure('a token of a stream, recorded', stream.recorded, 'µs'),
        figure('a token of a stream, what the log adds', stream.added, 'µs', 2),
      ];
    } finally {
      for (const folder of folders.values()) await rm(folder, { recursive: true, force: true });
    }
  },
};

async function measure(folder: string): Promise<Record<Measure, number>> {
  const history = open(folder);
  try {
    const opening = await timed(() => history.requests());
    const older = await timed(() => history.loadOlder());
    const sums = await timed(() => history.digest());
    const appending = await timed(async () => {
      for (let index = 0; index < appended; index += 1) {
        const id = crypto.randomUUID();
        const started = start(id, Date.now());
        history.started(started);
        history.sent(started, { method: 'POST', url: 'https://service.test/v1', body });
        history.ended(end(id, Date.now()), { text: 'It removes while it walks.' });
        await history.flush();
      }
    });
    return {
      'open the list': opening,
      'load an older page': older,
      'append one request': appending / appended,
      'sums with the index': sums,
    };
  } finally {
    history.dispose();
  }
}

async function sizeOf(folder: string): Promise<number> {
  const names = await readdir(folder);
  const bytes = await Promise.all(names.map(async (name) => (await stat(join(folder, name))).size));
  return bytes.reduce((sum, each) => sum + each, 0);
}

function start(id: string, at: number): RequestStart {
  const model = `provider-${at % 7}/model-${at % 23}`;
  const origin = { kind: 'chat', conversationId: crypto.randomUUID() } as const;
  return { type: 'started', id, writer: 'bench', pid: process.pid, at, operation: 'chat', origin, model };
}

function end(id: string, at: number): RequestEnd {
  const sent = (value: number) => ({ value, from: 'service' as const });
  return {
    type: 'ended',
    id,
    writer: 'bench',
    at,
    outcome: 'done',
    metrics: {
      timeToFirstTokenSeconds: sent(0.3 + Math.random()),
      tokensPerSecond: sent(60 + 40 * Math.random()),
      totalSeconds: sent(3 + Math.random()),
      promptTokens: sent(400),
      completionTokens: sent(250),
    },
    finishReason: 'stop',
    requestId: `req_${id.slice(0, 20)}`,
    status: 200,
    cost: 0.0012,
  };
}

const body = { model: 'm', messages: [{ role: 'user', content: 'Why does this loop skip items? '.repeat(20) }] };

/** Files like the store's, written all at once. */
async function fill(folder: string, count: number): Promise<void> {
  const from = Date.now() - count * 60_000;
  for (let first = 0; first < count; first += perFile) {
    const rows: string[] = [];
    const bodies: string[] = [];
    for (let index = first; index < Math.min(count, first + perFile); index += 1) {
      const id = crypto.randomUUID();
      const at = from + index * 60_000;
      rows.push(encodeRequestRecord(start(id, at)), encodeRequestRecord(end(id, at + 3000)));
      bodies.push(
        encodeBody({ id, part: 'request', content: { method: 'POST', url: 'https://service.test/v1', body } }),
      );
      bodies.push(encodeBody({ id, part: 'response', content: { text: 'It removes while it walks. '.repeat(40) } }));
    }
    const name = String(from + first * 60_000).padStart(15, '0');
    await new LinesFile(join(folder, `${name}.jsonl`)).append(rows);
    await new LinesFile(join(folder, `${name}.bodies.jsonl`)).append(bodies);
  }
}

function open(folder: string): RequestHistory {
  const onError = (error: unknown) => {
    throw error;
  };
  const limits = () => ({ maxCount: 1_000_000, maxBytes: 10_000_000_000 });
  return openHistory({ folder, writer: 'bench', limits, onError }).history;
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const from = performance.now();
  await work();
  return performance.now() - from;
}

/** Microseconds per token, by round. */
async function streamTimes(
  rounds: number,
): Promise<{ readonly plain: number[]; readonly recorded: number[]; readonly added: number[] }> {
  const folder = await mkdtemp(join(tmpdir(), 'parlance-requests-'));
  const { calls, history } = openRequestLog({
    callsOf: () => endlessTalker,
    folder,
    limits: () => ({ maxCount: 1000, maxBytes: 1e9 }),
    keepsBodies: () => true,
    clean: (data) => data,
    cleanBody: (data) => data,
    onError: (error) => {
      throw error;
    },
  });
  try {
    const clients = { plain: endlessTalker, recorded: calls.to('service') };
    const { plain, recorded } = await takeTurns(['plain', 'recorded'] as const, rounds, async (name) => {
      const ms = await timed(() => listen(clients[name]));
      await history.flush();
      return (ms * 1000) / tokens;
    });
    return { plain, recorded, added: recorded.map((value, round) => Math.max(0, value - (plain[round] ?? 0))) };
  } finally {
    history.dispose();
    await rm(folder, { recursive: true, force: true });
  }
}

const nobody = () => Promise.reject(new Error('asked of nobody'));

const endlessTalker: InferenceCalls = {
  async *stream(_operation, options): AsyncGenerator<ChatEvent> {
    const url = new URL('https://service.test/v1/chat/completions');
    options?.observer?.sending?.({ method: 'POST', url, text: '{}' });
    for (let count = 0; count < tokens; count += 1) {
      // Events arrive a few at a time, as from a socket.
      if (count % 4 === 0) await Promise.resolve();
      yield { type: 'text', text: 'token ' };
    }
    yield { type: 'end', complete: true };
  },
  ask: nobody,
};

async function listen(client: Pick<InferenceCalls, 'stream'>): Promise<void> {
  let length = 0;
  for await (const event of client.stream(chatCompletion({ model: 'm', messages: [], stream: true }))) {
    if (event.type === 'text') length += event.text.length;
  }
  if (length !== tokens * 6) throw new Error('tokens were lost');
}
