import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { problemOf, type ProblemContext } from '../../../src/core/problem.ts';
import type { ApiFailure } from '../../../src/shared/apiFailure.ts';
import { answer, startRawServer } from '../api/rawServer.ts';
import { failureOf, hello, outcomeOf, testClient } from '../api/testClient.ts';
import { vendorErrors, type VendorError } from './vendorErrors.ts';

const goldenFile = new URL('vendorErrors.golden.txt', import.meta.url);

interface Shown {
  readonly text: string;
  readonly failure: ApiFailure;
  readonly isJson: boolean;
}

/** Serves the error over a socket, and gives what a person reads of it. */
async function shown(error: VendorError): Promise<Shown> {
  const server = await startRawServer((socket) => socket.write(answer(error.status, error.body, error.headers)));
  const { client, dispose } = testClient(server.origin);
  try {
    const failure = await (error.call === 'transcription' ? transcription(client) : chat(client));
    const during: Partial<ProblemContext> = error.call === undefined ? {} : { during: 'command', isUpload: true };
    const context = { pages: {}, hasPartialText: false, now: 0, model: 'm/one', attempts: server.requests.length };
    const problem = problemOf(failure, { ...context, ...during });
    const text = [
      `## ${error.name} (${error.status})`,
      `[${problem.severity}] ${problem.title}`,
      problem.detail,
      problem.actions.map(({ label }) => `<${label}>`).join(' '),
      [problem.technical, problem.requestId].filter(Boolean).join(' · '),
      `requests: ${server.requests.length}`,
    ].join('\n');
    return { text, failure, isJson: /^(?:(?:data|error): )?[{[]/.test(error.body) };
  } finally {
    dispose();
    await server.close();
  }
}

async function chat(client: ReturnType<typeof testClient>['client']): Promise<ApiFailure> {
  const { failure } = await outcomeOf(client.streamChat(hello));
  return failure ?? assert.fail('it did not fail');
}

function transcription(client: ReturnType<typeof testClient>['client']): Promise<ApiFailure> {
  const file = { name: 'a.wav', mediaType: 'audio/wav', bytes: Uint8Array.of(1) };
  return failureOf(client.transcribeAudio({ model: 'm/one', file }, { api: 'compatible' }));
}

describe('What people read of the errors of real services', () => {
  const all: Shown[] = [];
  before(async function () {
    this.timeout(60_000);
    for (const error of vendorErrors) all.push(await shown(error));
  });

  it('is what the golden text says, with the number of requests', () => {
    assert.ok(vendorErrors.length >= 60);
    const text = `${all.map((each) => each.text).join('\n\n')}\n`;
    if (process.env['UPDATE_GOLDEN'] === '1') writeFileSync(goldenFile, text);
    assert.equal(text, readFileSync(goldenFile, 'utf8'));
  });

  it('never blames the base URL where the service answered in JSON', () => {
    for (const { text, isJson } of all) {
      if (isJson) assert.doesNotMatch(text, /base URL|base address|Base Address|web page/i);
    }
  });

  it('holds the words of the service wherever there are some', () => {
    for (const { text, failure } of all) {
      const message = 'message' in failure ? failure.message : '';
      if (message !== '') assert.ok(text.includes(message.slice(0, 60)), text);
    }
  });

  it('comes after one request, but for what may pass: then after three, two where it may have been charged', () => {
    for (const [index, { text, failure }] of all.entries()) {
      const requests = Number(/requests: (\d+)$/.exec(text)?.[1]);
      const isUpload = vendorErrors[index]?.call !== undefined;
      assert.equal(requests, isUpload ? 1 : expectedRequests(failure), text);
    }
  });
});

function expectedRequests(failure: ApiFailure): number {
  const status = 'status' in failure ? failure.status : 0;
  const isJson = 'body' in failure && failure.body === 'json';
  if (failure.kind === 'notReady') return 14;
  if (failure.kind === 'rateLimited' || status === 502 || status === 503) return 3;
  return (status === 500 || status === 504) && !isJson && failure.kind !== 'contextTooLong' ? 2 : 1;
}
