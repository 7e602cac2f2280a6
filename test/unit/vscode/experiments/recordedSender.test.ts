import assert from 'node:assert/strict';
import { ApiError } from '../../../../src/api/apiError.ts';
import type { CallOptions } from '../../../../src/api/callOptions.ts';
import type { ChatEvent } from '../../../../src/api/types.ts';
import type { Experiment } from '../../../../src/core/experiments/experiment.ts';
import { plannedBody, plannedRequests } from '../../../../src/core/experiments/experimentPlan.ts';
import type { SentReply } from '../../../../src/core/experiments/experimentRun.ts';
import type { RequestOrigin } from '../../../../src/core/requests/requestRecord.ts';
import type { ApiFailure } from '../../../../src/shared/apiFailure.ts';
import { recordedSender } from '../../../../src/vscode/experiments/recordedSender.ts';
import { createRedactor } from '../../../../src/vscode/platform/redactor.ts';
import { someExperiment } from '../../core/experiments/someExperiment.ts';

const redactor = createRedactor();
redactor.learn('sk-canary-7f3a');

type Play = (options: CallOptions) => AsyncGenerator<ChatEvent, void, undefined>;

/** The result of a request whose call goes like this. */
function sendOver(play: Play, options: { readonly signal?: AbortSignal; readonly keepsReplies?: boolean } = {}) {
  const experiment = someExperiment();
  const request = plannedRequests(experiment)[0] ?? assert.fail();
  const send = recordedSender({
    experimentId: experiment.id,
    keepsReplies: options.keepsReplies ?? true,
    callsFor: () => ({ stream: (_operation, given = {}) => play(given) }),
    clean: redactor.cleanData,
    cleanBody: redactor.cleanKeys,
  });
  const planned = { attempt: 'a1', request, body: plannedBody(experiment, request, 'a1') };
  return send(planned, options.signal ?? new AbortController().signal);
}

const ended: ChatEvent = { type: 'end', complete: true };

async function* answering({ observer }: CallOptions): AsyncGenerator<ChatEvent, void, undefined> {
  observer?.onWire?.();
  await Promise.resolve();
  yield { type: 'opened', requestId: 'req_1' };
  observer?.textArrived?.(performance.now());
  yield { type: 'reasoning', text: 'Hm' };
  observer?.textArrived?.(performance.now());
  yield { type: 'text', text: 'Hello' };
  yield { type: 'finish', reason: 'stop' };
  yield { type: 'usage', usage: { promptTokens: 3, completionTokens: 2 } };
  yield ended;
}

function failing(failure: ApiFailure, isOnWire: boolean): Play {
  return async function* ({ observer }) {
    if (isOnWire) observer?.onWire?.();
    yield { type: 'attempt', attempt: 1 };
    await Promise.resolve();
    throw new ApiError(failure);
  };
}

const shown = ({ outcome, wasSent, failure }: SentReply) => [outcome, wasSent, failure?.kind];

