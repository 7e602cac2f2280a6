import assert from 'node:assert/strict';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { defaultTimeouts, firstByteMs, silenceMs } from '../../../../src/api/transport/timeouts.ts';
import { undiciTimers } from '../heldTime.ts';
import {
  chunk,
  delta,
  done,
  event,
  finished,
  json,
  lastChunk,
  startRawServer,
  streamHead,
  times,
  type RawServer,
} from '../rawServer.ts';
import { failureOf, hello, outcomeOf, testClient, type TestClient } from '../testClient.ts';
import { chatCompletion } from '../../../../src/api/operations/chatCompletion.ts';
import { listModels } from '../../../../src/api/operations/listModels.ts';
import { heldTimers } from '../../heldTimers.ts';

describe('The timeouts', () => {
  it('have the agreed values', () => {
    assert.deepEqual(defaultTimeouts, {
      connectMs: 10_000,
      firstByteMs: 120_000,
      silenceMs: 90_000,
      wholeReplyMs: 600_000,
      settleMs: 5_000,
      catalogMs: 15_000,
      videoMs: 1_200_000,
      imageMs: 300_000,
      transcriptionMs: 600_000,
    });
  });
});

describe('The wait for a reply to start', () => {
  const usual = defaultTimeouts.firstByteMs;

  it("is ten minutes on this machine, two elsewhere, and the user's setting anywhere", () => {
    for (const local of ['http://localhost:11434/v1', 'http://127.0.0.1:8080/v1', 'http://[::1]:1234/v1']) {
      assert.equal(firstByteMs(new URL(local), usual, undefined), 600_000, local);
      assert.equal(firstByteMs(new URL(local), usual, 5000), 5000, local);
    }
    assert.equal(firstByteMs(new URL('https://service.example/v1'), usual, undefined), 120_000);
    assert.equal(firstByteMs(new URL('https://service.example/v1'), usual, 900_000), 900_000);
  });

  it("ends a request after the user's limit", async () => {
    const server = await startRawServer(() => {});
    const tested = testClient(server.origin, { firstByteMs: 50 });
    const { failure } = await outcomeOf(tested.client.stream(chatCompletion(hello)));
    assert.deepEqual(failure, { kind: 'timeout', timer: 'firstByte', afterMs: 50, host: new URL(server.origin).host });
    tested.dispose();
    await server.close();
  });
});

describe('The silence in a stream', () => {
  const usual = defaultTimeouts.silenceMs;
  const local = new URL('http://localhost:11434/v1');
  const remote = new URL('https://service.example/v1');

  it('can last as long as the wait for a reply, because some servers keep a tool call until all of it is written', () => {
    assert.equal(silenceMs(remote, usual, undefined), 90_000);
    assert.equal(silenceMs(local, usual, undefined), 600_000);
    assert.equal(silenceMs(remote, usual, 900_000), 900_000);
    assert.equal(silenceMs(local, usual, 900_000), 900_000);
  });

  it("isn't shorter because the wait for a reply is", () => {
    assert.equal(silenceMs(remote, usual, 5000), 90_000);
    assert.equal(silenceMs(local, usual, 5000), 600_000);
  });

  it('is the one that was set, if it was set', () => {
    assert.equal(silenceMs(local, 40, 900_000), 40);
  });
});

/** Keeps this process busy, so that it reads nothing. */
function blockFor(ms: number): void {
  const until = performance.now() + ms;
  while (performance.now() < until);
}

