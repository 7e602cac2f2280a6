import assert from 'node:assert/strict';
import type { LoggedRequest } from '../../../../src/core/requests/requestLog.ts';
import { requestView, type RequestViewContext } from '../../../../src/core/requests/requestView.ts';

const request: LoggedRequest = {
  id: 'r1',
  at: 0,
  writer: 'w1',
  pid: 1,
  operation: 'chat',
  origin: { kind: 'chat', conversationId: 'c1' },
  model: 'a/b',
  end: {
    at: 3400,
    outcome: 'done',
    metrics: { tokensPerSecond: { value: 84, from: 'service' }, totalSeconds: { value: 3.4, from: 'here' } },
    finishReason: 'stop',
    requestId: 'req_8f2c1a',
    status: 200,
    cost: 0.0012,
  },
};
const context: RequestViewContext = {
  state: 'done',
  sent: {
    method: 'POST',
    url: 'https://service.test:8443/v1/chat/completions',
    body: { model: 'a/b', messages: [{ role: 'user', content: 'Why?' }] },
  },
  received: { choices: [{ message: { content: 'Because.' } }] },
  progress: {},
  usual: { median: { value: 120, from: 'service' }, replies: 212 },
  problem: undefined,
  acts: ['showJson'],
  savesContent: true,
};
const viewOf = (more: Partial<RequestViewContext>, of: LoggedRequest = request) =>
  requestView(of, { ...context, ...more });
const { end: _end, ...unended } = request;

describe('The page about a request', () => {
  it('has question and reply, outcome, cost, and how fast that is for its model', () => {
    const view = viewOf({});
    assert.equal(view.question?.words, 'Why?');
    assert.equal(view.reply.text, 'Because.');
    assert.deepEqual(
      [view.name, view.host, view.ending, view.cost, view.costValue, view.requestId, view.note],
      ['a/b', 'service.test:8443', 'succeeded (200)', '0.0012', 0.0012, 'req_8f2c1a', undefined],
    );
    assert.equal(view.finishReason, 'stop');
    assert.equal(view.usual, "30% slower than usual: this model's median is 120 tok/s over 212 requests.");
    assert.deepEqual(view.service.at(-1), { name: 'Request ID', value: 'req_8f2c1a' });
  });

  it("shows what's known so far about a running one, and doesn't judge its speed", () => {
    const progress = { totalSeconds: { value: 1, from: 'here' } } as const;
    const view = viewOf({ state: 'running', progress, received: undefined }, unended);
    assert.deepEqual(
      [view.state, view.ending, view.metrics, view.usual, view.note],
      ['running', 'running', progress, undefined, undefined],
    );
  });

  it("doesn't compare a speed that includes the wait with the usual one", () => {
    const end = { ...request.end!, metrics: { ...request.end!.metrics, hasWaitInRate: true } } as const;
    assert.equal(viewOf({}, { ...request, end }).usual, undefined);
  });

  it("says why there's nothing to read, and offers the setting only if it's off", () => {
    const without = { sent: { method: 'POST', url: 'https://service.test/v1' }, received: undefined } as const;
    const off = viewOf({ ...without, savesContent: false });
    assert.deepEqual([off.note, off.isContentOff], ["The content isn't saved.", true]);
    assert.equal(viewOf(without).isContentOff, false);
    assert.equal(viewOf({ received: { choices: [] } }).note, 'The reply is empty.');
    assert.equal(viewOf({ state: 'stopped', received: undefined }).note, 'Nothing was received before it was stopped.');
    assert.equal(
      viewOf({ state: 'unknown', received: undefined }, unended).note,
      'The window closed before the response arrived.',
    );
    assert.equal(viewOf({ state: 'failed', received: undefined }).note, undefined);
    const image = { ...request, operation: 'image' } as const;
    assert.equal(viewOf({ received: { data: [] } }, image).note, 'Generated files are in the Media view.');
  });
});
