/**
 * The request log with 100,000 requests: `node test/bench/requests.ts [count]`.
 *
 * What is compared is the same work on a log of 1,000 and of `count`: opening a page and appending
 * must not grow with it.
 */
import { mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { encodeRequestRecord, type RequestEnd, type RequestStart } from '../../src/core/requestRecord.ts';
import { encodeBody } from '../../src/core/requestBody.ts';
import { LinesFile } from '../../src/vscode/linesFile.ts';
import { RequestDigests } from '../../src/vscode/requests/requestDigests.ts';
import { RequestHistory } from '../../src/vscode/requests/requestHistory.ts';
import { RequestStore } from '../../src/vscode/requests/requestStore.ts';

const many = Number(process.argv[2] ?? 100_000);
const perFile = 400;
const rounds = 7;

function start(id: string, at: number): RequestStart {
  const model = `provider-${at % 7}/model-${at % 23}`;
  const origin = { kind: 'chat', conversationId: crypto.randomUUID() } as const;
  return { type: 'started', id, writer: 'bench', pid: process.pid, at, operation: 'chat', origin, model };
}

function end(id: string, at: number): RequestEnd {
  const figure = (value: number) => ({ value, from: 'service' as const });
  return {
    type: 'ended',
    id,
    writer: 'bench',
    at,
    outcome: 'done',
    metrics: {
      timeToFirstTokenSeconds: figure(0.3 + Math.random()),
      tokensPerSecond: figure(60 + 40 * Math.random()),
      totalSeconds: figure(3 + Math.random()),
      promptTokens: figure(400),
      completionTokens: figure(250),
    },
    finishReason: 'stop',
    requestId: `req_${id.slice(0, 20)}`,
    status: 200,
    cost: 0.0012,
  };
}

const body = { model: 'm', messages: [{ role: 'user', content: 'Why does this loop skip items? '.repeat(20) }] };

/** Files as the store writes them, written at once. */
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
  const digests: RequestDigests = new RequestDigests({ store: () => store, writer: 'bench', onError });
  const limits = () => ({ maxCount: 1_000_000, maxBytes: 10_000_000_000 });
  const store = new RequestStore({
    folder,
    writer: 'bench',
    limits,
    onError,
    countOf: (file) => digests.countOf(file),
  });
  return new RequestHistory({ store, digests, onError });
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const from = performance.now();
  await work();
  return performance.now() - from;
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}

async function measure(count: number): Promise<Readonly<Record<string, number>>> {
  const folder = await mkdtemp(join(tmpdir(), 'parlance-bench-'));
  try {
    await fill(folder, count);
    const sizes = await Promise.all((await readdir(folder)).map(async (name) => (await stat(join(folder, name))).size));
    const opening: number[] = [];
    const sumsCold = await timed(async () => {
      const history = open(folder);
      await history.digest();
      history.dispose();
    });
    const sumsIndexed: number[] = [];
    const older: number[] = [];
    for (let round = 0; round < rounds; round += 1) {
      const history = open(folder);
      opening.push(await timed(() => history.requests()));
      older.push(await timed(() => history.loadOlder()));
      sumsIndexed.push(await timed(() => history.digest()));
      history.dispose();
    }
    const writing = open(folder);
    const appending: number[] = [];
    for (let index = 0; index < 1000; index += 1) {
      const id = crypto.randomUUID();
      const started = start(id, Date.now());
      writing.started(started);
      appending.push(
        await timed(async () => {
          writing.sent(started, { method: 'POST', url: 'https://service.test/v1', body });
          writing.ended(end(id, Date.now()), { text: 'It removes while it walks.' });
          await writing.flush();
        }),
      );
    }
    await writing.digest();
    const sumsAgain: number[] = [];
    for (let round = 0; round < rounds; round += 1) {
      const id = crypto.randomUUID();
      const started = start(id, Date.now());
      writing.sent(started, undefined);
      writing.ended(end(id, Date.now()), undefined);
      await writing.flush();
      sumsAgain.push(await timed(() => writing.digest()));
    }
    const [newest] = await writing.requests();
    const oneBody = await timed(() => writing.bodies(newest?.id ?? ''));
    writing.dispose();
    return {
      'MB on disk': sizes.reduce((sum, size) => sum + size, 0) / 1_000_000,
      'open the list, ms': median(opening),
      'load an older page, ms': median(older),
      'start and end of one request on disk, ms': median(appending),
      'read one request with its bodies, ms': oneBody,
      'sums of the whole log, first time, ms': sumsCold,
      'sums of the whole log, with the index, ms': median(sumsIndexed),
      'sums again after one more request, ms': median(sumsAgain),
    };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

const few = await measure(1000);
const full = await measure(many);
console.log(`| | 1,000 | ${many.toLocaleString('en')} |\n|---|---|---|`);
for (const [name, value] of Object.entries(full)) {
  console.log(`| ${name} | ${(few[name] ?? 0).toFixed(2)} | ${value.toFixed(2)} |`);
}
