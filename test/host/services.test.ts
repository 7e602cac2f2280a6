import assert from 'node:assert/strict';
import type { Socket } from 'node:net';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { ApiError } from '../../src/api/apiError.ts';
import { audioTranscription } from '../../src/api/operations/audioTranscription.ts';
import { chatCompletion } from '../../src/api/operations/chatCompletion.ts';
import { imageGeneration } from '../../src/api/operations/imageGeneration.ts';
import { listModels } from '../../src/api/operations/listModels.ts';
import { videoGeneration } from '../../src/api/operations/videoGeneration.ts';
import { FactsInMemory } from '../../src/api/service/serviceFacts.ts';
import { useServiceNames } from '../../src/words/modelLabel.ts';
import { modelRef, refParts } from '../../src/shared/modelRef.ts';
import { createRedactor } from '../../src/vscode/platform/redactor.ts';
import { openRequestLog } from '../../src/vscode/requests/openRequestLog.ts';
import { LateClient } from '../../src/vscode/service/lateClient.ts';
import { ServiceClients } from '../../src/vscode/service/serviceClients.ts';
import { ServiceDownloads } from '../../src/vscode/service/serviceDownloads.ts';
import { Services } from '../../src/vscode/service/services.ts';
import { networkSettings } from '../../src/vscode/settings/networkSettings.ts';
import {
  answer,
  chunk,
  delta,
  done,
  json,
  lastChunk,
  type RawRequest,
  type RawServer,
  startRawServer,
  streamHead,
} from '../unit/api/rawServer.ts';
import { unusedPort } from '../workbench/unusedPort.ts';
import { MemoryMemento } from './memoryMemento.ts';
import { MemorySink } from './memorySink.ts';
import { MemorySecrets } from './memorySecrets.ts';

/** The setting, as a test writes it. */
class WrittenList {
  readonly #changed = new vscode.EventEmitter<unknown>();
  readonly onDidChange = this.#changed.event;
  value: unknown = [];

  set(value: unknown): void {
    this.value = value;
    this.#changed.fire(value);
  }
}

/** What no other service may ever receive. */
const secretOf = (id: string): string => `canary-${id}-7f3a91`;
const ids = ['service', 'beta', 'gamma', 'delta'] as const;
const rounds = 3;

