import assert from 'node:assert/strict';
import { fork, type ChildProcess } from 'node:child_process';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import type * as net from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import * as tls from 'node:tls';
import { inspect } from 'node:util';
import { mayHaveBeenMade } from '../../../../src/api/calls/mayHaveBeenMade.ts';
import { systemClock } from '../../../../src/api/clock.ts';
import { audioTranscription } from '../../../../src/api/operations/audioTranscription.ts';
import { chatCompletion } from '../../../../src/api/operations/chatCompletion.ts';
import { videoGeneration } from '../../../../src/api/operations/videoGeneration.ts';
import type { CodeRequest } from '../../../../src/core/requests/code/codeRequest.ts';
import { asFetch } from '../../../../src/core/requests/code/fetchScript.ts';
import { asOpenAi } from '../../../../src/core/requests/code/openAiScript.ts';
import { projectFolder } from '../../../workbench/folders.ts';
import { startProxyServer, type ProxyServer } from '../proxyServer.ts';
import {
  chunk,
  fixture,
  json,
  lastChunk,
  type RawServer,
  type Responder,
  startRawServer,
  streamHead,
} from '../rawServer.ts';
import { failureOf, hello, outcomeOf, plainSettings, testClient, type TestClient } from '../testClient.ts';

/** How time passes, in this process and in those that run copied code. */
export interface PassingTime extends Disposable {
  /** Arguments of Node for such a process. */
  readonly nodeArguments: readonly string[];
  /** The host's own fetch, which gives up after 300 s. */
  readonly hostFetch: typeof fetch;
  pass(ms: number, children: readonly ChildProcess[]): Promise<void>;
}

/** Longer than the 300 s after which undici and Node's fetch end a response by default. */
const silenceMs = 305_000;

const body = {
  choices: [{ index: 0, message: { role: 'assistant', content: 'At last.' }, finish_reason: 'stop' }],
  data: [{ url: 'https://media.test/at-last.webm' }],
  text: 'At last.',
};

/** Tests of responses that are all silent at the same time, with the client's own timers. */
export function itIsAnsweredAtLast(startTime: () => PassingTime): void {
  const servers: RawServer[] = [];
  const clients: TestClient[] = [];
  const children: ChildProcess[] = [];
  const answers: (() => void)[] = [];
  const ownAuthorities = tls.getCACertificates('default');
  let time: PassingTime;
  let proxy: ProxyServer;
  let video: Promise<unknown>;
  let tunnelledVideo: Promise<unknown>;
  let transcript: Promise<unknown>;
  let reply: Promise<unknown>;
  let overHost: Promise<unknown>;
  let copied: readonly Promise<string>[];
  let folder: string;

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
  const runCopied = async (code: string, index: number): Promise<string> => {
    const script = join(folder, `copied${index}.mts`);
    await writeFile(script, code);
    const child = fork(script, {
      execArgv: ['--no-warnings', ...time.nodeArguments],
      env: { ...process.env, SERVICE_API_KEY: 'k' },
      stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
    });
    children.push(child);
    assert.ok(child.stdout);
    return text(child.stdout);
  };

  before('send all of them, and let the time pass', async () => {
    time = startTime();
    tls.setDefaultCACertificates([...ownAuthorities, fixture('authority')]);
    folder = await mkdtemp(join(tmpdir(), 'parlance-silence-'));
    await symlink(join(projectFolder, 'node_modules'), join(folder, 'node_modules'), 'junction');

    const allArrived = Promise.withResolvers<void>();
    const headersRead = Promise.withResolvers<void>();
    let arrived = 0;
    const answerWith =
      (write: (socket: net.Socket) => void): Responder =>
      (socket) => {
        answers.push(() => write(socket));
        arrived += 1;
        if (arrived === 7) allArrived.resolve();
      };
    const whole = answerWith((socket) => void socket.write(json(200, body)));
    const rest = answerWith((socket) => void socket.write(Buffer.concat([chunk(JSON.stringify(body)), lastChunk])));
    const plain = await serverThat(whole);
    // Silent for good: on a busy machine, Node's limit of 300 s takes longer than the others' 305 s.
    const silent = await serverThat(answerWith(() => undefined));
    const begun = await serverThat((socket, ...more) => {
      socket.write(streamHead({ 'content-type': 'application/json' }));
      rest(socket, ...more);
    });
    const secured = await serverThat(whole, 'good');
    proxy = await startProxyServer({ targetPort: secured.port });
    servers.push(proxy.server);

    const hear = (message: unknown): void => {
      if (Object(Object(message).request).path === '/v1/chat/completions') headersRead.resolve();
    };
    subscribe('undici:request:headers', hear);
    const aVideo = videoGeneration({ model: 'm', prompt: 'p' });
    video = clientOf(plain.origin).ask(aVideo);
    tunnelledVideo = clientOf('https://service.test', {
      settings: () => ({ ...plainSettings, proxy: proxy.origin }),
    }).ask(aVideo);
    const file = { name: 'a.wav', mediaType: 'audio/wav', bytes: new Uint8Array(100) };
    transcript = clientOf(plain.origin).ask(audioTranscription({ model: 'm', file }));
    reply = outcomeOf(clientOf(begun.origin).stream(chatCompletion({ ...hello, stream: false })));
    const onlyTheHost = {
      settings: () => ({ ...plainSettings, proxy: 'socks5://proxy.test' }),
      hostFetch: (_url: unknown, init?: RequestInit) => time.hostFetch(`${silent.origin}/v1/videos/generations`, init),
    };
    overHost = failureOf(clientOf('https://service.test', onlyTheHost).ask(aVideo));
    const sent: CodeRequest = {
      operation: 'video',
      keyVariable: 'SERVICE_API_KEY',
      method: 'POST',
      url: `${plain.origin}/v1/videos/generations`,
      body: { model: 'm', prompt: 'p' },
    };
    copied = [asFetch(sent), asOpenAi(sent)].map(runCopied);
    const early = [video, tunnelledVideo, transcript, reply, overHost, ...copied].map(async (each) => {
      const end = await each.catch((error: unknown) => error);
      throw new Error(`One ended before the silence: ${inspect(end)}`);
    });
    await Promise.race([Promise.all([allArrived.promise, headersRead.promise]), ...early]);
    unsubscribe('undici:request:headers', hear);
    await time.pass(silenceMs, children);
    for (const answer of answers) answer();
  });
  after(async () => {
    tls.setDefaultCACertificates(ownAuthorities);
    for (const { dispose } of clients) dispose();
    for (const child of children) child.kill();
    for (const server of servers) await server.close();
    time[Symbol.dispose]();
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
    for (const printed of await Promise.all(copied)) assert.match(printed, /at-last\.webm/);
  });

  it('was requested once each', () => {
    assert.deepEqual(
      servers.map(({ requests }) => requests.length),
      [4, 1, 1, 1, 1],
    );
  });
}
