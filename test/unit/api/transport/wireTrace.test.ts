import assert from 'node:assert/strict';
import {
  answer,
  chunk,
  delta,
  done,
  json,
  lastChunk,
  startRawServer,
  streamHead,
  type RawServer,
} from '../rawServer.ts';
import { failureOf, hello, outcomeOf, testClient, testKey, type TestClient } from '../testClient.ts';
import { chatCompletion } from '../../../../src/api/operations/chatCompletion.ts';
import { listModels } from '../../../../src/api/operations/listModels.ts';
import { imageGeneration } from '../../../../src/api/operations/imageGeneration.ts';

describe('The trace', () => {
  let server: RawServer;
  let tested: TestClient;
  let lines: string[];
  beforeEach(() => {
    lines = [];
  });
  afterEach(async () => {
    tested.dispose();
    await server.close();
  });

  async function serve(bytes: Buffer, bodies: boolean, apiKey = testKey): Promise<TestClient['client']> {
    server = await startRawServer((socket) => socket.write(bytes));
    tested = testClient(server.origin, { apiKey, trace: () => ({ line: (text) => lines.push(text), bodies }) });
    return tested.client;
  }
  /** Without what differs in each run. */
  const steady = (): readonly string[] =>
    lines.map((line) => line.replace(/after \d+ ms/, 'after N ms').replace(server.origin, 'ORIGIN'));
  const stream = Buffer.concat([streamHead({ 'x-request-id': 'req_t' }), chunk(delta('Hi') + done), lastChunk]);

  it('shows the network traffic without the key and without bodies', async () => {
    await outcomeOf((await serve(stream, false)).stream(chatCompletion(hello)));
    const bytes = Buffer.byteLength(JSON.stringify(hello));
    assert.deepEqual(steady(), [
      '#1 > POST ORIGIN/v1/chat/completions',
      '#1 > accept: text/event-stream, application/json',
      '#1 > accept-encoding: identity',
      '#1 > user-agent: Parlance',
      '#1 > content-type: application/json',
      `#1 > ${bytes} bytes`,
      '#1 < 200 after N ms',
      '#1 < content-type: text/event-stream',
      '#1 < transfer-encoding: chunked',
      '#1 < x-request-id: req_t',
      `#1 = ok, ${delta('Hi').length + done.length} bytes, 1 events`,
    ]);
  });

  it('shows bodies if requested', async () => {
    await outcomeOf((await serve(stream, true)).stream(chatCompletion(hello)));
    assert.ok(lines.includes(`#1 > ${JSON.stringify(JSON.stringify(hello))}`));
    assert.match(lines.join('\n'), /#1 < "data: .*Hi/);
  });

  it('numbers the exchanges, and shows what failed', async () => {
    const client = await serve(json(401, { error: { message: 'Secret words.' } }), false);
    await outcomeOf(client.stream(chatCompletion(hello)));
    await outcomeOf(client.stream(chatCompletion(hello)));
    const ends = lines.filter((line) => line.includes(' = '));
    assert.deepEqual(
      ends.map((line) => line.replace(/\d+ bytes/, 'N bytes')),
      ['#1 = failed, N bytes, 0 events: unauthorized', '#2 = failed, N bytes, 0 events: unauthorized'],
    );
    assert.doesNotMatch(lines.join('\n'), /Secret/);
  });

  it('hides headers that might contain secrets', async () => {
    const client = await serve(
      answer(200, '{"data":[]}', { 'set-cookie': 'a=b', 'x-api-key': 'c', server: 's' }),
      true,
    );
    await client.ask(listModels);
    assert.deepEqual(
      lines.filter((line) => /< (set-cookie|x-api-key|server)/.test(line)),
      ['#1 < set-cookie: (hidden)', '#1 < x-api-key: (hidden)', '#1 < server: s'],
    );
  });

  it('never contains the key, even if the service quotes it in headers and bodies, in pieces, and a message contains it', async () => {
    for (const apiKey of [testKey, 'sk-"quoted\\', 'k']) {
      lines = [];
      const quoted = JSON.stringify({ error: { message: `Bad key ${apiKey}${apiKey}!` } });
      const pieces = [...Buffer.from(quoted)].map((byte) => Uint8Array.of(byte));
      server = await startRawServer((socket) => {
        socket.write(`HTTP/1.1 400 No\r\ntransfer-encoding: chunked\r\nx-echo: Bearer ${apiKey}\r\n\r\n`);
        const next = (): void => {
          const piece = pieces.shift();
          if (piece === undefined) return void socket.write(lastChunk);
          socket.write(chunk(piece), () => setImmediate(next));
        };
        next();
      });
      tested = testClient(server.origin, { apiKey, trace: () => ({ line: (text) => lines.push(text), bodies: true }) });
      const content = `My key is ${apiKey}.`;
      await outcomeOf(tested.client.stream(chatCompletion({ ...hello, messages: [{ role: 'user', content }] })));
      if (apiKey === 'k') continue;
      const all = lines.join('\n');
      const parsed = lines.map((line) => line.replaceAll(/\\(.)/g, '$1')).join('');
      assert.ok(lines.length > 8);
      for (const form of [apiKey, JSON.stringify(apiKey).slice(1, -1)]) {
        assert.ok(!all.includes(form), all);
        assert.ok(!parsed.includes(form), all);
      }
      // Joins what was split into lines.
      const body = lines
        .flatMap((line) => (line.startsWith('#1 < "') ? [String(JSON.parse(line.slice('#1 < '.length)))] : []))
        .join('');
      assert.equal(body, '{"error":{"message":"Bad key (key)(key)!"}}');
      tested.dispose();
      await server.close();
    }
  });

  it("can't be forged by line breaks in a body", async () => {
    const client = await serve(answer(400, 'one\n#9 > two\u2028three', { 'content-type': 'text/plain' }), true);
    await failureOf(client.ask(listModels));
    for (const line of lines) assert.doesNotMatch(line, /[\r\n]/);
  });

  it('shows no images, and at most 256 Ki characters of a body', async () => {
    const png = Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), Buffer.alloc(100)]);
    await (
      await serve(answer(200, png, { 'content-type': 'image/png' }), true)
    ).ask(imageGeneration({ model: 'm', positive_prompt: 'p' }));
    assert.ok(!lines.some((line) => line.includes('< "')));
    tested.dispose();
    await server.close();
    lines = [];
    await (await serve(json(200, { data: [], more: 'x'.repeat(1_000_000) }), true)).ask(listModels);
    assert.ok(lines.join('').length < 300_000);
    assert.ok(lines.includes('#1 < (the rest is not shown)'));
  });

  it('that is off costs nothing, and can be turned on later', async () => {
    let isWanted = false;
    server = await startRawServer((socket) => socket.write(json(200, { data: [] })));
    const sink = { line: (text: string) => void lines.push(text), bodies: false };
    tested = testClient(server.origin, { trace: () => (isWanted ? sink : undefined) });
    await tested.client.ask(listModels);
    assert.deepEqual(lines, []);
    isWanted = true;
    await tested.client.ask(listModels);
    assert.equal(lines[0], `#2 > GET ${server.origin}/api/v1/models`);
  });
});
