import assert from 'node:assert/strict';
import { deriveNativeUrl, operationUrl, parseBaseUrl, parseNativeUrl } from '../../../../src/api/service/baseUrl.ts';

describe('A base URL', () => {
  const azure = 'https://me.openai.azure.com/openai/v1';
  const good: readonly (readonly [string, string, string?])[] = [
    ['https://api.service.test/v1', 'https://api.service.test/v1'],
    ['https://api.service.test/v1/', 'https://api.service.test/v1'],
    ['https://api.service.test/v1//', 'https://api.service.test/v1'],
    ['  https://api.service.test/v1\n', 'https://api.service.test/v1'],
    ['HTTPS://API.Service.TEST/v1', 'https://api.service.test/v1'],
    ['http://127.0.0.1:8080/v1', 'http://127.0.0.1:8080/v1'],
    ['http://[::1]:8080/v1', 'http://[::1]:8080/v1'],
    ['https://service.test/some/path/v1', 'https://service.test/some/path/v1'],
    ['https://service.test/v1/chat/completions', 'https://service.test/v1', 'removedOperation'],
    ['https://service.test/v1/chat/completions/', 'https://service.test/v1', 'removedOperation'],
    ['https://service.test/v1/Chat/Completions', 'https://service.test/v1', 'removedOperation'],
    ['https://service.test/v1/models', 'https://service.test/v1', 'removedOperation'],
    ['https://service.test/v1/responses', 'https://service.test/v1', 'removedOperation'],
    ['https://service.test/v1/messages', 'https://service.test/v1', 'removedOperation'],
    ['https://service.test/v1/embeddings', 'https://service.test/v1', 'removedOperation'],
    ['https://service.test/openai/v1/audio/transcriptions', 'https://service.test/openai/v1', 'removedOperation'],
    ['https://api.perplexity.ai', 'https://api.perplexity.ai/'],
    ['https://api.perplexity.ai/', 'https://api.perplexity.ai/'],
    ['https://api.perplexity.ai/chat/completions', 'https://api.perplexity.ai/', 'removedOperation'],
    ['api.perplexity.ai', 'https://api.perplexity.ai/', 'addedScheme'],
    ['https://service.test/chat/completions', 'https://service.test/v1', 'removedOperation'],
    ['api.service.test/v1', 'https://api.service.test/v1', 'addedScheme'],
    ['api.service.test', 'https://api.service.test/v1', 'addedScheme'],
    ['localhost:8080/v1', 'http://localhost:8080/v1', 'addedScheme'],
    ['127.0.0.1:8080/v1', 'http://127.0.0.1:8080/v1', 'addedScheme'],
    ['[::1]:8080', 'http://[::1]:8080/v1', 'addedScheme'],
    ['localhost.evil.test/v1', 'https://localhost.evil.test/v1', 'addedScheme'],
    ['https://service.test', 'https://service.test/v1', 'addedVersion'],
    ['https://service.test/', 'https://service.test/v1', 'addedVersion'],
    ['https://me.openai.azure.com/openai/v1', 'https://me.openai.azure.com/openai/v1'],
    ['https://me.openai.azure.com/openai/v1/?api-version=preview', azure, 'removedOperation'],
    ['https://me.openai.azure.com', azure, 'addedVersion'],
    ['https://me.openai.azure.com/openai/', azure, 'removedOperation'],
    ['https://me.openai.azure.com/openai/deployments/gpt-4o', azure, 'removedOperation'],
    [
      'https://me.openai.azure.com/openai/deployments/gpt-4o/chat/completions?api-version=2025-01-01-preview',
      azure,
      'removedOperation',
    ],
    ['https://me.openai.azure.com/openai/responses?api-version=2025-04-01-preview', azure, 'removedOperation'],
    ['me.openai.azure.com', azure, 'addedScheme'],
    ['https://me.cognitiveservices.azure.com/', 'https://me.cognitiveservices.azure.com/openai/v1', 'addedVersion'],
    ['https://me.services.ai.azure.com/', 'https://me.services.ai.azure.com/openai/v1', 'addedVersion'],
    ['https://me.services.ai.azure.com/api/projects/a', 'https://me.services.ai.azure.com/api/projects/a'],
    ['https://openai.azure.com.test/openai', 'https://openai.azure.com.test/openai'],
  ];
  for (const [input, href, fixed] of good) {
    it(`${JSON.stringify(input)} is ${href}${fixed === undefined ? '' : `, ${fixed}`}`, () => {
      const result = parseBaseUrl(input);
      assert.ok(result.ok);
      assert.equal(result.url.href, href);
      assert.equal(result.fixed, fixed);
    });
  }

  const bad: readonly (readonly [string, string])[] = [
    ['', 'empty'],
    [' \t\n', 'empty'],
    ['ftp://service.test/v1', 'scheme'],
    ['file:///etc/passwd', 'scheme'],
    ['ws://service.test', 'scheme'],
    ['javascript:alert(1)', 'notAnAddress'],
    ['https://', 'notAnAddress'],
    ['https://service test/v1', 'notAnAddress'],
    ['https://service.test/v 1', 'notAnAddress'],
    ['https://service.test:99999/v1', 'notAnAddress'],
    ['https://me:secret@service.test/v1', 'credentials'],
    ['me@service.test/v1', 'credentials'],
    ['https://service.test/v1?key=secret', 'query'],
    ['https://service.test/v1#top', 'fragment'],
    ['https://me.openai.azure.com/openai/v1?api-version=preview&key=secret', 'query'],
    ['https://me.openai.azure.com/other?api-version=preview', 'query'],
    ['https://service.test/openai/v1?api-version=preview', 'query'],
  ];
  for (const [input, reason] of bad) {
    it(`${JSON.stringify(input)} is refused: ${reason}`, () => {
      assert.deepEqual(parseBaseUrl(input), { ok: false, reason });
    });
  }

  it("doesn't mistake a misspelled scheme for a host", () => {
    for (const text of ['htps:/host/v1', 'https:/host/v1', 'host:', 'host:/v1']) {
      assert.deepEqual(parseBaseUrl(text), { ok: false, reason: 'notAnAddress' }, text);
    }
    for (const text of ['[::1]/v1', '[::1]:8080/v1', 'host:8080', 'localhost:11434/v1']) {
      assert.equal(parseBaseUrl(text).ok, true, text);
    }
  });

  it('that was parsed parses to itself', () => {
    for (const [input] of good) {
      const first = parseBaseUrl(input);
      assert.ok(first.ok);
      assert.deepEqual(parseBaseUrl(first.url.href), { ok: true, url: first.url });
    }
  });
});

