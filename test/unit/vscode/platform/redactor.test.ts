import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { describe, it } from 'mocha';
import { createRedactor, redact } from '../../../../src/vscode/platform/redactor.ts';

const key = 'sk-"canary"\\7f3a/+=%40';

describe('redact', () => {
  it('removes a key in every form that it can have', () => {
    const forms = [
      key,
      JSON.stringify({ authorization: `Bearer ${key}` }),
      `https://service.example/?key=${encodeURIComponent(key)}`,
      Buffer.from(key).toString('base64'),
    ];
    for (const form of forms) {
      const clean = redact(`before ${form} after`, [key]);
      assert.ok(!clean.includes('canary'), clean);
      assert.ok(!clean.includes(Buffer.from(key).toString('base64').slice(0, 12)), clean);
      assert.match(clean, /^before .*\[key\].* after$/);
    }
  });

  it('removes each of several keys, even if one is the beginning of another', () => {
    const clean = redact('one sk-aaaa two sk-aaaa-bbbb', ['sk-aaaa', 'sk-aaaa-bbbb']);
    assert.ok(!clean.includes('sk-'), clean);
    assert.ok(!clean.includes('bbbb'), clean);
  });

  it('removes headers and logins for which no key is known', () => {
    assert.equal(redact('{"authorization":"Bearer abc"}', []), '{"authorization":"Bearer [key]"}');
    assert.equal(redact('Proxy-Authorization: Basic dXNlcjpwYXNz', []), 'Proxy-Authorization: Basic [key]');
    assert.equal(redact('got bearer abcdefghij0123456789', []), 'got bearer [key]');
    assert.equal(redact('via http://user:pass@proxy:8080/x', []), 'via http://[login]@proxy:8080/x');
  });

  it('leaves plain text as it is', () => {
    const text = 'chat maker/model at service.example: 200, 3.4 s, a missing bearer token, mail me@example.org';
    assert.equal(redact(text, [key, '']), text);
  });

  it('lets no key through, wherever it is and whatever it consists of', () => {
    const keys = fc.stringMatching(/^[\x21-\x7e]{6,60}$/).filter((text) => !'[key][login]Bearer '.includes(text));
    fc.assert(
      fc.property(keys, fc.string(), fc.string(), (secret, before, after) => {
        // The surrounding text might complete the key by chance: only the place where it was put is checked.
        const clean = redact(`${before}\n${secret}\n${after}`, [secret]);
        assert.ok(!clean.split('\n').includes(secret));
      }),
    );
  });
});

describe('The redactor', () => {
  it('redacts what it has learned, even in plain data, and reveals it to nobody', () => {
    const redactor = createRedactor();
    assert.equal(redactor.clean(`x ${key}`), `x ${key}`);
    redactor.learn(key);
    assert.equal(redactor.clean(`x ${key}`), 'x [key]');
    const failure = { kind: 'unauthorized', status: 401, message: `Bad key ${key}`, list: [key, 7, null] };
    assert.deepEqual(redactor.cleanData(failure), {
      kind: 'unauthorized',
      status: 401,
      message: 'Bad key [key]',
      list: ['[key]', 7, null],
    });
    assert.ok(!JSON.stringify(redactor).includes('canary'));
    const words = ['Authorization: Bearer $SERVICE_API_KEY', 'http://user:pass@host', `and ${key}`];
    assert.deepEqual(redactor.cleanKeys(words), [words[0], words[1], 'and [key]']);
  });

  it('takes no word for a secret that examples give as a key for a local server', () => {
    const redactor = createRedactor();
    for (const word of ['none', 'ollama', 'EMPTY', 'x', 'lm-studio', 'sk-no-key-required']) redactor.learn(word);
    const request = { url: 'http://ollama:11434/v1', text: 'default: none; use lm-studio, an EMPTY box' };
    assert.deepEqual(redactor.cleanKeys(request), request);
    assert.equal(redactor.clean('Authorization: Bearer ollama'), 'Authorization: Bearer [key]');
  });

  it('removes a short key only as a word of its own', () => {
    const redactor = createRedactor();
    redactor.learn('abc+12');
    assert.deepEqual(redactor.cleanKeys(['invalid key "abc+12".', 'xabc+12', 'abc+123', 'abcc12']), [
      'invalid key "[key]".',
      'xabc+12',
      'abc+123',
      'abcc12',
    ]);
  });
});
