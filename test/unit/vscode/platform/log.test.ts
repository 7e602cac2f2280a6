import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { ApiError } from '../../../../src/api/apiError.ts';
import { Log, type LogChannel } from '../../../../src/vscode/platform/log.ts';
import { createRedactor } from '../../../../src/vscode/platform/redactor.ts';

const canary = 'sk-canary-5d1e';

function record(logLevel = 3): { readonly log: Log; readonly lines: string[] } {
  const lines: string[] = [];
  let isOpen = true;
  const write = (text: string | Error) => {
    // As VS Code's does.
    if (!isOpen) throw new Error('Channel has been closed');
    lines.push(String(text));
  };
  const channel: LogChannel = {
    logLevel,
    trace: write,
    debug: write,
    info: write,
    warn: write,
    error: write,
    show: () => undefined,
    dispose: () => void (isOpen = false),
  };
  const redactor = createRedactor();
  redactor.learn(canary);
  return { log: new Log(channel, redactor), lines };
}

describe('The log', () => {
  it('shows the wire only at the Trace level, and without the key', () => {
    assert.equal(record().log.traceSink(false), undefined);
    const { log, lines } = record(1);
    log.traceSink(false)?.line(`> x-note: ${canary}`);
    assert.deepEqual(lines, ['> x-note: [key]']);
  });

  it("writes no key, whatever it's given", () => {
    const { log, lines } = record();
    const failure = { kind: 'unauthorized', status: 401, message: `Bad key ${canary}`, requestId: canary } as const;
    const cause = new Error(`header "Bearer ${canary}" is not valid`);
    log.debug(canary);
    log.info(`with ${encodeURIComponent(canary)}`);
    log.warn(JSON.stringify({ canary }));
    log.error('Asking', new ApiError(failure, cause));
    log.error('Asking', new Error('outer', { cause }));
    log.error('Asking', canary);
    log.exchange({
      method: 'POST',
      host: 'service.example',
      path: `/v1/${canary}`,
      requestId: canary,
      durationMs: 1,
      outcome: 'failed',
      failure: 'unauthorized',
    });
    assert.equal(lines.length, 7);
    for (const line of lines) {
      assert.ok(!line.includes('canary-5d1e'), line);
    }
    assert.match(lines[3] ?? '', /Bad key \[key\].*caused by/s);
  });

  it('stores the time, place, and kind of its latest errors, but no text', () => {
    const { log } = record();
    const full = Object.assign(new Error(`no space for /home/me/${canary}`), { code: 'ENOSPC' });
    const odd = Object.assign(new Error('x'), { code: `sk ${canary}`, name: `Name of ${canary}` });
    const lost = new ApiError({ kind: 'attachmentLost', name: 'diary.txt' }, full);
    for (const error of ['dropped', full, new TypeError(canary), odd, lost, canary]) log.error('Chat', error);
    for (let at = 0; at < 5; at += 1) log.error('Models', new Error(canary));
    const kinds = ['Error, code ENOSPC', 'TypeError', 'Error', 'ApiError attachmentLost', 'string'];
    assert.deepEqual(
      log.latestErrors.map(({ context, kind }) => `${context}: ${kind}`),
      [...kinds.map((kind) => `Chat: ${kind}`), ...Array.from({ length: 5 }, () => 'Models: Error')],
    );
    assert.ok(log.latestErrors.every(({ at }) => Math.abs(Date.now() - at) < 60_000));
  });

  it('stays on one line for each exchange, whatever a server sends', () => {
    const { log, lines } = record();
    log.exchange({
      method: 'GET',
      host: 'h',
      path: '/v1/models',
      requestId: 'req\r\n2026-01-01 [error] forged\u2028',
      durationMs: 5,
      outcome: 'ok',
    });
    assert.doesNotMatch(lines[0] ?? '', /[\r\n\u2028]/);
  });

  it('drops what arrives after it was closed', () => {
    const { log, lines } = record(1);
    const sink = log.traceSink(false);
    log.dispose();
    log.debug('late');
    log.error('late', new Error('late'));
    sink?.line('late');
    assert.deepEqual(lines, []);
  });
});
