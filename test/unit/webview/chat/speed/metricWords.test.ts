import assert from 'node:assert/strict';
import type { Figure, ReplyMetrics, ReplyView } from '../../../../../src/shared/chat.ts';
import { answeredByWord, endWord, metricsTooltip } from '../../../../../src/webview/chat/speed/metricWords.ts';

const sent = (value: number): Figure => ({ value, from: 'service' });
const here = (value: number): Figure => ({ value, from: 'here' });

const whole: ReplyMetrics = {
  timeToFirstTokenSeconds: sent(0.312),
  tokensPerSecond: sent(84.2),
  totalSeconds: sent(3.42),
  promptTokens: sent(412),
  completionTokens: sent(261),
};
const reply: ReplyView = {
  role: 'assistant',
  id: 'r1',
  at: 0,
  model: 'local/echo',
  text: 'Hi',
  reasoning: '',
  state: 'done',
  metrics: whole,
  finishReason: 'stop',
  requestId: 'req_1',
};

function end(change: Partial<ReplyView>): [string, boolean] | undefined {
  const found = endWord({ ...reply, ...change });
  return found && [found.text, found.notable === true];
}

describe('The text of the metrics', () => {
  it('names the ending if it matters', () => {
    assert.equal(end({}), undefined);
    assert.deepEqual(end({ finishReason: 'length' }), ['stopped at the token limit', true]);
    assert.deepEqual(end({ finishReason: 'content_filter' }), ['cut off by the content filter', true]);
    assert.deepEqual(end({ finishReason: 'brand_new' }), ['finish reason: brand_new', true]);
    assert.deepEqual(end({ state: 'incomplete', finishReason: 'max_tokens' }), ['stopped at the token limit', true]);
    assert.deepEqual(end({ state: 'incomplete', finishReason: 'abort' }), ['finish reason: abort', true]);
    const { finishReason: _, ...silent } = reply;
    assert.equal(endWord(silent), undefined);
    assert.deepEqual(end({ state: 'stopped' }), ['stopped', false]);
    assert.deepEqual(end({ state: 'interrupted' }), ['interrupted', true]);
    assert.equal(endWord({ ...silent, state: 'incomplete' })?.text, 'might be incomplete');
    assert.deepEqual(end({ state: 'elsewhere' }), ['being written in another window', true]);
    assert.deepEqual(end({ state: 'failed' }), ['failed', true]);
  });

  it("names the model that replied if it's another one", () => {
    assert.equal(answeredByWord(reply), undefined);
    assert.equal(answeredByWord({ ...reply, answeredBy: 'local/other' })?.text, 'reply from local/other');
    assert.match(metricsTooltip({ ...reply, answeredBy: 'local/other' }), /^Reply from: local\/other$/m);
  });

  it('leaves a failure to its card', () => {
    const problem = { severity: 'error', title: 'No', detail: '', actions: [], technical: '' } as const;
    assert.equal(endWord({ ...reply, state: 'failed', problem }), undefined);
  });

  it('shows everything in the tooltip, including the request ID', () => {
    const lines = metricsTooltip({ ...reply, metrics: { ...whole, totalSeconds: here(3.4) } }).split('\n');
    assert.deepEqual(lines, [
      'Model: local/echo',
      'Time to first token: 0.31 s',
      'Tokens per second: 84',
      'Total time: 3.4 s°',
      'Prompt tokens: 412',
      'Completion tokens: 261',
      'Finish reason: stop',
      'Request ID: req_1',
      '° = measured in VS Code',
    ]);
  });
});
