import fc from 'fast-check';
import type { ModelInfo } from '../../../../src/api/wire/decodeModels.ts';
import type { Experiment } from '../../../../src/core/experiments/experiment.ts';
import { ExperimentLog } from '../../../../src/core/experiments/experimentLog.ts';
import type { ExperimentFact, ExperimentRecord, RunEnd } from '../../../../src/core/experiments/experimentRecord.ts';
import {
  ExperimentRun,
  type PlannedSend,
  type SendPlanned,
  type SentReply,
} from '../../../../src/core/experiments/experimentRun.ts';
import type { ApiFailure } from '../../../../src/shared/apiFailure.ts';
import { listedModel, someExperiment } from './someExperiment.ts';
import { VirtualTime } from './virtualTime.ts';

const envelope = { message: 'no' };
export const failures = {
  rateLimited: { kind: 'rateLimited', status: 429, retryAfterMs: 2000, ...envelope },
  rateLimitedForAnHour: { kind: 'rateLimited', status: 429, retryAfterMs: 3_600_000, ...envelope },
  rateLimitedSilently: { kind: 'rateLimited', status: 429, ...envelope },
  outOfCredits: { kind: 'outOfCredits', status: 402, ...envelope },
  serverError: { kind: 'serverError', status: 500, ...envelope },
  refused: { kind: 'network', reason: 'refused', host: 'h', code: 'ECONNREFUSED', mayHaveBeenSent: false },
  lost: { kind: 'connectionLost', host: 'h', code: 'ECONNRESET' },
  noServer: { kind: 'backendUnavailable', status: 502, ...envelope },
  hung: { kind: 'timeout', timer: 'firstByte', afterMs: 1, host: 'h' },
  modelNotFound: { kind: 'modelNotFound', status: 404, ...envelope },
} as const satisfies Readonly<Record<string, ApiFailure>>;

type Answer = 'done' | 'incomplete' | keyof typeof failures;

export interface Sent {
  readonly planned: PlannedSend;
  readonly at: number;
  /** Whether the line was on disk when it was sent. */
  readonly isOnDisk: boolean;
  answer?: Answer | 'stopped';
  endedAt?: number;
}

interface Used {
  readonly promptTokens: number;
  readonly replyTokens: number;
}

/** An experiment's record, and a service with scripted responses. */
export class Bench {
  readonly time = new VirtualTime();
  readonly records: ExperimentRecord[] = [];
  readonly log = new ExperimentLog();
  readonly sent: Sent[] = [];
  readonly experiment: Experiment;
  mostInFlight = 0;
  #inFlight = 0;
  #ids = 0;
  readonly #answer: (planned: PlannedSend, number: number) => { readonly answer: Answer; readonly ms: number };
  isDiskFull = false;
  /** What the model list says about every model. */
  listed: ModelInfo | undefined = listedModel();
  /** Of the line before each request. */
  writeMs = 0;
  usedBy: (planned: PlannedSend) => Used = () => ({ promptTokens: PROMPT_TOKENS, replyTokens: REPLY_TOKENS });
  used: Used = { promptTokens: 0, replyTokens: 0 };
  readonly paused: number[] = [];

  constructor(
    experiment: Experiment,
    answer: (planned: PlannedSend, number: number) => { answer: Answer; ms: number } = () => ({
      answer: 'done',
      ms: 10,
    }),
  ) {
    this.experiment = experiment;
    this.#answer = answer;
    this.#keep([{ type: 'created', version: 1, experiment }]);
  }

  run(): ExperimentRun {
    const id = `run${(this.#ids += 1)}`;
    this.#keep([{ type: 'runStarted', run: id }]);
    const states = this.log.states(() => false);
    return new ExperimentRun(
      id,
      { experiment: this.experiment, states, log: this.log },
      {
        clock: this.time,
        newId: () => `a${(this.#ids += 1)}`,
        modelOf: () => this.listed,
        send: this.#send,
        write: async (facts) => {
          await (this.writeMs === 0 ? Promise.resolve() : this.time.sleep(this.writeMs, undefined));
          if (this.isDiskFull) throw Object.assign(new Error('full'), { code: 'ENOSPC' });
          this.#keep(facts);
        },
        append: (facts) => this.#keep(facts),
        onPaused: (_, at) => this.paused.push(at),
      },
    );
  }

  async whole(): Promise<RunEnd> {
    return this.time.through(this.run().run());
  }

