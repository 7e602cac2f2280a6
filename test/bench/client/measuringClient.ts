import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { InferenceClient } from '../../../src/api/inferenceClient.ts';
import { createTransport } from '../../../src/api/transport/createTransport.ts';
import type { Experiment } from '../../../src/core/experiments/experiment.ts';
import { plannedBody, plannedRequests } from '../../../src/core/experiments/experimentPlan.ts';
import { recordedSender } from '../../../src/vscode/experiments/recordedSender.ts';
import { openRequestLog } from '../../../src/vscode/requests/openRequestLog.ts';
import { serveTasks } from './clientProcess.ts';

/** A request as Measure Models sends it: recorded on disk, each arrival timed. */
const experiment: Experiment = {
  id: 'measurement-bench',
  kind: 'measurement',
  prompts: [{ id: 'p', messages: [{ role: 'user', content: 'Hello' }] }],
  models: [{ id: 'bench' }],
  repeats: 1,
  order: 'interleaved',
  concurrency: [64],
  warmUp: 0,
  hasUniquePrefix: false,
  keepsReplies: false,
  limits: {},
  options: { stream: true },
};
const [request] = plannedRequests(experiment);
if (request === undefined) throw new Error('Nothing is planned');
const folder = mkdtempSync(join(tmpdir(), 'parlance-bench-'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
const fail = (error: unknown) => {
  throw error;
};

let baseUrl = new URL('http://127.0.0.1');
const client = new InferenceClient({
  endpoint: () => Promise.resolve({ baseUrl, nativeUrl: baseUrl, apiKey: 'bench' }),
  transport: createTransport(),
});
const log = openRequestLog({
  callsOf: () => client,
  folder,
  limits: () => ({ maxCount: 100_000, maxBytes: 100_000_000 }),
  keepsBodies: () => true,
  clean: (data) => data,
  cleanBody: (data) => data,
  onError: fail,
});

serveTasks({
  async stream(base, text) {
    baseUrl = new URL(base);
    const attempt = crypto.randomUUID();
    const send = recordedSender({
      experimentId: experiment.id,
      keepsReplies: false,
      callsFor: (model, origin) => log.calls.from(origin).forModel(model),
      clean: (data) => data,
      cleanBody: (data) => data,
      onEvent: (_, event) => {
        if (event.type === 'text') text(event.text);
      },
    });
    const planned = { attempt, request, body: plannedBody(experiment, request, attempt) };
    const { failure } = await send(planned, new AbortController().signal);
    if (failure !== undefined) throw new Error(failure.kind);
    await log.history.flush();
  },
});
