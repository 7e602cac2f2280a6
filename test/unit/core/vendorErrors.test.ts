import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { isOverflowFailure, statedContextWindow } from '../../../src/api/wire/errorCodes.ts';
import { failureReach } from '../../../src/core/experiments/failureReach.ts';
import { problemOf, type ProblemContext } from '../../../src/core/problems/problemOf.ts';
import type { ApiFailure } from '../../../src/shared/apiFailure.ts';
import { answer, startRawServer } from '../api/rawServer.ts';
import { failureOf, hello, outcomeOf, testClient } from '../api/testClient.ts';
import type { VendorError } from './vendorError.ts';
import { vendorErrors } from './vendorErrors.ts';
import { chatCompletion } from '../../../src/api/operations/chatCompletion.ts';
import { audioTranscription } from '../../../src/api/operations/audioTranscription.ts';
import { listModels } from '../../../src/api/operations/listModels.ts';

const goldenFile = new URL('vendorErrors.golden.txt', import.meta.url);

interface Shown {
  readonly text: string;
  readonly failure: ApiFailure;
  readonly isJson: boolean;
}

/** Serves the error over a socket, and returns what a user reads about it. */
async function shown(error: VendorError): Promise<Shown> {
  const server = await startRawServer((socket) => socket.write(answer(error.status, error.body, error.headers)));
  const { client, dispose } = testClient(server.origin, error.isKeyless === true ? { apiKey: null } : {});
  try {
    const failure = await calls[error.call ?? 'chat'](client);
    const during = duringOf[error.call ?? 'chat'];
    const context = { pages: {}, hasPartialText: false, now: 0, model: 'm/one', attempts: server.requests.length };
    const problem = problemOf(failure, { ...context, ...during });
    const text = [
      `## ${error.name} (${error.status})`,
      `[${problem.severity}] ${problem.title}`,
      problem.detail,
      problem.actions.map(({ label }) => `<${label}>`).join(' '),
      [problem.technical, problem.requestId].filter(Boolean).join(' · '),
      `reach: ${failureReach(failure)}`,
      `requests: ${server.requests.length}`,
    ].join('\n');
    return { text, failure, isJson: /^(?:(?:data|error): )?[{[]/.test(error.body) };
  } finally {
    dispose();
    await server.close();
  }
}

type Client = ReturnType<typeof testClient>['client'];

const image = { type: 'image_url', image_url: { url: 'data:image/png;base64,AA==' } } as const;
const calls: { readonly [C in NonNullable<VendorError['call']> | 'chat']: (client: Client) => Promise<ApiFailure> } = {
  chat: (client) => chat(client.stream(chatCompletion(hello))),
  chatWithImage: (client) =>
    chat(client.stream(chatCompletion({ ...hello, messages: [{ role: 'user', content: [image] }] }))),
  transcription: (client) => {
    const file = { name: 'a.wav', mediaType: 'audio/wav', bytes: Uint8Array.of(1) };
    return failureOf(client.ask(audioTranscription({ model: 'm/one', file }), { api: 'compatible' }));
  },
  models: (client) => failureOf(client.ask(listModels)),
};
const duringOf: { readonly [C in keyof typeof calls]: Partial<ProblemContext> } = {
  chat: {},
  chatWithImage: {},
  transcription: { during: 'command', isUpload: true },
  models: { during: 'connectionTest' },
};

async function chat(events: Parameters<typeof outcomeOf>[0]): Promise<ApiFailure> {
  const { failure } = await outcomeOf(events);
  return failure ?? assert.fail('it did not fail');
}

describe('What users read about the errors of real services', () => {
  const all: Shown[] = [];
  before(async () => {
    for (const error of vendorErrors) all.push(await shown(error));
  });

  it('matches the golden text, with the number of requests and the reach of each', () => {
    assert.ok(vendorErrors.length >= 60);
    const text = `${all.map((each) => each.text).join('\n\n')}\n`;
    if (process.env['UPDATE_GOLDEN'] === '1') writeFileSync(goldenFile, text);
    assert.equal(text, readFileSync(goldenFile, 'utf8'));
  });

  it('never blames the base URL if the service responded in JSON', () => {
    for (const [index, { text, isJson }] of all.entries()) {
      const call = vendorErrors[index]?.call;
      // If both paths of a model list are missing, the base URL is one of two reasons.
      if (isJson && call !== 'models') assert.doesNotMatch(text, /base URL|base address|Base Address|web page/i);
    }
  });

  it("includes the service's message wherever there is one", () => {
    for (const { text, failure } of all) {
      const message = 'message' in failure ? failure.message : '';
      if (message !== '') assert.ok(text.includes(message.slice(0, 60)), text);
    }
  });

  it("reveals the context window that a refusal states, and none that it doesn't state", () => {
    for (const [index, { failure }] of all.entries()) {
      const error = vendorErrors[index] ?? assert.fail();
      const isTooLong = isOverflowFailure(failure);
      assert.equal(isTooLong, /: .*\btoo long\b|no room for the reply/.test(error.name), error.name);
      assert.equal(isTooLong ? statedContextWindow(failure.message) : undefined, error.window, error.name);
    }
  });

  it('takes one request, except for temporary errors: three, or two if it might have been charged', () => {
    for (const [index, { text, failure }] of all.entries()) {
      const requests = Number(/requests: (\d+)$/.exec(text)?.[1]);
      const call = vendorErrors[index]?.call;
      const expected = call === 'models' ? 2 : call === 'transcription' ? 1 : expectedRequests(failure);
      assert.equal(requests, expected, text);
    }
  });
});

function expectedRequests(failure: ApiFailure): number {
  const status = 'status' in failure ? failure.status : 0;
  const isJson = 'body' in failure && failure.body === 'json';
  if (failure.kind === 'noImageInput') return 1;
  if (failure.kind === 'notReady') return 14;
  if (failure.kind === 'rateLimited' || status === 502 || status === 503) return 3;
  return (status === 500 || status === 504) && !isJson && failure.kind !== 'contextTooLong' ? 2 : 1;
}
