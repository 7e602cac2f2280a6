import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ApiError } from '../../../../src/api/apiError.ts';
import type { CallOptions } from '../../../../src/api/callOptions.ts';
import type { ChatEvent, Usage } from '../../../../src/api/types.ts';
import type { CheckAttempt } from '../../../../src/core/checks/checkResult.ts';
import { caseMessages } from '../../../../src/core/checks/caseMessages.ts';
import { readChecksFile } from '../../../../src/core/checks/readChecksFile.ts';
import { rubricVerdict } from '../../../../src/core/checks/rubric.ts';
import { verdictOf } from '../../../../src/core/checks/verdicts/verdict.ts';
import type { ChatOperation } from '../../../../src/api/operations/chatCompletion.ts';
import type { ApiFailure } from '../../../../src/shared/apiFailure.ts';
import { CheckRun, type CheckRunDeps } from '../../../../src/vscode/checks/checkRun.ts';
import type { CheckLeaf } from '../../../../src/vscode/checks/checkTree.ts';
import type { RequestOrigin } from '../../../../src/core/requests/requestRecord.ts';
import { ExperimentStore } from '../../../../src/vscode/experiments/experimentStore.ts';
import { type Experiments, openExperiments } from '../../../../src/vscode/experiments/openExperiments.ts';

type Play = (model: string, options: CallOptions) => AsyncGenerator<ChatEvent, void, undefined>;

/** A reply in one piece, with its finish reason. */
async function* saying(text: string, reason = 'stop', usage?: Usage): AsyncGenerator<ChatEvent, void, undefined> {
  await Promise.resolve();
  yield { type: 'opened' };
  if (usage !== undefined) yield { type: 'usage', usage };
  if (text !== '') yield { type: 'text', text };
  yield { type: 'finish', reason };
  yield { type: 'end', complete: reason === 'stop' };
}

/** Throws once the request is stopped, which can be a moment after the run was. */
async function stopOf(signal: AbortSignal | undefined): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  signal?.addEventListener('abort', () => resolve());
  if (signal?.aborted !== true) await promise;
  signal?.throwIfAborted();
}

const refused: ApiFailure = {
  kind: 'network',
  reason: 'refused',
  host: 'h',
  code: 'ECONNREFUSED',
  mayHaveBeenSent: false,
};

interface Sent {
  readonly model: string;
  readonly origin: RequestOrigin;
  readonly operation: ChatOperation;
}

const expects = (assertion: string) =>
  `models: [m]\njudge: judge\ncases: [{ name: a, messages: [{ role: user, content: Hi }], assert: [${assertion}] }]\n`;

async function leavesOf(text: string): Promise<readonly CheckLeaf[]> {
  const file = await readChecksFile(text, { promptFile: 'p', readFile: async () => ({ fault: 'none' }) });
  const checks = { uri: 'file:///w/a.checks.yaml', file };
  const leaves = file.cases.flatMap((check) =>
    file.models.map(({ pattern: id }) => {
      const loaded = {
        check,
        messages: caseMessages(check, {}),
        options: {},
        hasSystemPrompt: false,
        fingerprint: 'f',
      };
      return { checks, loaded, model: { id }, item: { id: `${check.id} ${id}` } };
    }),
  );
  // Only the text of a URI and an item is used. oxlint-disable-next-line typescript/no-unsafe-type-assertion -- as
  // above
  return leaves as unknown as readonly CheckLeaf[];
}

