import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { describe, it } from 'mocha';
import {
  allowsOrigin,
  hostsOf,
  isKey,
  readStoredKey,
  writeStoredKey,
} from '../../../../src/vscode/service/storedKey.ts';

describe('A stored key', () => {
  it('is read as it was written', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[\x21-\x7e]{1,512}$/), fc.array(fc.webUrl()), (key, urls) => {
        const stored = { key, origins: urls.map((url) => new URL(url).origin) };
        assert.deepEqual(readStoredKey(writeStoredKey(stored)), stored);
      }),
    );
  });

  it('is ignored if the text is damaged or has another form', () => {
    const texts = [
      '',
      'sk-bare',
      'null',
      '[]',
      '{}',
      '{"key":"a"}',
      '{"key":"a b","origins":[]}',
      '{"key":1,"origins":[]}',
    ];
    for (const text of texts) {
      assert.equal(readStoredKey(text), undefined, text);
    }
  });

  it('is allowed for the origins it was saved for and for no other', () => {
    const origins = ['https://a.example', 'https://b.example:8443'];
    for (const origin of origins) assert.equal(allowsOrigin(origins, origin), true, origin);
    for (const origin of ['http://a.example', 'https://a.example:444', 'https://a.example.evil', 'https://b.example']) {
      assert.equal(allowsOrigin(origins, origin), false, origin);
    }
    assert.equal(hostsOf(origins), 'a.example, b.example:8443');
  });

  it('is allowed for each port of a host if that was set, and for no other host', () => {
    const any = ['http://127.0.0.1:*', 'http://[::1]:*'];
    for (const origin of ['http://127.0.0.1:8787', 'http://127.0.0.1', 'http://[::1]:80', 'http://[::1]']) {
      assert.equal(allowsOrigin(any, origin), true, origin);
    }
    for (const origin of [
      'https://127.0.0.1:8787',
      'http://127.0.0.11:80',
      'http://127.0.0.1.evil:80',
      'http://[::1:80]',
    ]) {
      assert.equal(allowsOrigin(any, origin), false, origin);
    }
  });
});

describe('isKey', () => {
  it('accepts what a header can contain', () => {
    assert.equal(isKey('local-key'), true);
    assert.equal(isKey('~'.repeat(512)), true);
    for (const text of ['', 'a b', 'a\n', 'ké', '\u200Bkey', 'x'.repeat(513)]) {
      assert.equal(isKey(text), false, JSON.stringify(text));
    }
  });
});