describe('The sender of an experiment', () => {
  it('returns the reply with its figures, and its text if that is stored', async () => {
    const { sample, ...reply } = await sendOver(answering);
    assert.deepEqual(reply, {
      outcome: 'done',
      wasSent: true,
      finishReason: 'stop',
      requestId: 'req_1',
      text: 'Hello',
      reasoning: 'Hm',
    });
    assert.deepEqual([sample?.promptTokens, sample?.replyTokens, sample?.gapsMs.length], [3, 2, 1]);
    const { text, reasoning } = await sendOver(answering, { keepsReplies: false });
    assert.deepEqual([text, reasoning], [undefined, undefined]);
  });

  it('stores reasoning whose beginning the model leaves out as reasoning', async () => {
    const { text, reasoning } = await sendOver(async function* (options) {
      for await (const event of answering(options)) {
        yield event.type === 'text' ? { type: 'text', text: ', so.\n</think>\n\nHello' } : event;
      }
    });
    assert.deepEqual([text, reasoning], ['Hello', 'Hm, so.']);
  });

  it('returns what is said about a header as it is, and never the key', async () => {
    const { text } = await sendOver(async function* (options) {
      for await (const event of answering(options)) {
        yield event.type === 'text' ? { type: 'text', text: 'Authorization: Basic $LOGIN, not sk-canary-7f3a' } : event;
      }
    });
    assert.equal(text, 'Authorization: Basic $LOGIN, not [key]');
  });

  it('measures from when the request was sent that got the reply, and not from one that was refused', async () => {
    const sentAt: number[] = [];
    const corrected: Play = async function* (options) {
      for (let round = 0; round < 2; round += 1) {
        yield { type: 'attempt', attempt: 1 };
        await new Promise((resolve) => void setTimeout(resolve, 20));
        sentAt.push(performance.timeOrigin + performance.now());
        if (round === 0) options.observer?.onWire?.();
      }
      yield* answering(options);
    };
    const { sample } = await sendOver(corrected);
    assert.ok(sample !== undefined && sample.sentAt >= (sentAt[1] ?? 0) - 1, 'measured from the first request');
  });

  it('says which requests a run loads a service with, and which only warm it up', async () => {
    const models = [{ id: 'a' }, { id: 'b' }, { id: 'other::c' }];
    const originsOf = async (changes: Partial<Experiment>) => {
      const experiment = someExperiment({ models, ...changes });
      const origins: RequestOrigin['experiment'][] = [];
      const send = recordedSender({
        experimentId: experiment.id,
        keepsReplies: false,
        callsFor: (_model, origin) => {
          origins.push(origin.experiment);
          return { stream: (_operation, given = {}) => answering(given) };
        },
        clean: (data) => data,
        cleanBody: (data) => data,
      });
      for (const request of plannedRequests(experiment)) {
        const body = plannedBody(experiment, request, 'a1');
        await send({ attempt: 'a1', request, body }, new AbortController().signal);
      }
      return origins.map((origin) => (origin?.isWarmUp === true ? 'warm-up ' : '') + (origin?.load ?? 1)).join();
    };
    assert.equal(await originsOf({ order: 'interleaved', concurrency: [1, 4] }), '1,1,1,4,4,4');
    assert.equal(await originsOf({ order: 'oneAfterAnother', warmUp: 1 }), 'warm-up 1,1,warm-up 1,1,warm-up 1,1');
    // Two of them have the same service.
    assert.equal(await originsOf({ order: 'allAtOnce', concurrency: [1, 4] }), '2,2,1,8,8,4');
    assert.equal(await originsOf({ id: 'comparison-1', order: 'allAtOnce' }), '1,1,1');
  });

  it('reports that a request was sent whenever it might have been charged', async () => {
    const lost = { kind: 'connectionLost', host: 'h', code: 'ECONNRESET' } as const;
    // Even if nothing reported that it was sent.
    assert.deepEqual(shown(await sendOver(failing(lost, false))), ['failed', true, 'connectionLost']);
    assert.deepEqual(shown(await sendOver(failing(lost, true))), ['failed', true, 'connectionLost']);
    const setup = { kind: 'setup', missing: 'apiKey' } as const;
    assert.deepEqual(shown(await sendOver(failing(setup, false))), ['failed', false, 'setup']);
  });

  it('reports that a bug in Parlance might have been charged, too', async () => {
    const broken: Play = async function* () {
      yield* [];
      await Promise.resolve();
      throw new TypeError('x is not a function');
    };
    assert.deepEqual(shown(await sendOver(broken)), ['failed', true, 'unexpected']);
  });

  it('distinguishes a stop before the request was sent from one after', async () => {
    const stop = async (isOnWire: boolean): Promise<SentReply> => {
      const abort = new AbortController();
      const waiting: Play = async function* ({ observer }) {
        if (isOnWire) observer?.onWire?.();
        yield { type: 'attempt', attempt: 1 };
        abort.abort();
        await Promise.resolve();
        abort.signal.throwIfAborted();
      };
      return sendOver(waiting, { signal: abort.signal });
    };
    assert.deepEqual(shown(await stop(true)), ['stopped', true, undefined]);
    assert.deepEqual(shown(await stop(false)), ['stopped', false, undefined]);
  });

  it('treats a reply without a proper end as incomplete', async () => {
    const cut: Play = async function* () {
      yield { type: 'text', text: 'Hel' };
      await Promise.resolve();
      yield { type: 'end', complete: false };
    };
    assert.deepEqual(shown(await sendOver(cut)), ['incomplete', true, undefined]);
  });
});
