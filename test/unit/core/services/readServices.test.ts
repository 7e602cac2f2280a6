import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { idFrom, readServices } from '../../../../src/core/services/readServices.ts';
import { emptyEntry } from '../../../../src/core/services/serviceEntry.ts';

const one = { baseUrl: 'https://one.example/v1' };
const why = (raw: unknown) => readServices(raw).faults.map((fault) => fault.why);
const ids = (raw: unknown) => readServices(raw).entries.map(({ id }) => id);

describe('The list of services', () => {
  it('accepts a base URL alone, with defaults for the rest', () => {
    assert.deepEqual(readServices([one]), { entries: [{ ...emptyEntry, ...one }], positions: [1], faults: [] });
    assert.deepEqual(readServices(undefined), { entries: [], positions: [], faults: [] });
  });

  it('keeps the ID of the first one when it gets a name and another base URL', () => {
    assert.deepEqual(ids([one]), ids([{ name: 'Mine', baseUrl: 'https://other.example/v1' }]));
  });

  it('derives other IDs from the name or the host, never the same one twice', () => {
    const list = [
      one,
      { name: 'Größe & Co.', baseUrl: 'http://a.example/v1' },
      { baseUrl: 'http://b.example:8080/v1' },
    ];
    assert.deepEqual(ids(list), ['service', 'gro-e-co', 'b.example-8080']);
    assert.deepEqual(ids([{ baseUrl: 'http://a.example/v1' }, { id: 'service', ...one }]), ['a.example', 'service']);
    assert.equal(idFrom('../../'), '');
  });

  it("accepts each model's details separately", () => {
    const models = {
      'a/one': { contextWindow: 8192, inputPrice: 0, outputPrice: 1.5, supports: ['chat', 'imageInput'] },
      'b/window': { contextWindow: 0.5 },
      'c/price': { inputPrice: -1 },
      'd/word': { supports: ['mind reading'] },
      'e/field': { price: 1 },
      'f/none': 'cheap',
    };
    const { entries, faults } = readServices([{ ...one, models }]);
    assert.deepEqual(entries[0]?.models, { 'a/one': models['a/one'] });
    assert.deepEqual(
      faults,
      ['b/window', 'c/price', 'd/word', 'e/field', 'f/none'].map((field) => ({ why: 'badModel', field, position: 1 })),
    );
    assert.deepEqual(why([{ ...one, models: [] }]), ['badField']);
    assert.deepEqual(why([{ ...one, models: { 'a/one': { contextWindow: 1e300 } } }]), ['badModel']);
  });

  it('accepts a budget above zero, or none', () => {
    const budget = (dailyBudget: unknown) => readServices([{ ...one, dailyBudget }]).entries[0]?.dailyBudget;
    assert.deepEqual([2.5, null, 0, -1, '3', Infinity].map(budget), [2.5, null, null, null, null, null]);
    assert.deepEqual(why([{ ...one, dailyBudget: 0 }]), ['badField']);
  });

  it('leaves out a service with the name, the ID, or the base URL of another one, and keeps the others', () => {
    const list = [
      { name: 'One', id: 'one', ...one },
      { name: 'one', baseUrl: 'https://two.example/v1' },
      { name: 'Three', baseUrl: 'https://one.example/v1/chat/completions' },
      { name: 'Four', id: 'one', baseUrl: 'https://four.example/v1' },
      { name: 'Five', baseUrl: 'https://one.example/other/v1' },
    ];
    const { entries, faults } = readServices(list);
    assert.deepEqual(
      entries.map(({ name }) => name),
      ['One', 'Five'],
    );
    assert.deepEqual(faults, [
      { why: 'sameName', position: 2 },
      { why: 'sameBaseUrl', position: 3 },
      { why: 'sameId', position: 4 },
    ]);
  });

  it('drops a legacy host or a native URL that leads to another service, whichever is first, and keeps others', () => {
    const read = (...fields: readonly object[]) => {
      const { entries, faults } = readServices(fields.map((each, at) => ({ id: `s${at + 1}`, ...each })));
      const kept = entries.map(({ nativeUrl, fallbackBaseUrl }) => [nativeUrl, fallbackBaseUrl]);
      return { kept, told: faults.map(({ why: reason, field, position }) => [reason, field, position]) };
    };
    const two = { baseUrl: 'https://two.example/v1' };
    const older = { ...one, fallbackBaseUrl: 'https://TWO.example/v1/' };
    const none = ['', ''];
    assert.deepEqual(read(older, two), { kept: [none, none], told: [['otherService', 'fallbackBaseUrl', 1]] });
    assert.deepEqual(read(two, older), { kept: [none, none], told: [['otherService', 'fallbackBaseUrl', 2]] });
    const atTwo = { ...one, nativeUrl: 'https://two.example/api' };
    assert.deepEqual(read(atTwo, two), { kept: [none, none], told: [['otherService', 'nativeUrl', 1]] });
    // Its paths would be the native ones of the other.
    const nativeThere = { baseUrl: 'https://two.example/v1', nativeUrl: 'https://old.example/api' };
    const oldToo = { ...one, fallbackBaseUrl: 'https://old.example/v1' };
    assert.deepEqual(read(oldToo, nativeThere).told, [['otherService', 'fallbackBaseUrl', 1]]);
    // With a native URL of its own, its path is also requested from the legacy host.
    const ownPath = { ...one, nativeUrl: 'https://one.example/api', fallbackBaseUrl: 'https://old.example/openai/v1' };
    const atOld = { baseUrl: 'https://old.example/v1' };
    assert.deepEqual(read(ownPath, atOld).told, [['otherService', 'fallbackBaseUrl', 1]]);
    // A URL below another one's base URL belongs to that one, too. Only whole parts of a path count.
    const below = { ...one, fallbackBaseUrl: 'https://two.example/v1/older', nativeUrl: 'https://two.example' };
    assert.deepEqual(read(below, two).told, [
      ['otherService', 'nativeUrl', 1],
      ['otherService', 'fallbackBaseUrl', 1],
    ]);
    const beside = { ...one, fallbackBaseUrl: 'https://two.example/v10', nativeUrl: 'https://two.example/v' };
    assert.deepEqual(read(beside, two).told, []);
    // Other paths on the same host, and a legacy host or a native API that both share, are the user's choice.
    const pathOne = { baseUrl: 'https://one.example/a/v1', fallbackBaseUrl: 'https://old.example/v1' };
    const pathTwo = { baseUrl: 'https://one.example/b/v1', fallbackBaseUrl: 'https://old.example/v1' };
    assert.deepEqual(read(pathOne, pathTwo).told, []);
    const shared = { nativeUrl: 'https://native.example/api' };
    assert.deepEqual(read({ ...one, ...shared }, { ...two, ...shared }).told, []);
  });

  it('finds a native URL that is derived, and is the base URL of another service', () => {
    const read = (...fields: readonly object[]) =>
      readServices(fields.map((each, at) => ({ id: `s${at + 1}`, ...each }))).entries.map(
        (each) => each.isNativeElsewhere,
      );
    const two = { baseUrl: 'https://one.example/api/v1' };
    assert.deepEqual(read(one, two), [true, false]);
    assert.deepEqual(read(two, one), [false, true]);
    assert.deepEqual(read({ ...one, nativeUrl: 'https://native.example/api' }, two), [false, false]);
    assert.deepEqual(read({ ...one, nativeUrl: 'https://one.example/api' }, two), [true, false]);
    assert.deepEqual(read(one, { baseUrl: 'https://one.example/other/v1' }), [false, false]);
  });

  it("ignores everything that isn't a list or a service, and never throws", () => {
    assert.deepEqual(why('https://one.example/v1'), ['notAList']);
    assert.deepEqual(why({ ...one }), ['notAList']);
    assert.deepEqual(why(null), ['notAList']);
    assert.deepEqual(why([7, null, 'x', [one], one]), ['notAService', 'notAService', 'notAService', 'notAService']);
    assert.deepEqual(why(Array.from({ length: 60 }, (_, at) => ({ baseUrl: `https://${at}.example/v1` }))), [
      'tooMany',
    ]);
  });

  it('drops an invalid field, and keeps the rest of the service', () => {
    const odd = { ...one, name: 'a/b', nativeSegment: '../x', chatApi: 'auto', baseURL: 'x', mediaApi: 'native' };
    const { entries, faults } = readServices([odd]);
    assert.deepEqual(entries, [{ ...emptyEntry, ...one, mediaApi: 'native' }]);
    assert.deepEqual(
      faults.map(({ why: reason, field, position }) => [reason, field, position]),
      [
        ['badField', 'name', 1],
        ['badField', 'nativeSegment', 1],
        ['badField', 'chatApi', 1],
        ['unknownField', 'baseURL', 1],
      ],
    );
  });

  it('never reports a value, which might be a misplaced key', () => {
    const told = JSON.stringify(
      readServices([{ ...one, name: 'sk-canary/', headers: { authorization: 'Bearer sk-canary' } }]).faults,
    );
    assert.ok(!told.includes('canary'), told);
  });

  it('accepts http and https pages, but none that hides a login or runs something', () => {
    const page = (keysPage: unknown) => readServices([{ ...one, keysPage }]).entries[0]?.keysPage;
    assert.equal(page('  '), '');
    assert.equal(page(' https://service.example/keys '), 'https://service.example/keys');
    assert.equal(page('http://127.0.0.1:8080/log'), 'http://127.0.0.1:8080/log');
    const refused = [
      'command:workbench.action.quit',
      'vscode://x/y',
      'file:///etc/passwd',
      'javascript:alert(1)',
      'https://user:pass@service.example',
      'service.example/keys',
      `https://service.example/${'x'.repeat(3000)}`,
      7,
      null,
    ];
    for (const raw of refused) {
      assert.equal(page(raw), '', String(raw));
      assert.deepEqual(why([{ ...one, keysPage: raw }]), ['badField'], String(raw));
    }
  });

  it('sends headers that contain no secret and break nothing, and no others', () => {
    const headers = (given: unknown) => readServices([{ ...one, headers: given }]);
    assert.deepEqual(headers({ 'X-Title': 'Parlance', 'HTTP-Referer': 'https://x.example' }).entries[0]?.headers, {
      'x-title': 'Parlance',
      'http-referer': 'https://x.example',
    });
    const bad: Readonly<Record<string, unknown>>[] = [
      { Authorization: 'x' },
      { 'proxy-authorization': 'x' },
      { Host: 'evil.example' },
      { Cookie: 'a=b' },
      { 'Content-Length': '1' },
      { 'Transfer-Encoding': 'chunked' },
      { 'Content-Type': 'text/plain' },
      { Accept: '*/*' },
      { 'X-Api-Key': 'x' },
      { 'x-auth-token': 'x' },
      { 'Ocp-Apim-Subscription-Key': 'x' },
      { 'x-functions-key': 'x' },
      { x_api_key: 'x' },
      { key: 'x' },
      { 'X-JWT': 'x' },
      { Range: 'bytes=0-1' },
      { 'If-None-Match': '"a"' },
      { 'x-title': 'a\r\nauthorization: Bearer k' },
      { 'x-title': 'a\nb' },
      { 'x-ti tle': 'a' },
      { 'x-title': 'Bearer sk-123' },
      { 'x-title': 'größe' },
      { 'x-title': 7 },
      { '': 'x' },
    ];
    for (const given of bad) {
      const { entries, faults } = headers({ ...given, 'x-good': 'yes' });
      assert.deepEqual(entries[0]?.headers, { 'x-good': 'yes' }, JSON.stringify(given));
      assert.deepEqual(
        faults.map((fault) => fault.why),
        ['badHeader'],
        JSON.stringify(given),
      );
    }
    assert.deepEqual(why([{ ...one, headers: 'x' }]), ['badField']);
  });
});
