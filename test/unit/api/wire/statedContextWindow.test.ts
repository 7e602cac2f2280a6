import assert from 'node:assert/strict';
import { statedContextWindow } from '../../../../src/api/wire/errorCodes.ts';

describe('The context window that a refusal states', () => {
  for (const [server, message, tokens] of [
    [
      'OpenAI',
      "This model's maximum context length is 8192 tokens. However, your messages resulted in 9000 tokens.",
      8192,
    ],
    ['vLLM', "This model's maximum context length is 4096 tokens. However, you requested 5000 tokens", 4096],
    ['llama.cpp', 'the request exceeds the available context size (2048 tokens), try increasing it', 2048],
    ['LM Studio', 'The number of tokens to keep is greater than the context length (n_keep: 5000>= n_ctx: 4096)', 4096],
    ['Anthropic', 'prompt is too long: 210000 tokens > 200000 maximum', 200_000],
    ['Gemini', 'The input token count (1200000) exceeds the maximum number of tokens allowed (1048576).', 1_048_576],
    ['TGI', '`inputs` tokens + `max_new_tokens` must be <= 4096. Given: 5000 `inputs` tokens', 4096],
  ] as const)
    it(`is the size of the window in the message of ${server}`, () =>
      assert.equal(statedContextWindow(message), tokens));

  it('is unknown if only the size of the request is mentioned', () => {
    assert.equal(statedContextWindow('Input is too long: 9000 tokens'), undefined);
    assert.equal(statedContextWindow(''), undefined);
  });
});