describe('A timeout', () => {
  const usage = event({ choices: [], usage: { prompt_tokens: 1 } });
  let server: RawServer;
  let tested: TestClient;
  afterEach(async () => {
    tested.dispose();
    await server.close();
  });
  const host = (): string => new URL(server.origin).host;

  it('of the connection is named connect, even during the TLS handshake', async () => {
    // Accepts the connection but never starts TLS.
    server = await startRawServer(() => {});
    tested = testClient(`https://127.0.0.1:${server.port}`, { timeouts: { connectMs: 40 } });
    const { failure } = await outcomeOf(tested.client.stream(chatCompletion(hello)));
    assert.deepEqual(failure, { kind: 'timeout', timer: 'connect', afterMs: 40, host: host() });
    while (server.accepted() < 3) await server.nextConnection();
    await server.allClosed();
    // Nothing was sent, so it was tried three times.
    assert.equal(server.accepted(), 3);
  });

  it("of a response that doesn't start is named firstByte", async () => {
    server = await startRawServer(() => {});
    tested = testClient(server.origin, { timeouts: { firstByteMs: 40, silenceMs: 5000 } });
    const { failure } = await outcomeOf(tested.client.stream(chatCompletion(hello)));
    assert.deepEqual(failure, { kind: 'timeout', timer: 'firstByte', afterMs: 40, host: host() });
    await server.allClosed();
    assert.equal(server.requests.length, 1);
  });

  it('is still that of the first byte if only the headers arrived', async () => {
    server = await startRawServer((socket) => socket.write(streamHead()));
    tested = testClient(server.origin, { timeouts: { firstByteMs: 60, silenceMs: 20 } });
    const { failure } = await outcomeOf(tested.client.stream(chatCompletion(hello)));
    assert.equal(failure?.kind === 'timeout' && failure.timer, 'firstByte');
    await server.allClosed();
  });

  it('during a stream is named silence, and keeps the text', async () => {
    server = await startRawServer((socket) => socket.write(Buffer.concat([streamHead(), chunk(delta('Hi'))])));
    tested = testClient(server.origin, { timeouts: { firstByteMs: 5000, silenceMs: 40 } });
    const outcome = await outcomeOf(tested.client.stream(chatCompletion(hello)));
    assert.equal(outcome.text, 'Hi');
    assert.deepEqual(outcome.failure, { kind: 'timeout', timer: 'silence', afterMs: 40, host: host() });
    await server.allClosed();
  });

  it("of silence doesn't fire while comments arrive", async () => {
    using silence = heldTimers(1000);
    const comments = Array.from({ length: 12 }, () => chunk(': still here\n\n'));
    const parts = [
      Buffer.concat([streamHead(), chunk(delta('Hi'))]),
      ...comments,
      Buffer.concat([chunk(done), lastChunk]),
    ];
    let sendNext = (): void => assert.fail();
    server = await startRawServer((socket) => {
      sendNext = () => {
        const part = parts.shift();
        if (part !== undefined) socket.write(part);
      };
      sendNext();
    });
    tested = testClient(server.origin, { timeouts: { silenceMs: 1000 } });
    // It's told just before the client gets what was received.
    const received = (): void =>
      void setImmediate(() => {
        silence.pass(900);
        sendNext();
      });
    subscribe('undici:request:bodyChunkReceived', received);
    try {
      assert.deepEqual(await outcomeOf(tested.client.stream(chatCompletion(hello))), {
        text: 'Hi',
        reasoning: '',
        complete: true,
      });
    } finally {
      unsubscribe('undici:request:bodyChunkReceived', received);
    }
  });

  it("of silence doesn't fire while the reader is slow", async () => {
    using silence = heldTimers(500);
    server = await startRawServer((socket) => {
      socket.write(streamHead());
      socket.write(times(3000, chunk(delta('x'.repeat(2000)))));
      socket.write(Buffer.concat([chunk(done), lastChunk]));
    });
    tested = testClient(server.origin, { timeouts: { silenceMs: 500 } });
    let lagged = false;
    let length = 0;
    for await (const each of tested.client.stream(chatCompletion(hello))) {
      if (each.type !== 'text') continue;
      length += each.text.length;
      if (!lagged) {
        // While others arrive that began later, this one comes to wait for its reader.
        for (let others = 0; silence.running() > 0; others += 1) {
          assert.ok(others < 20, 'the silence is still measured');
          await outcomeOf(tested.client.stream(chatCompletion(hello)));
        }
        silence.pass(700);
        // A limit that has run out takes effect before that.
        await new Promise((turn) => void setImmediate(turn));
      }
      lagged = true;
    }
    assert.equal(length, 6_000_000);
  });

  for (const [what, timeouts, first, rest, expected] of [
    ['of silence', { silenceMs: 40 }, delta('Hi'), delta(' there') + done, { text: 'Hi there' }],
    [
      'after a finish reason',
      { settleMs: 40 },
      delta('Hi') + finished,
      usage + done,
      { text: 'Hi', finish: 'stop', usage: { promptTokens: 1 } },
    ],
  ] as const) {
    it(`${what} doesn't fire before what arrived while this process was blocked is read`, async () => {
      let writeRest = (): void => assert.fail();
      server = await startRawServer((socket) => {
        writeRest = () => void socket.write(Buffer.concat([chunk(rest), lastChunk]));
        socket.write(Buffer.concat([streamHead(), chunk(first)]));
      });
      tested = testClient(server.origin, { timeouts });
      const blocked = (async function* () {
        let isBlocked = false;
        for await (const each of tested.client.stream(chatCompletion(hello))) {
          yield each;
          if (isBlocked || each.type !== 'text') continue;
          isBlocked = true;
          setImmediate(() => {
            writeRest();
            blockFor(100);
          });
        }
      })();
      assert.deepEqual(await outcomeOf(blocked), { reasoning: '', complete: true, ...expected });
    });
  }

  it("of a measured reply in one piece doesn't fire once all of it was read", async () => {
    // It runs out once all of the reply has arrived, however long that takes here.
    using limit = heldTimers(60);
    server = await startRawServer((socket) => {
      socket.write(json(200, { choices: [{ message: { content: 'Hi' } }] }));
      setImmediate(() => {
        blockFor(100);
        assert.equal(limit.running(), 1);
        limit.pass(60);
      });
    });
    tested = testClient(server.origin, { timeouts: { wholeReplyMs: 60 } });
    const whole = chatCompletion({ ...hello, stream: false });
    const outcome = await outcomeOf(tested.client.stream(whole, { observer: { textArrived: () => undefined } }));
    assert.deepEqual([outcome.text, limit.running()], ['Hi', 0]);
  });

  it("of the connection doesn't fire for one that was made while this process was blocked", async () => {
    server = await startRawServer((socket) => socket.write(json(200, { choices: [{ message: { content: 'Hi' } }] })));
    tested = testClient(server.origin, { timeouts: { connectMs: 40 } });
    // After it has begun to connect: the socket is announced just before.
    const block = (): void => void setImmediate(() => blockFor(100));
    subscribe('net.client.socket', block);
    try {
      assert.equal((await outcomeOf(tested.client.stream(chatCompletion(hello)))).text, 'Hi');
    } finally {
      unsubscribe('net.client.socket', block);
    }
    assert.equal(server.accepted(), 1);
  });

  it('of a reply in one piece is named `answer`, and outlasts the first byte timer', async () => {
    server = await startRawServer(() => {});
    tested = testClient(server.origin, { timeouts: { firstByteMs: 10, silenceMs: 10, wholeReplyMs: 80 } });
    const { failure } = await outcomeOf(tested.client.stream(chatCompletion({ ...hello, stream: false })));
    assert.deepEqual(failure, { kind: 'timeout', timer: 'answer', afterMs: 80, host: host() });
    await server.allClosed();
  });

  it('of the model list is named `answer`, and applies until the end of the body', async () => {
    // It runs out once the client has read that the body begins, however long that takes here.
    using limit = heldTimers(60);
    const runOut = (): void => limit.pass(60);
    subscribe('undici:request:headers', runOut);
    try {
      const begun = Buffer.concat([streamHead(), chunk('{"data":[')]);
      server = await startRawServer((socket) => socket.write(begun));
      tested = testClient(server.origin, { timeouts: { catalogMs: 60 } });
      const failure = await failureOf(tested.client.ask(listModels));
      assert.deepEqual(failure, { kind: 'timeout', timer: 'answer', afterMs: 60, host: host() });
      await server.allClosed();
      assert.equal(server.requests.length, 3);
    } finally {
      unsubscribe('undici:request:headers', runOut);
    }
  });

  it("of undici, 300 s by default, doesn't exist", async () => {
    const asked = Promise.withResolvers<(bytes: Buffer) => void>();
    server = await startRawServer((socket) => asked.resolve((bytes) => socket.write(bytes)));
    tested = testClient(server.origin);
    const pass = (): void => {
      for (let minute = 0; minute < 10; minute++) undiciTimers.tick(60_000);
    };
    const running = outcomeOf(
      (async function* () {
        for await (const each of tested.client.stream(chatCompletion(hello))) {
          yield each;
          if (each.type !== 'text') continue;
          pass();
          (await asked.promise)(Buffer.concat([chunk(done), lastChunk]));
        }
      })(),
    );
    const write = await asked.promise;
    pass();
    write(Buffer.concat([streamHead(), chunk(delta('Hi'))]));
    assert.deepEqual(await running, { text: 'Hi', reasoning: '', complete: true });
  });
});
