import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { exchangeLine } from '../../../../src/vscode/platform/exchangeLine.ts';

const post = { method: 'POST', host: 'service.example', path: '/v1/chat/completions' } as const;

describe('The log line of an exchange', () => {
  it('shows status, times, and request ID', () => {
    assert.equal(
      exchangeLine({ ...post, status: 200, requestId: 'req_1', headMs: 310, durationMs: 3400, outcome: 'ok' }),
      'POST service.example/v1/chat/completions · 200 · 0.31 s head · 3.40 s · req_1',
    );
  });

  it('shows the tokens if the service counted them', () => {
    const usage = { promptTokens: 412, completionTokens: 261 };
    assert.equal(
      exchangeLine({ ...post, status: 200, durationMs: 3400, outcome: 'ok', usage }),
      'POST service.example/v1/chat/completions · 200 · 3.40 s · 412 → 261 tokens',
    );
  });

  it('shows what went wrong, and over which connection', () => {
    assert.equal(
      exchangeLine({ ...post, durationMs: 12, outcome: 'failed', failure: 'network', via: 'host' }),
      'POST service.example/v1/chat/completions · no answer · failed: network · 0.01 s · over the editor’s own fetch',
    );
    assert.equal(
      exchangeLine({ ...post, status: 200, durationMs: 12, outcome: 'canceled' }),
      'POST service.example/v1/chat/completions · 200 · canceled · 0.01 s',
    );
  });
});
