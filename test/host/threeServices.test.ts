import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { chatCompletion } from '../../src/api/operations/chatCompletion.ts';
import { capabilities } from '../../src/api/service/serviceFacts.ts';
import { modelFacts } from '../../src/core/models/modelFacts.ts';
import { usageView } from '../../src/core/requests/usageView.ts';
import { requestName } from '../../src/core/requests/requestWords.ts';
import { modelRef, refParts, type ModelRef } from '../../src/shared/modelRef.ts';
import { LearnedWindows } from '../../src/vscode/attachments/learnedWindows.ts';
import { openModelSources } from '../../src/vscode/models/openModelSources.ts';
import { localDay } from '../../src/vscode/platform/localDay.ts';
import { createRedactor } from '../../src/vscode/platform/redactor.ts';
import { openRequestLog } from '../../src/vscode/requests/openRequestLog.ts';
import { repeatRequest } from '../../src/vscode/requests/repeatRequest.ts';
import { LateClient } from '../../src/vscode/service/lateClient.ts';
import { ServiceClients } from '../../src/vscode/service/serviceClients.ts';
import { ServiceFactsFiles } from '../../src/vscode/service/serviceFactsFiles.ts';
import { ServiceSupport } from '../../src/vscode/service/serviceSupport.ts';
import { Services } from '../../src/vscode/service/services.ts';
import { networkSettings } from '../../src/vscode/settings/networkSettings.ts';
import { useServiceNames } from '../../src/words/modelLabel.ts';
import { type InferenceService, startInferenceService } from '../service/inferenceService.ts';
import {
  chunk,
  delta,
  done,
  json,
  lastChunk,
  type RawServer,
  type Responder,
  startRawServer,
  streamHead,
} from '../unit/api/rawServer.ts';
import { MemoryMemento } from './memoryMemento.ts';
import { MemorySecrets } from './memorySecrets.ts';

/** A server with nothing but `/v1/models` and `/v1/chat/completions`, responding like llama.cpp and Ollama. */
function plainServer(models: readonly object[]): Responder {
  return (socket, { method, target, body }) => {
    if (target === '/v1/models' && method === 'GET') return socket.write(json(200, { object: 'list', data: models }));
    if (target === '/v1/chat/completions' && method === 'POST') {
      if (!body.endsWith('}')) return socket.write(json(500, { error: { message: 'parse error', code: 500 } }));
      return socket.write(Buffer.concat([streamHead(), chunk(delta('Hi') + done), lastChunk]));
    }
    return socket.write(json(404, { error: { code: 404, message: 'File Not Found', type: 'not_found_error' } }));
  };
}