  /** How often each request reached the service and might have been charged. */
  chargedTimes(): readonly number[] {
    const times = new Map<string, number>();
    for (const { planned, answer } of this.sent) {
      if (answer === 'rateLimited' || answer === 'refused' || answer === 'outOfCredits') continue;
      times.set(planned.request.key, (times.get(planned.request.key) ?? 0) + 1);
    }
    return [...times.values()];
  }

  readonly #send: SendPlanned = async (planned, signal) => {
    const isOnDisk = this.records.some((record) => record.type === 'sending' && record.attempt === planned.attempt);
    const sent: Sent = { planned, at: this.time.now(), isOnDisk };
    this.sent.push(sent);
    this.#inFlight += 1;
    this.mostInFlight = Math.max(this.mostInFlight, this.#inFlight);
    const { answer, ms } = this.#answer(planned, this.sent.length);
    try {
      await this.time.sleep(ms, signal);
      sent.answer = answer;
      const used = this.usedBy(planned);
      if (answer === 'done' || answer === 'incomplete') {
        const { promptTokens, replyTokens } = this.used;
        this.used = {
          promptTokens: promptTokens + used.promptTokens,
          replyTokens: replyTokens + used.replyTokens,
        };
      }
      return replyOf(answer, used);
    } catch {
      sent.answer = 'stopped';
      return { outcome: 'stopped', wasSent: true };
    } finally {
      sent.endedAt = this.time.now();
      this.#inFlight -= 1;
    }
  };

  #keep(facts: readonly ExperimentFact[]): void {
    for (const fact of facts) {
      const record = { ...fact, writer: 'w', at: this.time.now() };
      this.records.push(record);
      this.log.apply(record);
    }
  }
}

export const PROMPT_TOKENS = 3;
export const REPLY_TOKENS = 20;

function replyOf(answer: Answer, used: Used): SentReply {
  if (answer !== 'done' && answer !== 'incomplete') {
    return { outcome: 'failed', failure: failures[answer], wasSent: answer !== 'refused' };
  }
  const sample = { sentAt: 0, totalMs: 10, gapsMs: [], ...used };
  return { outcome: answer, wasSent: true, sample };
}

const someModels = [{ id: 'a' }, { id: 'b' }, { id: 'c', service: 'other' }];
const somePrompts = ['p1', 'p2', 'p3'].map((id) => ({
  id,
  messages: [{ role: 'user', content: 'Say hello' } as const],
}));

export const anyExperiment = fc
  .record({
    models: fc.integer({ min: 1, max: 3 }),
    prompts: fc.integer({ min: 1, max: 3 }),
    repeats: fc.integer({ min: 1, max: 4 }),
    order: fc.constantFrom('allAtOnce', 'interleaved', 'oneAfterAnother'),
    concurrency: fc.uniqueArray(fc.integer({ min: 1, max: 6 }), { minLength: 1, maxLength: 2 }),
    warmUp: fc.integer({ min: 0, max: 2 }),
    requests: fc.option(fc.integer({ min: 1, max: 30 }), { nil: undefined }),
    tokens: fc.option(fc.integer({ min: 1, max: 900 }), { nil: undefined }),
    cost: fc.option(fc.integer({ min: 1, max: 1800 }), { nil: undefined }),
    minutes: fc.option(fc.integer({ min: 1, max: 3 }), { nil: undefined }),
  })
  .map(({ models, prompts, repeats, order, concurrency, warmUp, requests, tokens, cost, minutes }) =>
    someExperiment({
      models: someModels.slice(0, models),
      prompts: somePrompts.slice(0, prompts),
      repeats,
      order,
      concurrency,
      warmUp,
      options: { maxTokens: REPLY_TOKENS },
      limits: {
        ...(requests !== undefined && { requests }),
        ...(tokens !== undefined && { tokens }),
        ...(cost !== undefined && { cost }),
        ...(minutes !== undefined && { minutes }),
      },
    }),
  );

const anyAnswer = fc.record({
  answer: fc.oneof(
    { weight: 6, arbitrary: fc.constant<Answer>('done') },
    { weight: 3, arbitrary: fc.constantFrom<Answer>('incomplete', 'rateLimited', 'serverError', 'lost', 'refused') },
    { weight: 1, arbitrary: fc.constantFrom<Answer>('outOfCredits', 'modelNotFound') },
  ),
  ms: fc.integer({ min: 1, max: 30_000 }),
});
export const anyAnswers = fc.array(anyAnswer, { minLength: 1, maxLength: 12 });
export const keyOf = ({ planned }: Sent) => planned.request.key;