describe('Several services', () => {
  let list: WrittenList;
  let services: Services;
  let clients: ServiceClients;
  let secrets: MemorySecrets;
  let folder: string;
  let log: ReturnType<typeof openRequestLog>;
  const environment = { SERVICE_API_KEY: secretOf('service'), SERVICE_API_KEY_ORIGINS: 'http://127.0.0.1:*' };

  beforeEach(async () => {
    list = new WrittenList();
    secrets = new MemorySecrets();
    folder = await mkdtemp(join(tmpdir(), 'parlance-services-'));
    const memento = new MemoryMemento();
    services = new Services({
      list,
      secrets,
      memento: Object.assign(memento, { keys: () => [] }),
      environment: () => environment,
      redactor: createRedactor(),
      onError: assert.ifError,
    });
    clients = new ServiceClients(
      services,
      ({ endpoint }) =>
        new LateClient({
          endpoint: () => endpoint.current(),
          settings: () => networkSettings({}),
          trace: () => undefined,
          firstByteMs: () => undefined,
          facts: Object.assign(new FactsInMemory(), { load: () => Promise.resolve({ paths: {} }) }),
        }),
    );
    log = openRequestLog({
      callsOf: (id) => clients.of(id),
      folder,
      limits: () => ({ maxCount: 10_000, maxBytes: 100_000_000 }),
      keepsBodies: () => true,
      clean: (data) => data,
      cleanBody: (data) => data,
      onError: assert.ifError,
    });
  });
  afterEach(async () => {
    await log.history.flush();
    log.history.dispose();
    clients.dispose();
    services.dispose();
    useServiceNames({});
    await rm(folder, { recursive: true, force: true });
  });

  /** Everything that Parlance asks of services, all at once; the results don't matter here. */
  async function askEverything(id: string, film = 'http://127.0.0.1:9/film.webm'): Promise<void> {
    const ref = modelRef(id, `maker/${secretOf(id)}`);
    const { model } = refParts(ref);
    const said = secretOf(id);
    const chat = async (kind: 'chat' | 'prompt'): Promise<void> => {
      const messages = [{ role: 'user' as const, content: said }];
      const calls = log.calls.from({ kind }).forModel(ref);
      for await (const event of calls.stream(chatCompletion({ model, messages, stream: true }))) void event;
    };
    const media = log.calls.from({ kind: 'media' }).forModel(ref);
    const file = { name: `${said}.wav`, mediaType: 'audio/wav', bytes: Buffer.from(said) };
    await Promise.allSettled([
      chat('chat'),
      chat('prompt'),
      log.calls.from({ kind: 'models' }).to(id).ask(listModels),
      media.ask(imageGeneration({ model, positive_prompt: said })),
      media.ask(videoGeneration({ model, prompt: said })),
      media.ask(audioTranscription({ model, file })),
      clients.of(id).discover(),
      clients.of(id).downloadMedia(film, new MemorySink()),
    ]);
  }

  it("never receive a byte of each other's keys, messages, or models, whatever runs at once", async function () {
    const servers: RawServer[] = [];
    // Each redirects to the next one, and the third also to the other service on its own host.
    const elsewhere = (place: number, path: string) => () => `${servers[place]?.origin}${path}`;
    const [one, two, three] = [
      await startRawServer(serve(elsewhere(1, '/v1/chat/completions'))),
      await startRawServer(serve(elsewhere(2, '/one/v1/models'))),
      await startRawServer(serve(elsewhere(2, '/one/v1/chat/completions'), elsewhere(2, '/two/api/v1/models'))),
    ];
    servers.push(one, two, three);
    list.set([
      { baseUrl: `${one.origin}/v1` },
      // Its legacy host is the first one's base URL.
      { id: 'beta', name: 'Beta', baseUrl: `${two.origin}/v1`, fallbackBaseUrl: `${one.origin}/v1` },
      { id: 'gamma', name: 'Gamma', baseUrl: `${three.origin}/one/v1`, headers: { 'x-title': secretOf('gamma') } },
      { id: 'delta', name: 'Delta', baseUrl: `${three.origin}/two/v1` },
    ]);
    for (const id of ids.slice(1)) {
      const { keys, entry } = services.find(id) ?? assert.fail(id);
      await keys.store(secretOf(id), [new URL(entry.value.baseUrl).origin]);
    }
    await Promise.all(
      Array.from({ length: rounds }, () => ids)
        .flat()
        .map((id, at) => askEverything(id, `${servers[at % 3]?.origin}/files/${at}.webm`)),
    );

    const isFile = ({ target }: RawRequest): boolean => target.startsWith('/files/');
    const seen = (server: RawServer, path = '/') =>
      server.requests.filter((request) => request.target.startsWith(path) && !isFile(request));
    const places: Readonly<Record<(typeof ids)[number], readonly RawRequest[]>> = {
      service: seen(one),
      beta: seen(two),
      gamma: seen(three, '/one/'),
      delta: seen(three, '/two/'),
    };
    assert.equal(places.gamma.length + places.delta.length, seen(three).length);
    // A file that one service generated can be on the host of another, which receives only the URL.
    const files = servers.flatMap((server) => server.requests.filter(isFile));
    assert.ok(files.length > rounds * ids.length, `${files.length} files`);
    for (const file of files) {
      assert.equal(file.headers['authorization'], undefined);
      assert.ok(!everyByteOf(file).includes('canary-'), everyByteOf(file));
    }
    for (const [id, requests] of Object.entries(places)) {
      assert.ok(requests.length > rounds * 5, `${id}: ${requests.length} requests`);
      assert.deepEqual(
        [...new Set(requests.map(({ headers }) => headers['authorization']))],
        [`Bearer ${secretOf(id)}`],
        id,
      );
      for (const other of ids) {
        if (other === id) continue;
        const leaks = requests.filter((request) => everyByteOf(request).includes(secretOf(other)));
        assert.deepEqual(leaks, [], `${id} got something of ${other}`);
      }
    }
    for (const server of servers) await server.close();
  });

  it("never receive each other's data at the same host, neither by a redirect nor at a derived native URL", async function () {
    const servers: RawServer[] = [];
    const elsewhere = (path: string) => () => `${servers[0]?.origin}${path}`;
    const paths = [
      '/api/v1/chat/completions',
      '/v1/chat/completions',
      '/api/v1/models',
      '/v1/models',
      '/team/v1/models',
    ];
    const host = await startRawServer(serve(...paths.map(elsewhere)));
    servers.push(host);
    list.set([
      // Its native URL would be derived as /api, and the model list there is Beta's.
      { baseUrl: `${host.origin}/v1` },
      { id: 'beta', name: 'Beta', baseUrl: `${host.origin}/api/v1` },
      { id: 'gamma', name: 'Gamma', baseUrl: `${host.origin}/team/v1`, fallbackBaseUrl: `${host.origin}/v1/older` },
    ]);
    assert.deepEqual(services.faults, [{ why: 'otherService', field: 'fallbackBaseUrl', position: 3 }]);
    for (const id of ['beta', 'gamma']) await services.find(id)?.keys.store(secretOf(id), [host.origin]);
    const asked = ['service', 'beta', 'gamma'];
    await Promise.all(
      Array.from({ length: rounds }, () => asked)
        .flat()
        .map((id) => askEverything(id)),
    );
    const ownerOf = ({ target }: RawRequest): string => {
      if (target.startsWith('/team/')) return 'gamma';
      return target.startsWith('/api/') ? 'beta' : 'service';
    };
    const byOwner = Map.groupBy(host.requests, ownerOf);
    for (const id of asked) {
      const requests = byOwner.get(id) ?? [];
      assert.ok(requests.length > rounds * 3, `${id}: ${requests.length} requests`);
      assert.deepEqual(
        [...new Set(requests.map(({ headers }) => headers['authorization']))],
        [`Bearer ${secretOf(id)}`],
      );
      const others = asked.filter((other) => other !== id);
      const leaks = requests.filter((request) =>
        others.some((other) => everyByteOf(request).includes(secretOf(other))),
      );
      assert.deepEqual(leaks, [], `${id} got something of another one`);
    }
    await host.close();
  });

  it("send nothing to a legacy host that is another service's base URL, even if the key is approved there", async () => {
    const other = await startRawServer(serve(() => ''));
    const [down, downToo] = [`http://127.0.0.1:${await unusedPort()}`, `http://127.0.0.1:${await unusedPort()}`];
    const fallbackBaseUrl = `${other.origin}/v1`;
    list.set([
      // SERVICE_API_KEY_ORIGINS allows the first one's key at any port of this host.
      { baseUrl: `${down}/v1`, fallbackBaseUrl },
      { id: 'beta', name: 'Beta', baseUrl: `${downToo}/v1`, fallbackBaseUrl },
      // No key that could be refused.
      { id: 'gamma', name: 'Gamma', baseUrl: `${downToo}/other/v1`, fallbackBaseUrl },
      { id: 'delta', name: 'Delta', baseUrl: `${other.origin}/v1` },
    ]);
    await services.find('beta')?.keys.store(secretOf('beta'), [downToo, other.origin]);
    await services.find('gamma')?.keys.useNone(downToo);
    // Until every attempt has failed, the retries too. A file that is there isn't tried again for seconds.
    const files = await startRawServer(serve(() => ''));
    const moved = `${files.origin}/files/moved.webm`;
    await Promise.all(['service', 'beta', 'gamma'].map((id) => askEverything(id, moved)));
    await files.close();
    assert.equal(other.accepted(), 0);
    assert.deepEqual(
      services.faults.map(({ why, field, position }) => [why, field, position]),
      [1, 2, 3].map((position) => ['otherService', 'fallbackBaseUrl', position]),
    );
    await other.close();
  });

  it("have one key each: the environment's is only for the first one", async () => {
    list.set([{ baseUrl: 'http://127.0.0.1:1/v1' }, { id: 'beta', name: 'Beta', baseUrl: 'http://127.0.0.1:2/v1' }]);
    const keyOf = async (id: string) => (await services.find(id)?.endpoint.current())?.apiKey;
    assert.equal(await keyOf('service'), secretOf('service'));
    await assert.rejects(keyOf('beta'), (error) => error instanceof ApiError && error.failure.kind === 'setup');
    await services.find('beta')?.keys.store('sk-beta', ['http://127.0.0.1:2']);
    assert.equal(await keyOf('beta'), 'sk-beta');
    assert.equal(await keyOf('service'), secretOf('service'));
    await services.find('service')?.keys.store('sk-main', ['http://127.0.0.1:1']);
    await services.find('beta')?.keys.remove();
    assert.equal(await keyOf('service'), 'sk-main');
    await assert.rejects(keyOf('beta'));
  });

  it("keep their data when their name, position, or base URL changes, and lose it when they're removed", async () => {
    list.set([{ baseUrl: 'http://127.0.0.1:1/v1' }, { id: 'beta', name: 'Beta', baseUrl: 'http://127.0.0.1:2/v1' }]);
    const beta = services.find('beta');
    await beta?.keys.store('sk-beta', ['http://127.0.0.1:2']);
    list.set([
      { id: 'beta', name: 'Gamma', baseUrl: 'http://127.0.0.1:3/v1' },
      { id: 'service', baseUrl: 'http://127.0.0.1:1/v1' },
    ]);
    assert.equal(services.first, beta);
    assert.equal(beta?.name, 'Gamma');
    // The key was saved for another URL, and nobody allowed it to be sent to this one.
    await assert.rejects(beta?.endpoint.check() ?? assert.fail(), { message: /./ });
    list.set([{ id: 'service', baseUrl: 'http://127.0.0.1:1/v1' }]);
    assert.equal(services.find('beta'), undefined);
    await assert.rejects(services.check(modelRef('beta', 'maker/model')), (error) => {
      assert.ok(error instanceof ApiError);
      assert.equal(error.failure.kind === 'setup' && error.failure.missing, 'service');
      return true;
    });
    assert.throws(() => clients.of('beta'), ApiError);
  });

  it('have results that can be downloaded after they were removed, without a key', async () => {
    const server = await startRawServer((socket) => {
      socket.write(answer(200, film, { 'content-type': 'video/webm' }));
    });
    const beta = { id: 'beta', name: 'Beta', baseUrl: `${server.origin}/v1` };
    list.set([{ baseUrl: 'http://127.0.0.1:1/v1' }, beta]);
    await services.find('beta')?.keys.store(secretOf('beta'), [server.origin]);
    const downloads = new ServiceDownloads({ services, clients, settings: () => networkSettings({}) });
    const load = async () => {
      const sink = new MemorySink();
      await downloads.of('beta').downloadMedia(`${server.origin}/files/kite.webm`, sink);
      return sink.size;
    };
    const size = await load();
    assert.ok(size > 0);
    list.set([{ baseUrl: 'http://127.0.0.1:1/v1' }]);
    assert.throws(() => clients.of('beta'), ApiError);
    assert.equal(await load(), size);
    assert.deepEqual(
      server.requests.map(everyByteOf).filter((bytes) => bytes.includes('canary-')),
      [],
    );
    // A link into the user's own network needs a service that is or was there.
    await assert.rejects(downloads.of('unknown').downloadMedia(`${server.origin}/files/kite.webm`, new MemorySink()));
    // The only one, whose ID the next one gets.
    list.set([beta]);
    list.set([]);
    const only = services.first.id;
    list.set([{ ...beta, id: only }]);
    list.set([]);
    const sink = new MemorySink();
    await downloads.of(only).downloadMedia(`${server.origin}/files/kite.webm`, sink);
    assert.equal(sink.size, size);
    downloads.dispose();
    await server.close();
  });

  it('keep working when the settings of one of them are invalid', async () => {
    list.set([
      { baseUrl: 'http://127.0.0.1:1/v1' },
      { id: 'beta', name: 'Beta', baseUrl: 'ftp://beta.example' },
      'nonsense',
      { id: 'gamma', name: 'Gamma', baseUrl: 'http://127.0.0.1:3/v1' },
    ]);
    assert.deepEqual(
      services.all.map(({ id }) => id),
      ['service', 'beta', 'gamma'],
    );
    assert.deepEqual(services.faults, [
      { why: 'badBaseUrl', position: 2 },
      { why: 'notAService', position: 3 },
    ]);
    await services.check('maker/model');
    await assert.rejects(services.check(modelRef('beta', 'maker/model')));
  });

  it('keep their connections after a rename or a new web page, so nothing that is running ends', async () => {
    const fields = { id: 'beta', baseUrl: 'http://127.0.0.1:9/v1' };
    list.set([fields]);
    let changes = 0;
    services.first.endpoint.onDidChange(() => changes++);
    list.set([{ ...fields, name: 'Garage', keysPage: 'https://x.test/keys' }]);
    list.set([
      { ...fields, name: 'Attic', creditsPage: 'https://x.test/credits', inferenceLogPage: 'https://x.test/log' },
    ]);
    assert.equal(services.first.name, 'Attic');
    assert.equal(changes, 0);
    list.set([{ ...fields, headers: { 'x-team': 'a' } }]);
    list.set([{ ...fields, imageApi: 'native' }]);
    assert.equal(changes, 2);
  });
});

