import assert from 'node:assert/strict';
import type { Figure, ReplyMetrics, ReplyView } from '../../../../../src/shared/chat.ts';
import { FigureFormat } from '../../../../../src/webview/kit/figureFormat.ts';
import {
  answeredByWord,
  endWord,
  figureWords,
  metricsTooltip,
} from '../../../../../src/webview/chat/speed/metricWords.ts';

const english = new FigureFormat('en');
const sent = (value: number): Figure => ({ value, from: 'service' });
const here = (value: number): Figure => ({ value, from: 'here' });
const estimate = (value: number): Figure => ({ value, from: 'estimate' });

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

function row(metrics: ReplyMetrics): string {
  return figureWords(metrics, english)
    .map(
      ({ value, label, measuredHere }) =>
        `${[value, label].filter((part) => part !== '').join(' ')}${measuredHere ? '°' : ''}`,
    )
    .join(' · ');
}

function end(change: Partial<ReplyView>): [string, boolean] | undefined {
  const found = endWord({ ...reply, ...change });
  return found && [found.label, found.notable === true];
}

describe('the words of the metrics', () => {
  it('say what the service sent, plainly', () => {
    assert.equal(row(whole), '0.31 s first token · 84 tok/s · 3.4 s · 412 → 261 tokens');
  });

  it('mark what was measured here and what is an estimate', () => {
    const metrics: ReplyMetrics = {
      timeToFirstTokenSeconds: here(0.58),
      tokensPerSecond: estimate(61),
      totalSeconds: here(2.1),
      completionTokens: estimate(74),
    };
    assert.equal(row(metrics), '0.58 s first token° · ≈ 61 tok/s · 2.1 s° · ≈ 74 tokens');
  });

  it('leave out what is not known', () => {
    assert.equal(row({}), '');
    assert.equal(row({ promptTokens: sent(3) }), '3 → ? tokens');
  });

  it('write numbers as the language does', () => {
    const german = new FigureFormat('de');
    assert.deepEqual(
      [german.seconds(0.31), german.rate(7.25), german.count(12_345), english.count(12_345)],
      ['0,31 s', '7,3', '12.345', '12,345'],
    );
  });

  it('round without a jump from one unit to the next', () => {
    const written = [0, 0.994, 0.996, 9.94, 9.96, 59.4, 59.6, 125].map((value) => english.seconds(value));
    assert.deepEqual(written, ['0.00 s', '0.99 s', '1.0 s', '9.9 s', '10 s', '59 s', '1 min 0 s', '2 min 5 s']);
  });

  it('name the end where it matters', () => {
    assert.deepEqual(end({}), ['ended: stop', false]);
    assert.deepEqual(end({ finishReason: 'length' }), ['stopped at the token limit', true]);
    assert.deepEqual(end({ finishReason: 'content_filter' }), ['cut by the content filter', true]);
    assert.deepEqual(end({ finishReason: 'brand_new' }), ['incomplete: brand_new', true]);
    assert.deepEqual(end({ state: 'incomplete', finishReason: 'max_tokens' }), ['stopped at the token limit', true]);
    assert.deepEqual(end({ state: 'incomplete', finishReason: 'abort' }), ['incomplete: abort', true]);
    const { finishReason: _, ...silent } = reply;
    assert.equal(endWord(silent)?.label, 'no finish reason');
    assert.deepEqual(end({ state: 'stopped' }), ['stopped', false]);
    assert.deepEqual(end({ state: 'interrupted' }), ['interrupted', true]);
    assert.equal(endWord({ ...silent, state: 'incomplete' })?.label, 'might be incomplete');
    assert.deepEqual(end({ state: 'elsewhere' }), ['being written in another window', true]);
    assert.deepEqual(end({ state: 'failed' }), ['failed', true]);
  });

  it('name the model that replied where it is another one', () => {
    assert.equal(answeredByWord(reply), undefined);
    assert.equal(answeredByWord({ ...reply, answeredBy: 'local/other' })?.label, 'answered by local/other');
    assert.match(metricsTooltip({ ...reply, answeredBy: 'local/other' }, english), /^Answered by: local\/other$/m);
  });

  it('leave a failure to its card', () => {
    const problem = { severity: 'error', title: 'No', detail: '', actions: [], technical: '' } as const;
    assert.equal(endWord({ ...reply, state: 'failed', problem }), undefined);
  });

  it('tell everything in the tooltip, the request id too', () => {
    const lines = metricsTooltip({ ...reply, metrics: { ...whole, totalSeconds: here(3.4) } }, english).split('\n');
    assert.deepEqual(lines, [
      'Model: local/echo',
      'Time to first token: 0.31 s',
      'Tokens per second: 84',
      'Total time: 3.4 s (measured here)',
      'Prompt tokens: 412',
      'Completion tokens: 261',
      'Finish reason: stop',
      'Request ID: req_1',
    ]);
  });
});
