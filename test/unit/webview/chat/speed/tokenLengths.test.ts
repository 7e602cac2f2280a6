import assert from 'node:assert/strict';
import type { ReplyView } from '../../../../../src/shared/chat.ts';
import { LiveReply } from '../../../../../src/webview/chat/speed/liveReply.ts';
import { TokenLengths } from '../../../../../src/webview/chat/speed/tokenLengths.ts';

const reply = (text: string, tokens: number): ReplyView => ({
  role: 'assistant',
  id: 'r1',
  at: 0,
  model: 'local/echo',
  text,
  reasoning: '',
  state: 'done',
  metrics: { completionTokens: { value: tokens, from: 'service' } },
});

describe('The length of tokens', () => {
  it("is that of the model's last reply, so that a live speed agrees with the final one", () => {
    const lengths = new TokenLengths();
    assert.equal(lengths.of('local/echo'), undefined);
    lengths.learn(reply('x'.repeat(600), 100));
    const live = new LiveReply(0, 0, 0, lengths.of('local/echo'));
    live.grew(6, 100);
    live.grew(600, 1100);
    assert.deepEqual(live.metrics(1100).tokensPerSecond, { value: 100, from: 'estimate' });
    assert.equal(lengths.of('local/other'), undefined);
  });

  it("isn't learned from one or two words, or from tokens that aren't shown", () => {
    const lengths = new TokenLengths();
    lengths.learn(reply('Yes', 1));
    lengths.learn(reply('x'.repeat(600), 6000));
    lengths.learn(reply('x'.repeat(6000), 60));
    assert.equal(lengths.of('local/echo'), undefined);
  });
});