describe('A run of checks', () => {
  let folder: string;

  beforeEach(async () => void (folder = await mkdtemp(join(tmpdir(), 'parlance-run-'))));
  afterEach(() => rm(folder, { recursive: true, force: true }));

  const thread: CheckRunDeps['thread'] = {
    verdicts: async (expectations, reply) => expectations.map((each) => verdictOf(each, reply)),
    judged: async (rubric, judge) => rubricVerdict(rubric, judge),
  };

  /** What is reported about each case if the service behaves like this. */
  async function told(
    text: string,
    play: Play,
    {
      signal = new AbortController().signal,
      around = (experiments) => experiments,
      judging = thread,
      prices = {},
      origins = [],
      waits = [],
    }: {
      readonly signal?: AbortSignal;
      readonly around?: (experiments: Experiments) => Experiments;
      readonly judging?: CheckRunDeps['thread'];
      /** Of a million tokens, by model. */
      readonly prices?: Readonly<Record<string, number>>;
      /** Is filled with all requests, and with their origins, by which request history lists them. */
      readonly origins?: Sent[];
      /** Is filled with what is said about waits. */
      readonly waits?: (number | undefined)[];
    } = {},
  ): Promise<readonly ('skipped' | readonly CheckAttempt[])[]> {
    const fails = (error: unknown): never => {
      throw error;
    };
    const experiments = openExperiments({
      folder,
      find: ({ id }) => {
        const price = prices[id];
        return price === undefined
          ? undefined
          : { id, raw: {}, inputPricePerMillion: price, outputPricePerMillion: price };
      },
      hostOf: () => 'h',
      replyTokensOf: () => undefined,
      callsFor: (model, origin) => ({
        stream: (operation, given = {}) => {
          origins.push({ model, origin, operation });
          return play(model, given);
        },
      }),
      clean: (data) => data,
      cleanBody: (data) => data,
      onError: fails,
      onUnsaved: fails,
    });
    const ends: ('skipped' | readonly CheckAttempt[])[] = [];
    const run = new CheckRun(
      {
        experiments: around(experiments),
        thread: judging,
        chatDefaults: () => ({}),
        explain: ({ kind }) => `explained: ${kind}`,
        onError: fails,
      },
      {
        started: () => undefined,
        waits: (_leaf, until) => waits.push(until),
        skipped: () => ends.push('skipped'),
        ended: (_leaf, { attempts }) => ends.push(attempts),
      },
    );
    const leaves = await leavesOf(text);
    await run.run(run.plan(leaves), leaves, signal);
    return ends;
  }

  const states = (attempts: 'skipped' | readonly CheckAttempt[] | undefined) =>
    typeof attempts === 'string' || attempts === undefined
      ? attempts
      : attempts.map(({ state, faults: [fault] }) => [state, fault?.reason]);

  it("says why a service couldn't be reached, even if there's only one request", async () => {
    const unreachable: Play = async function* () {
      await Promise.resolve();
      yield { type: 'attempt', attempt: 1 };
      throw new ApiError(refused);
    };
    const [attempts, ...others] = await told(expects('{ type: contains, value: x }'), unreachable);
    assert.deepEqual([states(attempts), others], [[['undecided', 'explained: network']], []]);
  });

  it('says until when a busy service makes a model or a judge wait, and when it no longer does', async () => {
    for (const busy of ['m', 'judge']) {
      const asked: string[] = [];
      const play: Play = async function* (model) {
        asked.push(model);
        if (model === busy && asked.filter((each) => each === busy).length === 1)
          throw new ApiError({ kind: 'rateLimited', status: 429, retryAfterMs: 50, message: 'no' });
        yield* saying(model === 'judge' ? '{"pass": true}' : 'Hi');
      };
      const waits: (number | undefined)[] = [];
      const before = Date.now();
      const [attempts] = await told(expects('{ type: llm-rubric, value: Polite }'), play, { waits });
      assert.deepEqual(states(attempts), [['passed', undefined]]);
      const at = waits.findIndex((until) => until !== undefined);
      assert.ok((waits[at] ?? 0) >= before + 50, busy);
      assert.deepEqual(new Set(waits.slice(at + 1)), new Set([undefined]));
    }
  });

  it('skips what was stopped before it was sent, and nothing else', async () => {
    const signal = AbortSignal.abort();
    const never: Play = () => assert.fail('sent');
    const text = expects('{ type: contains, value: x }');
    assert.deepEqual(await told(text, never, { signal }), ['skipped']);
    const abort = new AbortController();
    const waiting: Play = async function* (_model, { observer, signal: given }) {
      observer?.onWire?.();
      yield { type: 'attempt', attempt: 1 };
      abort.abort();
      await stopOf(given);
    };
    const [attempts] = await told(text, waiting, { signal: abort.signal });
    assert.deepEqual(states(attempts), [['undecided', 'Stopped']]);
  });

  it("can be stopped at any time, even while it's starting", async () => {
    const text = `repeat: 20\n${expects('{ type: contains, value: x }')}`;
    for (const moment of ['creating', 'starting'] as const) {
      const abort = new AbortController();
      let sent = 0;
      const play: Play = async function* () {
        sent += 1;
        yield* saying('x');
      };
      const around = (experiments: Experiments): Experiments => ({
        ...experiments,
        store: Object.assign(Object.create(experiments.store), {
          create: async (experiment: Parameters<Experiments['store']['create']>[0]) => {
            await experiments.store.create(experiment);
            if (moment === 'creating') abort.abort();
          },
          ended: (id: string) => experiments.store.ended(id),
        }),
        start: async (...given) => {
          const started = await experiments.start(...given);
          if (moment === 'starting') abort.abort();
          return started;
        },
      });
      await told(text, play, { signal: abort.signal, around });
      assert.ok(sent < 20, `${moment}: ${sent}`);
      if (moment === 'creating') assert.equal(sent, 0);
    }
  });

  it("takes a verdict only from a judge's complete reply", async () => {
    const text = expects('{ type: llm-rubric, value: Polite }');
    const judging =
      (reason: string): Play =>
      (model) =>
        saying(model === 'judge' ? '{"reason": "ok", "pass": true' : 'Hi', model === 'judge' ? reason : 'stop');
    assert.deepEqual(states((await told(text, judging('stop')))[0]), [['passed', undefined]]);
    const [cut] = await told(text, judging('length'));
    assert.deepEqual(states(cut), [['undecided', 'The reply reached its token limit (finish reason "length").']]);
    const abort = new AbortController();
    const stopped: Play = async function* (model, { signal: given }) {
      if (model !== 'judge') yield* saying('Hi');
      else {
        yield { type: 'opened' };
        yield { type: 'text', text: '{"reason": "ok", "pass": true' };
        abort.abort();
        await stopOf(given);
      }
    };
    assert.deepEqual(states((await told(text, stopped, { signal: abort.signal }))[0]), [['undecided', 'Stopped']]);
  });

  it("ends at once when it's stopped while a reply or a judge's verdict is being read, which can take long", async () => {
    const endless = new Promise<never>(() => undefined);
    for (const stage of ['verdicts', 'judged'] as const) {
      const abort = new AbortController();
      const hangs = () => {
        abort.abort();
        return endless;
      };
      const judging = { ...thread, [stage]: hangs };
      const play: Play = (model) => saying(model === 'judge' ? '{"pass": true}' : 'Hi');
      const text = `repeat: 2\n${expects('{ type: contains, value: Hi }, { type: llm-rubric, value: Polite }')}`;
      const [attempts, ...others] = await told(text, play, { signal: abort.signal, judging });
      assert.ok(Array.isArray(attempts) && others.length === 0, stage);
      assert.deepEqual(
        attempts.map(({ state }) => state),
        ['undecided', 'undecided'],
      );
    }
  });

  it('gives up on an expectation that takes too long for a few replies, but not on the others', async () => {
    const slow = (why: string | undefined) =>
      ({ pass: false, score: 0, reason: why ?? 'slow', isUndecided: true }) as const;
    const judging: CheckRunDeps['thread'] = {
      ...thread,
      verdicts: async (expectations, reply, patience) =>
        expectations.map((each) => {
          if (each.kind !== 'regex') return verdictOf(each, reply);
          const why = patience?.whyNot(each);
          if (why === undefined) patience?.tookTooLong(each);
          return slow(why);
        }),
    };
    const shared = `repeat: 3\nassert: [{ type: regex, value: x }]\n${expects('{ type: contains, value: Hi }')}`;
    const second = `  - { name: b, messages: [{ role: user, content: Hi }], assert: [{ type: regex, value: y }] }\n`;
    const text = shared.replace(/cases: \[(.*)\]\n$/, `cases:\n  - $1\n${second}`);
    const found = (await told(text, () => saying('Hi', 'stop'), { judging })).map((attempts) => states(attempts));
    const other = "This took too long for other replies, so it wasn't tried.";
    const reasons = found.flatMap((attempts) => (Array.isArray(attempts) ? attempts : []));
    assert.equal(reasons.length, 6);
    assert.equal(reasons.filter((each) => each[1] === 'slow').length, 3);
    assert.equal(reasons.filter((each) => each[1] === other).length, 3);
  });

  it("adds up what its judges cost, apart from the model's own price, and says if a price isn't known", async () => {
    const usage = { promptTokens: 1000, completionTokens: 1000 };
    const play: Play = (model) => saying(model === 'm' ? 'Hi' : '{"pass": true}', 'stop', usage);
    const text = expects('{ type: llm-rubric, value: Polite }, { type: llm-rubric, value: Short, provider: other }');
    const costs = async (prices: Readonly<Record<string, number>>) => {
      const [attempts = []] = await told(text, play, { prices });
      const [attempt] = typeof attempts === 'string' ? [] : attempts;
      return [attempt?.state, attempt?.cost, attempt?.judgeCost, attempt?.isJudgeCostAtLeast];
    };
    assert.deepEqual(await costs({ m: 1, judge: 10, other: 100 }), ['passed', 0.002, 0.22, undefined]);
    assert.deepEqual(await costs({ m: 1, judge: 10 }), ['passed', 0.002, 0.02, true]);
  });

  it("marks the tokens and the cost of a reply, and of a judge's, as estimates if the service didn't count them", async () => {
    const all = { promptTokens: 1000, completionTokens: 1000 };
    const part = { promptTokens: 1000 };
    const text = expects('{ type: llm-rubric, value: Polite }, { type: cost, threshold: 0 }');
    const marks = async (ofReply: Usage, ofJudge: Usage) => {
      const play: Play = (model) =>
        saying(model === 'm' ? 'Hi' : '{"pass": true}', 'stop', model === 'm' ? ofReply : ofJudge);
      const [attempts = []] = await told(text, play, { prices: { m: 1, judge: 1 } });
      const [attempt] = typeof attempts === 'string' ? [] : attempts;
      return [attempt?.tokens, attempt?.isEstimate, attempt?.isJudgeCostEstimate, attempt?.faults[0]?.reason];
    };
    assert.deepEqual(await marks(all, all), [2000, undefined, undefined, 'cost ≤ 0 · 0.002']);
    assert.deepEqual(await marks(part, all), [1001, true, undefined, 'cost ≤ 0 · ≈ 0.001']);
    assert.deepEqual(await marks(all, part), [2000, undefined, true, 'cost ≤ 0 · 0.002']);
  });

  it('has the requests to models and judges in request history and in its record, by the same IDs', async () => {
    const origins: Sent[] = [];
    const play: Play = (model) => saying(model === 'judge' ? '{"pass": true}' : 'Hi');
    const [attempts = []] = await told(expects('{ type: llm-rubric, value: Polite }'), play, { origins });
    assert.deepEqual(
      origins.map(({ model, origin: { kind } }) => [model, kind]),
      [
        ['m', 'experiment'],
        ['judge', 'experiment'],
      ],
    );
    // Its temperature isn't the user's, so a judge that accepts none can do without.
    assert.deepEqual(
      origins.map(({ operation }) => [operation.request.temperature, operation.ownFields]),
      [
        [undefined, undefined],
        [0, ['temperature']],
      ],
    );
    const [asked, judged] = origins.map(({ origin }) => origin.experiment);
    assert.equal(typeof attempts === 'string' ? undefined : attempts[0]?.attempt, asked?.attempt);
    const fail = (error: unknown) => assert.ifError(error);
    const store = new ExperimentStore({ folder, onError: fail, onUnsaved: fail });
    for (const [of, text] of [
      [asked, 'Hi'],
      [judged, '{"pass": true}'],
    ] as const) {
      const { log } = await store.open(of?.id ?? '');
      assert.deepEqual(
        log.attempts().map(({ id, end }) => [id, end?.text]),
        [[of?.attempt, text]],
      );
    }
  });

  it("judges a reply that was cut off on purpose, but only the ending of one that wasn't", async () => {
    const ends = async (reason: string, ...assertions: readonly string[]) =>
      states((await told(expects(assertions.join(', ')), () => saying('Hi', reason)))[0]);
    const hasText = '{ type: contains, value: Hi }';
    const filtered = '{ type: finish-reason, value: content_filter }';
    assert.deepEqual(await ends('content_filter', filtered, hasText), [['passed', undefined]]);
    assert.deepEqual(await ends('length', hasText), [['passed', undefined]]);
    const failing = 'finish-reason "stop" · "content_filter"';
    assert.deepEqual(await ends('content_filter', '{ type: finish-reason, value: stop }'), [['failed', failing]]);
    assert.deepEqual(await ends('odd', '{ type: finish-reason, value: odd }'), [['passed', undefined]]);
    const incomplete = 'The reply is incomplete (finish reason "odd").';
    assert.deepEqual(await ends('odd', hasText), [['undecided', incomplete]]);
    assert.deepEqual(await ends('odd', '{ type: llm-rubric, value: Polite }'), [['undecided', incomplete]]);
  });
});
