import assert from 'node:assert/strict';
import { type InferenceService, startInferenceService } from '../../service/inferenceService.ts';
import type { LogEntry } from '../../service/inferenceLog.ts';
import { goodBody, question, send } from './serviceClient.ts';

describe('The inference log', () => {
  const key = 'canary-7f3a9c';
  let service: InferenceService;

  beforeEach(async () => {
    service = await startInferenceService({ tokensPerSecond: Infinity, apiKey: key });
  });

  afterEach(() => service.close());

  const get = (path: string, headers: Readonly<Record<string, string>> = {}): ReturnType<typeof send> =>
    send(service, undefined, { url: service.origin + path, method: 'GET', key: null, headers });

  it('contains everything known about a request', async () => {
    const body = { ...goodBody, temperature: 0.3, stream: false };
    const answer = await send(service, body, { headers: { 'x-test': 'yes' } });
    const entry = service.log().at(-1);
    assert.ok(entry);
    assert.equal(entry.id, answer.headers['x-request-id']);
    const { method, path, host, authorization, model, stream, status, outcome, finishReason, requestBody } = entry;
    assert.deepEqual(
      { method, path, host, authorization, model, stream, status, outcome, finishReason, requestBody },
      {
        method: 'POST',
        path: '/v1/chat/completions',
        host: 'current',
        authorization: 'right',
        model: 'local/echo',
        stream: false,
        status: 200,
        outcome: 'done',
        finishReason: 'stop',
        requestBody: body,
      },
    );
    assert.equal(entry.requestHeaders['x-test'], 'yes');
  });

  it('never contains the key, only whether it was correct', async () => {
    await send(service, goodBody);
    await send(service, goodBody, { key: `${key}-wrong` });
    await send(service, goodBody, { key: null });
    assert.deepEqual(
      service.log().map(({ authorization }) => authorization),
      ['right', 'wrong', 'missing'],
    );
    for (const text of [JSON.stringify(service.log()), (await get('/log.json')).text, (await get('/log')).text]) {
      assert.doesNotMatch(text, /canary/);
    }
  });

  it("is JSON at /log.json, newest first, and doesn't log itself", async () => {
    await send(service, question('local/echo', 'first'));
    await send(service, question('local/echo', 'second'));
    const entries: readonly LogEntry[] = JSON.parse((await get('/log.json')).text);
    assert.deepEqual(entries, JSON.parse(JSON.stringify(service.log().toReversed())));
    assert.deepEqual(entries[0]?.requestBody, question('local/echo', 'second'));
    assert.equal(entries.length, 2);
  });

  it('is a page at /log in which outside text is never markup', async () => {
    await send(service, question('<script>alert("x")</script>&', 'x'));
    const page = await get('/log');
    assert.match(page.headers['content-type'] ?? '', /^text\/html/);
    assert.match(String(page.headers['content-security-policy']), /default-src 'none'/);
    assert.doesNotMatch(page.text, /<script/);
    assert.match(page.text, /&#60;script&#62;alert\(&#34;x&#34;\)&#60;\/script&#62;&#38;/);
    assert.match(page.text, /model_not_found/);
  });

  it("isn't shown to a page that uses another name for this machine", async () => {
    assert.equal((await get('/log.json', { host: 'evil.example' })).status, 403);
    assert.equal((await get('/log', { host: 'localhost:8787' })).status, 200);
  });

  it('notifies waiting callers of an entry that exists, arrives, or changes', async () => {
    const coming = service.waitForEntry(({ outcome, model }) => outcome === 'done' && model === 'local/echo');
    await send(service, goodBody);
    const entry = await coming;
    assert.equal((await service.waitForEntry(({ id }) => id === entry.id)).id, entry.id);
  });

  it('stops waiting and reports what it has seen', async () => {
    await send(service, goodBody);
    await assert.rejects(
      service.waitForEntry(({ status }) => status === 999, 1),
      /local\/echo/,
    );
  });
});
