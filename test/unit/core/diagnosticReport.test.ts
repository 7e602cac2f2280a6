import assert from 'node:assert/strict';
import fc from 'fast-check';
import { type DiagnosticFacts, diagnosticReport, reducedAddress } from '../../../src/core/diagnosticReport.ts';
import type { LoggedRequest } from '../../../src/core/requests/requestLog.ts';

const none: DiagnosticFacts = {
  versions: {},
  services: [{ id: 'service', facts: {} }],
  settings: {},
  failures: [],
  errors: [],
  timeText: (at) => `at ${at}`,
};

function failed(at: number, failure: NonNullable<LoggedRequest['end']>['failure']): LoggedRequest {
  const id = `r${at}`;
  const start = {
    id,
    at,
    pid: 1,
    writer: 'w',
    operation: 'chat',
    origin: { kind: 'chat' },
    model: 'a/secret',
  } as const;
  return { ...start, end: { at: at + 1, outcome: 'failed', metrics: {}, ...(failure && { failure }) } };
}

describe('A URL in a report', () => {
  const cases: readonly (readonly [string, string])[] = [
    ['', 'not set'],
    ['https://api.example.test/v1', 'https, a name, path /v1'],
    ['https://api.example.test:8443/api/v1/', 'https, a name, port 8443, path /api/v1/'],
    ['http://localhost:1234/v1', 'http, this machine, port 1234, path /v1'],
    ['http://192.168.1.7/v1', 'http, an address in a private network, path /v1'],
    ['https://gateway/tenant-4711/v1', 'https, a name without a domain, path /…/v1'],
    ['https://gw.example.com/acme/v1', 'https, a name, path /…/v1'],
    ['https://gw.example.com/acme', 'https, a name, path /…'],
    ['https://gw.example.com/acme/llm/openai/v1beta/', 'https, a name, path /…/…/openai/v1beta/'],
    ['https://gw.example.com', 'https, a name, path /'],
    ['https://gw.example.com/v1/chat/completions?key=secret#secret', 'https, a name, path /v1/chat/completions'],
    ['https://me:secret@api.example.test/v1', 'https, a name, path /v1, with a login in it'],
    ['sk-pasted-in-the-wrong-place', 'set, and not an address'],
  ];
  for (const [text, words] of cases) {
    it(`is reduced to what matters: ${words}`, () => assert.equal(reducedAddress(text), words));
  }

  it('never contains its host name', () => {
    fc.assert(
      fc.property(fc.domain(), (host) => {
        assert.ok(!reducedAddress(`https://${host}/v1`).includes(host));
      }),
      { numRuns: 30 },
    );
  });
});

describe('A report for an issue', () => {
  it("has all its parts even if there's nothing to report", () => {
    const report = diagnosticReport(none);
    assert.match(report, /^# Parlance diagnostics\n\n## Versions\n\nNone\.\n\n## Service/);
    assert.match(
      report,
      /## Latest failed requests\n\nNone among the latest requests\.\n\n## Latest errors of Parlance itself\n\nNone .*\.\n$/,
    );
  });

  it("includes a failure's kind and numbers, but no text from the service or the user", () => {
    const report = diagnosticReport({
      ...none,
      failures: [
        failed(0, {
          kind: 'outOfCredits',
          status: 402,
          code: 'insufficient_quota',
          message: 'My prompt was quoted',
          requestId: 'req_1',
        } as never),
        failed(1000, { kind: 'badRequest', status: 400, code: 'sk-0123 is no code', message: 'x' } as never),
      ],
    });
    assert.match(
      report,
      /- at 1000 chat: badRequest, status 400\n- .* outOfCredits, status 402, code insufficient_quota/,
    );
    for (const secret of ['My prompt', 'req_1', 'sk-0123', 'a/secret']) assert.ok(!report.includes(secret), secret);
  });

  it('numbers the services if there are several, and names the one that failed', () => {
    const report = diagnosticReport({
      ...none,
      services: [
        { id: 'service', facts: { 'Ready to ask': 'yes' } },
        { id: 'secret-customer', facts: { 'Ready to ask': 'no, apiKey' } },
      ],
      failures: [
        { ...failed(2, { kind: 'cut' } as never), service: 'secret-customer' },
        failed(1, { kind: 'cut' } as never),
        { ...failed(0, { kind: 'cut' } as never), service: 'removed' },
      ],
    });
    assert.match(report, /## Service 1\n\n- Ready to ask: yes\n\n## Service 2\n\n- Ready to ask: no, apiKey\n/);
    assert.match(report, /chat of service 2: cut\n.* chat of service 1: cut\n.* chat of another service: cut/);
    assert.ok(!report.includes('secret-customer'));
    assert.match(diagnosticReport({ ...none, failures: [failed(1, { kind: 'cut' } as never)] }), /chat: cut/);
  });

  it("says if the request history can't be read", () => {
    assert.match(diagnosticReport({ ...none, failures: undefined }), /\n\nThe request history can't be read\.\n\n/);
  });

  it('has the errors in Parlance itself, newest first', () => {
    const errors = [
      { at: 1, context: 'The request log', kind: 'Error, code ENOSPC' },
      { at: 2, context: 'Chat', kind: 'TypeError' },
    ];
    const report = diagnosticReport({ ...none, errors });
    assert.ok(report.endsWith('- at 2 Chat: TypeError\n- at 1 The request log: Error, code ENOSPC\n'), report);
  });

  it('has the ten newest failures', () => {
    const many = Array.from({ length: 12 }, (_, index) => failed(index * 1000, { kind: 'cut' } as never));
    assert.equal(diagnosticReport({ ...none, failures: many }).match(/chat: cut/g)?.length, 10);
  });
});