describe('Three services of different kinds at once', () => {
  let local: InferenceService;
  let llama: RawServer;
  let keyless: RawServer;
  let folder: string;
  let services: Services;
  let clients: ServiceClients;
  let facts: ServiceFactsFiles;
  let log: ReturnType<typeof openRequestLog>;
  let models: ReturnType<typeof openModelSources>;
  let support: ServiceSupport;
  const ask = vscode.window.showWarningMessage;

  before(async () => {
    local = await startInferenceService({ tokensPerSecond: Infinity });
    llama = await startRawServer(
      plainServer([{ id: 'tiny.gguf', owned_by: 'llamacpp', meta: { n_ctx: 2048, n_ctx_train: 8192 } }]),
    );
    keyless = await startRawServer(plainServer([{ id: 'llama3.2:1b', object: 'model', owned_by: 'library' }]));
    folder = await mkdtemp(join(tmpdir(), 'parlance-three-'));
    const secrets = new MemorySecrets();
    const setting = (value: unknown) => ({ value, onDidChange: new vscode.EventEmitter<never>().event });
    services = new Services({
      list: setting([
        { name: 'Hosted', baseUrl: local.baseUrl },
        { id: 'llama', name: 'My llama', baseUrl: `${llama.origin}/v1` },
        {
          id: 'keyless',
          name: 'No key',
          baseUrl: `${keyless.origin}/v1`,
          models: { 'llama3.2:1b': { contextWindow: 131_072, inputPrice: 0, outputPrice: 0 } },
        },
      ]),
      secrets,
      memento: Object.assign(new MemoryMemento(), { keys: () => [] }),
      environment: () => ({}),
      redactor: createRedactor(),
      onError: assert.ifError,
    });
    await services.first.keys.store(local.apiKey, [local.origin]);
    await services.find('llama')?.keys.store('sk-llama', [llama.origin]);
    await services.find('keyless')?.keys.useNone(keyless.origin);
    facts = new ServiceFactsFiles(join(folder, 'models'), assert.ifError);
    clients = new ServiceClients(
      services,
      ({ endpoint }) =>
        new LateClient({
          endpoint: () => endpoint.current(),
          settings: () => networkSettings({}),
          trace: () => undefined,
          firstByteMs: () => undefined,
          facts,
        }),
    );
    log = openRequestLog({
      callsOf: (id) => clients.of(id),
      folder: join(folder, 'requests'),
      limits: () => ({ maxCount: 10_000, maxBytes: 100_000_000 }),
      keepsBodies: () => true,
      clean: (data) => data,
      cleanBody: (data) => data,
      priceOf: (model) => models.catalog.index.find(model)?.model,
      onError: assert.ifError,
    });
    const quiet = { error: assert.ifError, warning: assert.fail, info: assert.fail };
    models = openModelSources({
      service: log.calls,
      services,
      measured: log.history,
      learned: new LearnedWindows(join(folder, 'contextWindows.json'), assert.ifError),
      refreshAfterMinutes: setting(0) as never,
      storageUri: vscode.Uri.file(folder),
      log: quiet as never,
      notifier: quiet as never,
    });
    const { catalog, marks } = models;
    support = new ServiceSupport({ services, facts, catalog, marks, pickModel: assert.fail });
    await models.catalog.refresh();
  });
  after(async () => {
    // The names belong to the window: other tests have one service.
    useServiceNames({});
    Object.assign(vscode.window, { showWarningMessage: ask });
    await models.flush();
    models.dispose();
    await log.history.flush();
    log.history.dispose();
    clients.dispose();
    services.dispose();
    await facts.settled();
    await Promise.all([local.close(), llama.close(), keyless.close()]);
    await rm(folder, { recursive: true, force: true });
  });

  const localModel: ModelRef = 'local/echo';
  const llamaModel = modelRef('llama', 'tiny.gguf');
  const keylessModel = modelRef('keyless', 'llama3.2:1b');
  const through = async (id: string) =>
    Promise.all(capabilities.map(async (each) => `${each} ${(await support.of(id, each))?.through ?? 'not known'}`));

  it('list their models, with fewer facts if the list has fewer, and with what the user added', () => {
    const factsOf = (model: ModelRef) => modelFacts(models.catalog.index.find(model)?.model ?? assert.fail(model));
    assert.match(factsOf(localModel), / · 1M context$/);
    assert.equal(factsOf(llamaModel), '2k context');
    assert.equal(factsOf(keylessModel), 'free · 128k context');
  });

  it('chat at once, each at its own URL with its own key or none, and are distinguished in the request history', async () => {
    const asked = [localModel, llamaModel, keylessModel];
    await Promise.all(
      asked.map(async (ref) => {
        const request = {
          model: refParts(ref).model,
          messages: [{ role: 'user' as const, content: 'Hi' }],
          stream: true,
        };
        for await (const event of log.calls.from({ kind: 'chat' }).forModel(ref).stream(chatCompletion(request)))
          void event;
      }),
    );
    assert.equal(local.asked().at(-1)?.model, 'local/echo');
    const keys = (server: RawServer) => server.requests.map(({ headers }) => headers['authorization']);
    assert.ok(keys(llama).every((key) => key === 'Bearer sk-llama'));
    assert.ok(keys(keyless).every((key) => key === undefined));
    const requests = (await log.history.requests()).filter(({ operation }) => operation === 'chat');
    assert.deepEqual(requests.map((request) => requestName(request)).toSorted(), [
      'llama3.2:1b (No key)',
      'local/echo (Hosted)',
      'tiny.gguf (My llama)',
    ]);
    const usage = usageView(await log.history.digest(), [localDay(requests[0]?.at ?? 0)], null);
    assert.deepEqual(usage.services?.today.map(({ name }) => name).toSorted(), ['Hosted', 'My llama', 'No key']);
  });

  it('reveal what they support in free requests and in replies', async () => {
    for (const { id } of services.all) await clients.of(id).discover();
    assert.deepEqual(await through('service'), [
      'chat compatible',
      'models native',
      'imageInput native',
      'imageGeneration native',
      'audio native',
      'video compatible',
    ]);
    for (const id of ['llama', 'keyless']) {
      assert.deepEqual(
        await through(id),
        [
          'chat compatible',
          'models compatible',
          // Only a reply to an image would show it.
          'imageInput not known',
          'imageGeneration not',
          'audio not',
          'video not',
        ],
        id,
      );
    }
    assert.equal((await support.of('llama', 'chat'))?.fact?.why, 'answered');
    await facts.settled();
    const later = new ServiceFactsFiles(join(folder, 'models'), assert.ifError);
    assert.deepEqual(await later.load(`${llama.origin}/v1`), await facts.load(`${llama.origin}/v1`));
  });

  it("offer the one that supports it before anything is typed for the one that doesn't", async () => {
    const dialogs: (readonly unknown[])[] = [];
    const answerWith = (answer: string | undefined) =>
      Object.assign(vscode.window, {
        showWarningMessage: (...given: readonly unknown[]) => {
          dialogs.push(given);
          return Promise.resolve(answer);
        },
      });
    answerWith('Use Hosted');
    assert.equal(await support.modelFor('video', llamaModel), 'local/video');
    assert.equal(dialogs.length, 1);
    const [question, options, ...buttons] = dialogs[0] ?? [];
    assert.equal(question, "My llama doesn't support this: Video generation");
    assert.match(String(Object(options).detail), /doesn't have this path.*baseUrl/);
    assert.deepEqual(buttons, ['Use Hosted', 'Show Service', 'Continue Anyway']);
    answerWith(undefined);
    assert.equal(await support.modelFor('audio', keylessModel), undefined);
    answerWith('Continue Anyway');
    assert.equal(await support.modelFor('image', keylessModel), keylessModel);
    // Nothing is asked about one that supports it, or about which too little is known.
    dialogs.length = 0;
    assert.equal(await support.modelFor('video', localModel), localModel);
    assert.deepEqual(dialogs, []);
  });

  it("run a request again at another service, through that service's API", async () => {
    const calls = log.calls.from({ kind: 'chat' }).forModel(localModel);
    const messages = [{ role: 'user' as const, content: 'Once more' }];
    const operation = chatCompletion({ model: 'local/echo', messages, stream: true });
    for await (const event of calls.stream(operation, { api: 'native' })) void event;
    const request = (await log.history.requests()).find(({ asked }) => asked === 'Once more') ?? assert.fail();
    const { request: sent } = await log.history.bodies(request.id);
    assert.match(sent?.url ?? '', /\/api\/v1\/svcai\/chat\/completions$/);
    const again = log.calls.from({ kind: 'again', repeats: request.id }).to('llama');
    await repeatRequest(again, { request, sent, target: 'llama' }, new AbortController().signal, llamaModel);
    const last = llama.requests.at(-1);
    assert.deepEqual([last?.target, Object(JSON.parse(last?.body ?? '')).model], ['/v1/chat/completions', 'tiny.gguf']);
  });
});