describe('The native URL', () => {
  const typed: readonly (readonly [string, string, string?])[] = [
    ['https://service.test/api', 'https://service.test/api'],
    ['https://service.test/api/', 'https://service.test/api'],
    ['https://service.test/some/path', 'https://service.test/some/path'],
    ['https://service.test', 'https://service.test/api', 'addedPath'],
    ['https://service.test/v1', 'https://service.test/api', 'removedOperation'],
    ['https://service.test/api/v1', 'https://service.test/api', 'removedOperation'],
    ['https://service.test/api/v1/models/', 'https://service.test/api', 'removedOperation'],
    ['https://service.test/api/v1/svcai/chat/completions', 'https://service.test/api', 'removedOperation'],
    ['https://service.test/api/v1/other/image/generation', 'https://service.test/api', 'removedOperation'],
    ['https://service.test/api/v1/svcai/audio/transcribe', 'https://service.test/api', 'removedOperation'],
    ['https://service.test/api/v1/svcai/multimodal/chat', 'https://service.test/api', 'removedOperation'],
    ['localhost:8080/api', 'http://localhost:8080/api', 'addedScheme'],
  ];
  for (const [input, href, fixed] of typed) {
    it(`${JSON.stringify(input)} is ${href}${fixed === undefined ? '' : `, ${fixed}`}`, () => {
      const result = parseNativeUrl(input);
      assert.ok(result.ok);
      assert.equal(result.url.href, href);
      assert.equal(result.fixed, fixed);
      assert.deepEqual(parseNativeUrl(href), { ok: true, url: result.url });
    });
  }

  it('is refused for the same reasons as a base URL', () => {
    const reasons = ['', 'ftp://s.test/api', 'https://me:secret@s.test/api', 'https://s.test/api?key=1', 'a b'].map(
      (input) => parseNativeUrl(input),
    );
    assert.deepEqual(
      reasons.map((result) => !result.ok && result.reason),
      ['empty', 'scheme', 'credentials', 'query', 'notAnAddress'],
    );
  });

  const pairs: readonly (readonly [string, string])[] = [
    ['https://service.test/v1', 'https://service.test/api'],
    ['https://service.test:8443/some/v1', 'https://service.test:8443/some/api'],
    ['https://service.test/api/v1', 'https://service.test/api'],
    ['https://service.test/openai', 'https://service.test/openai/api'],
  ];
  for (const [base, native] of pairs) {
    it(`of ${base} is ${native}`, () => assert.equal(deriveNativeUrl(new URL(base)).href, native));
  }

  it('and an operation are joined to one path', () => {
    assert.equal(operationUrl(new URL('https://s.test/v1'), '/models').href, 'https://s.test/v1/models');
    assert.equal(operationUrl(new URL('https://s.test/v1/'), '/models').href, 'https://s.test/v1/models');
    assert.equal(operationUrl(new URL('https://s.test'), '/models').href, 'https://s.test/models');
  });
});
