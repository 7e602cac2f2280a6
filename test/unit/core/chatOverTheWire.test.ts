import assert from 'node:assert/strict';
import { InferenceClient } from '../../../src/api/inferenceClient.ts';
import { createTransport } from '../../../src/api/transport/createTransport.ts';
import type { Transport } from '../../../src/api/transport/transport.ts';
import { ChatSession } from '../../../src/core/chat/chatSession.ts';
import type { AttachmentSource } from '../../../src/core/chat/sessionSurroundings.ts';
import { Conversation, type Reply } from '../../../src/core/chat/conversation.ts';
import { type InferenceService, startInferenceService } from '../../service/inferenceService.ts';

function lastReply(session: ChatSession): Reply {
  const reply = session.conversation.messages().at(-1);
  assert.ok(reply?.role === 'assistant');
  return reply;
}

const noAttachments: AttachmentSource = {
  read: () => assert.fail('there is nothing to read'),
  seesPictures: () => undefined,
};

describe('A chat session over the wire', () => {
  let service: InferenceService;
  let transport: Transport;

  before(async () => {
    service = await startInferenceService({ tokensPerSecond: 2000 });
    transport = createTransport({
      settings: () => ({ proxySupport: 'off', proxy: '', noProxy: [], systemCertificates: false, env: {} }),
    });
  });
  after(async () => {
    transport.dispose();
    await service.close();
  });

  function newSession(): ChatSession {
    const endpoint = {
      baseUrl: new URL(service.baseUrl),
      nativeUrl: new URL(service.nativeUrl),
      apiKey: 'local-key',
    };
    const client = new InferenceClient({ endpoint: () => Promise.resolve(endpoint), transport });
    return new ChatSession(new Conversation(crypto.randomUUID()), {
      attachments: noAttachments,
      clientFor: () => client,
      journal: { append: () => undefined },
      now: () => Date.now(),
      ticks: () => performance.now(),
      newId: () => crypto.randomUUID(),
      writer: 'w1',
      pid: process.pid,
      redact: (failure) => failure,
      onUnexpected: (error) => assert.fail(String(error)),
    });
  }

  it("receives the model's text, with the service's figures", async () => {
    const session = newSession();
    await session.ask('Say this back, please', 'local/echo', {});
    const reply = lastReply(session);
    assert.equal(reply.text, 'Say this back, please');
    assert.equal(reply.end?.outcome, 'done');
    assert.equal(reply.end.finishReason, 'stop');
    assert.match(reply.end.requestId ?? '', /^req_/);
    for (const figure of Object.values(reply.end.metrics)) assert.equal(figure.from, 'service');
    assert.deepEqual(Object.keys(reply.end.metrics).toSorted(), [
      'completionTokens',
      'promptTokens',
      'timeToFirstTokenSeconds',
      'tokensPerSecond',
      'totalSeconds',
    ]);
  });

  it("measures here what the service doesn't send, and marks it", async () => {
    const session = newSession();
    await session.ask('Say this back to me word for word', 'local/plain', {});
    const { metrics } = lastReply(session).end ?? {};
    assert.equal(metrics?.timeToFirstTokenSeconds?.from, 'here');
    assert.equal(metrics.totalSeconds?.from, 'here');
    assert.equal(metrics.completionTokens?.from, 'estimate');
    assert.equal(metrics.promptTokens, undefined);
  });

  it('receives the same text whole and streamed', async () => {
    const session = newSession();
    await session.ask('Say this back, please', 'local/echo', { stream: false });
    assert.equal(lastReply(session).text, 'Say this back, please');
    assert.equal(lastReply(session).end?.outcome, 'done');
  });

  it('sends only the parameters that were set', async () => {
    await newSession().ask('Hi', 'local/echo', { temperature: 0.2 });
    assert.deepEqual(service.log().at(-1)?.requestBody, {
      model: 'local/echo',
      messages: [{ role: 'user', content: 'Hi' }],
      temperature: 0.2,
      stream: true,
    });
  });

  it("keeps a model's reasoning separate from its reply", async () => {
    const session = newSession();
    await session.ask('Think about it', 'local/thinker', {});
    const reply = lastReply(session);
    assert.notEqual(reply.reasoning, '');
    assert.notEqual(reply.text, '');
    assert.ok(!reply.text.includes(reply.reasoning));
  });

  it('stops at the server, and the text so far stays', async () => {
    const session = newSession();
    const asked = session.ask('write 20000 tokens', 'local/writer', { maxTokens: 20_000 });
    await new Promise<void>((resolve) => {
      session.onEvent((event) => event.type === 'replyGrew' && resolve());
    });
    const id = service.log().at(-1)?.id;
    await session.stop();
    await asked;
    assert.equal(lastReply(session).end?.outcome, 'stopped');
    assert.notEqual(lastReply(session).text, '');
    await service.waitForEntry((entry) => entry.id === id && entry.outcome === 'canceled');
  });

  it('notices that a service dropped messages or the beginning of one, and nothing while all is read', async () => {
    const session = newSession();
    const turn = async (words: number): Promise<readonly (number | undefined)[]> => {
      await session.ask(`60 tokens, please. ${'word '.repeat(words)}`, 'local/forgetful', {});
      const { end } = lastReply(session);
      return [end?.metrics.promptTokens?.value, end?.sentAtLeast];
    };
    const [all, nothing] = await turn(500);
    assert.deepEqual([all, nothing], [506, undefined]);
    assert.equal((await turn(300))[1], undefined);
    // The first question is dropped, and the rest fits.
    const [rest = 0, sent = 0] = await turn(400);
    assert.ok(rest < 1024 && rest > 700 && sent > 1024 && sent < 1500, `${rest} of ${sent}`);
    const [half, most = 0] = await turn(3000);
    assert.equal(half, 514);
    assert.ok(most > 3000, `${most}`);
  });

  it('runs ten chats at once without mixing them', async () => {
    const sessions = Array.from({ length: 10 }, newSession);
    const texts = sessions.map((_, number) => `chat ${number}: ${`word${number} `.repeat(200)}`);
    await Promise.all(sessions.map((session, number) => session.ask(texts[number] ?? '', 'local/echo', {})));
    assert.deepEqual(
      sessions.map((session) => lastReply(session).text),
      texts,
    );
  });

  for (const [status, kind] of [
    [400, 'badRequest'],
    [401, 'unauthorized'],
    [402, 'outOfCredits'],
    [403, 'forbidden'],
    [404, 'modelNotFound'],
    [413, 'contextTooLong'],
  ] as const) {
    it(`ends with the failure of a ${status}`, async () => {
      const session = newSession();
      await session.ask('Hi', `local/error-${status}`, {});
      const { end } = lastReply(session);
      assert.equal(end?.outcome, 'failed');
      assert.equal(end.failure?.kind, kind);
      assert.match(end.requestId ?? '', /^req_/);
    });
  }
});
