import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { serviceFaultText } from '../../../../src/core/problems/serviceFaultText.ts';
import { readServices } from '../../../../src/core/services/readServices.ts';

const good = { id: 'good', name: 'Good', baseUrl: 'https://good.example/v1' };
const other = 'https://other.example/v1';
const secret = 'sk-canary';

/** What a user might write as the second service, and what the message about it says. */
const bad: readonly (readonly [written: unknown, message: RegExp])[] = [
  [{ name: 'good', baseUrl: other }, /^Service 2 .* has the name of another one/],
  [{ name: 'Other', baseUrl: 'https://good.example/v1/' }, /^Service 2 .* has the base URL of another one/],
  [{ id: 'good', baseUrl: other }, /^Service 2 .* has the ID of another one/],
  [
    { baseUrl: `https://${secret}@other.example/v1` },
    /^Service 2 .* base URL that can't be used.*without a user name, a key/,
  ],
  [{ baseUrl: `https://other.example/v1?key=${secret}` }, /^Service 2 .* base URL that can't be used.*or a query/],
  [{ baseUrl: 'ftp://other.example/v1' }, /^Service 2 .* must start with https:\/\/ or http:\/\//],
  [{ baseUrl: 'htps:/other.example' }, /^Service 2 .* base URL that can't be used/],
  [{ baseUrl: other, fallbackBaseUrl: good.baseUrl }, /^Service 2 .* "fallbackBaseUrl" is the URL of another service/],
  [{ baseUrl: other, headers: { Authorization: secret } }, /^Service 2 .* header "Authorization" can't be set here/],
  [{ baseUrl: other, headers: { Host: 'x' } }, /^Service 2 .* header "Host"/],
  [{ baseUrl: other, headers: { Cookie: secret } }, /^Service 2 .* header "Cookie"/],
  [{ baseUrl: other, headers: { 'Content-Length': '1' } }, /^Service 2 .* header "Content-Length"/],
  [{ baseUrl: other, headers: { 'x-title': `a\nx-key: ${secret}` } }, /^Service 2 .* header "x-title".*aren't allowed/],
  [{ baseUrl: other, baseURL: other }, /^Service 2 .* unknown field, "baseURL"/],
  [{ baseUrl: other, chatApi: secret }, /^Service 2 .* the value of "chatApi" can't be used/],
  [{ baseUrl: other, models: { 'a/b': { contextWindow: -1 } } }, /^Service 2 .* the details of the model "a\/b"/],
  ['nonsense', /^Service 2 .* isn't an object/],
  [null, /^Service 2 .* isn't an object/],
];

describe('A mistake in the list of services', () => {
  for (const [written, message] of bad) {
    it(`has one message without what was written, and the first service keeps working: ${JSON.stringify(written)}`, () => {
      const { entries, faults } = readServices([good, written]);
      assert.equal(faults.length, 1);
      const text = faults.map(serviceFaultText).join('\n');
      assert.match(text, message);
      assert.ok(!text.includes(secret), text);
      assert.deepEqual([entries[0]?.id, entries[0]?.baseUrl], ['good', good.baseUrl]);
    });
  }

  it("isn't reported if only the scheme is missing: then it's https", () => {
    assert.deepEqual(readServices([good, { baseUrl: 'other.example/v1' }]).faults, []);
  });

  it("has a message for a value that isn't a list, or is too long", () => {
    const texts = (raw: unknown) => readServices(raw).faults.map(serviceFaultText);
    assert.deepEqual(texts(good), ['The setting parlance.services must be a list, so Parlance ignores it.']);
    const many = Array.from({ length: 51 }, (_, at) => ({ baseUrl: `https://s${at}.example/v1` }));
    assert.deepEqual(texts(many), [
      'The setting parlance.services has more than 50 services. Parlance ignores the rest.',
    ]);
  });
});
