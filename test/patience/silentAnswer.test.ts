import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as tls from 'node:tls';
import { promisify } from 'node:util';
import { systemClock } from '../../src/api/clock.ts';
import { mayHaveBeenMade } from '../../src/api/calls/mayHaveBeenMade.ts';
import type { CodeRequest } from '../../src/core/requests/code/codeRequest.ts';
import { asFetch } from '../../src/core/requests/code/fetchScript.ts';
import { asOpenAi } from '../../src/core/requests/code/openAiScript.ts';
import { startProxyServer, type ProxyServer } from '../unit/api/proxyServer.ts';
import {
  chunk,
  fixture,
  json,
  lastChunk,
  type RawServer,
  type Responder,
  startRawServer,
  streamHead,
} from '../unit/api/rawServer.ts';
import { failureOf, hello, outcomeOf, plainSettings, testClient, type TestClient } from '../unit/api/testClient.ts';
import { projectFolder } from '../workbench/folders.ts';
import { videoGeneration } from '../../src/api/operations/videoGeneration.ts';
import { audioTranscription } from '../../src/api/operations/audioTranscription.ts';
import { chatCompletion } from '../../src/api/operations/chatCompletion.ts';

/** Longer than the 300 s after which undici and Node's fetch end a response by default. */
const silenceMs = 305_000;

const body = {
  choices: [{ index: 0, message: { role: 'assistant', content: 'At last.' }, finish_reason: 'stop' }],
  data: [{ url: 'https://media.test/at-last.webm' }],
  text: 'At last.',
};

// All at once, with the client's own timers, and together with the other suites: see ../run.ts.
describe('A response that is silent for over 300 s', () => {
  const timers = new Set<NodeJS.Timeout>();
  const servers: RawServer[] = [];
  const clients: TestClient[] = [];
  const ownAuthorities = tls.getCACertificates('default');
  let proxy: ProxyServer;
  let video: Promise<unknown>;
  let tunnelledVideo: Promise<unknown>;
  let transcript: Promise<unknown>;
  let reply: Promise<unknown>;
  let overHost: Promise<unknown>;
  let copied: Promise<readonly string[]>;
  let folder: string;

  const later = (say: () => void): void => {
    timers.add(setTimeout(say, silenceMs));
  };
  const beforeTheHead: Responder = (socket) => later(() => socket.write(json(200, body)));
  const afterTheHead: Responder = (socket) => {
    socket.write(streamHead({ 'content-type': 'application/json' }));
    later(() => socket.write(Buffer.concat([chunk(JSON.stringify(body)), lastChunk])));
  };
  const serverThat = async (respond: Responder, certificate?: string): Promise<RawServer> => {
    const server = await startRawServer(respond, certificate);
    servers.push(server);
    return server;
  };
  const clientOf = (origin: string, options: Parameters<typeof testClient>[1] = {}): TestClient['client'] => {
    const tested = testClient(origin, { ...options, clock: systemClock });
    clients.push(tested);
    return tested.client;
  };

  before('send all of them', async () => {
    tls.setDefaultCACertificates([...ownAuthorities, fixture('authority')]);
    const plain = await serverThat(beforeTheHead);
    const silent = await serverThat(() => undefined);
    const begun = await serverThat(afterTheHead);
    const secured = await serverThat(beforeTheHead, 'good');
    proxy = await startProxyServer({ targetPort: secured.port });
    servers.push(proxy.server);

    video = clientOf(plain.origin).ask(videoGeneration({ model: 'm', prompt: 'p' }));
    const throughProxy = { settings: () => ({ ...plainSettings, proxy: proxy.origin }) };
    tunnelledVideo = clientOf('https://service.test', throughProxy).ask(videoGeneration({ model: 'm', prompt: 'p' }));
    const file = { name: 'a.wav', mediaType: 'audio/wav', bytes: new Uint8Array(100) };
    transcript = clientOf(plain.origin).ask(audioTranscription({ model: 'm', file }));
    reply = outcomeOf(clientOf(begun.origin).stream(chatCompletion({ ...hello, stream: false })));
    const onlyTheHost = {
      settings: () => ({ ...plainSettings, proxy: 'socks5://proxy.test' }),
      // Silent for good: on a busy machine, Node's limit of 300 s takes longer than the others' 305 s.
      hostFetch: (_url: unknown, init?: RequestInit) => fetch(`${silent.origin}/v1/videos/generations`, init),
    };
    overHost = failureOf(
      clientOf('https://service.test', onlyTheHost).ask(videoGeneration({ model: 'm', prompt: 'p' })),
    );
    const sent: CodeRequest = {
      operation: 'video',
      keyVariable: 'SERVICE_API_KEY',
      method: 'POST',
      url: `${plain.origin}/v1/videos/generations`,
      body: { model: 'm', prompt: 'p' },
    };
    folder = await mkdtemp(join(tmpdir(), 'parlance-patience-'));
    await symlink(join(projectFolder, 'node_modules'), join(folder, 'node_modules'), 'junction');
    const runCopied = async (code: string, index: number): Promise<string> => {
      const script = join(folder, `copied${index}.mts`);
      await writeFile(script, code);
      const env = { ...process.env, SERVICE_API_KEY: 'k' };
      return (await promisify(execFile)(process.execPath, ['--no-warnings', script], { env })).stdout;
    };
    copied = Promise.all([asFetch(sent), asOpenAi(sent)].map(runCopied));
    // Each has its own test; until then a failure must not end the process.
    void Promise.allSettled([video, tunnelledVideo, transcript, reply, overHost, copied]);
  });
  after(async () => {
    tls.setDefaultCACertificates(ownAuthorities);
    for (const timer of timers) clearTimeout(timer);
    for (const { dispose } of clients) dispose();
    for (const server of servers) await server.close();
    await rm(folder, { recursive: true, force: true });
  });

  it('is a video', async () => {
    assert.deepEqual(Object(await video).videos[0].url, body.data[0]?.url);
  });

  it("is a video through a proxy's tunnel, over TLS", async () => {
    assert.deepEqual(Object(await tunnelledVideo).videos[0].url, body.data[0]?.url);
    assert.equal(proxy.server.requests.length, 1);
  });

  it('is a transcript', async () => {
    assert.equal(Object(await transcript).text, body.text);
  });

  it('is a reply in one piece, silent after its headers', async () => {
    assert.deepEqual(await reply, { text: 'At last.', reasoning: '', finish: 'stop', complete: true });
  });

  it("ends at the host's own fetch, if only that has the route, and then might have been generated", async () => {
    const failure = Object(await overHost);
    assert.equal(failure.code, 'UND_ERR_HEADERS_TIMEOUT');
    assert.equal(mayHaveBeenMade(failure), true);
  });

  it('is printed by code copied from the request history', async () => {
    for (const printed of await copied) assert.match(printed, /at-last\.webm/);
  });

  it('was requested once each', () => {
    assert.deepEqual(
      servers.map(({ requests }) => requests.length),
      [4, 1, 1, 1, 1],
    );
  });
});