const film = Buffer.concat([Buffer.from([0x1a, 0x45, 0xdf, 0xa3]), Buffer.alloc(200, 7)]);

/** The request line, the headers, and the body. */
function everyByteOf({ method, target, headers, bytes }: RawRequest): string {
  return `${method} ${target} ${JSON.stringify(headers)} ${Buffer.from(bytes).toString('latin1')}`;
}

/** Responds like a service, sometimes asks for a retry, and sometimes redirects. */
function serve(...elsewhere: readonly (() => string)[]) {
  return (socket: Socket, { target, method }: RawRequest, index: number): void => {
    if (target.startsWith('/files/')) {
      // From one host to the next, like a link to a storage.
      const location = elsewhere[0]?.().replace(/(?<=\d)\/.*/, '/files/moved.webm') ?? '';
      if (target.includes('moved')) socket.write(answer(200, film, { 'content-type': 'video/webm' }));
      else socket.write(answer(307, '', { location }));
    } else if (index % 4 === 1) {
      const location = elsewhere[(index >> 2) % elsewhere.length]?.() ?? '';
      socket.write(answer(index % 8 === 1 ? 307 : 302, '', { location }));
    } else if (index % 9 === 2) socket.write(json(429, { error: { message: 'later' } }, { 'retry-after': '0' }));
    else if (method === 'GET') socket.write(json(200, { data: [{ id: 'maker/model' }] }));
    else if (target.endsWith('/chat/completions') || target.endsWith('/multimodal/chat')) {
      socket.write(Buffer.concat([streamHead(), chunk(delta('Hi') + done), lastChunk]));
    } else socket.write(json(404, { error: { message: 'no such path' } }));
  };
}
