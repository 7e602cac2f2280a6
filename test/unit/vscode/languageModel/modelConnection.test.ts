import assert from 'node:assert/strict';
import { join } from 'node:path';
import { ApiError } from '../../../../src/api/apiError.ts';
import { Explainer } from '../../../../src/vscode/problems/explainer.ts';
import { AddedConnections } from '../../../../src/vscode/languageModel/modelConnection.ts';
import { CatalogFiles } from '../../../../src/vscode/models/catalogFiles.ts';
import { json, startRawServer } from '../../api/rawServer.ts';
import { encodePng } from '../../../service/pictures/encodePng.ts';
import { RequestsHere } from '../requests/requestsHere.ts';
import { chatCompletion } from '../../../../src/api/operations/chatCompletion.ts';

describe("A service that was added in VS Code's own list of models", () => {
  let here: RequestsHere;
  before(async () => {
    here = await RequestsHere.start();
  });
  after(() => here.stop());

  const quiet = { silent: true, signal: new AbortController().signal };
  const asked = () => here.service.log().length;

  /** One window: the next one finds the list that it stored. */
  function open(
    onListed: () => void = () => undefined,
    folder = 'added',
    onList: () => unknown = () => undefined,
    now = Date.now,
  ) {
    const onError = (error: unknown) => here.errors.push(error);
    const { redactor } = here;
    return new AddedConnections({
      service: here.window().calls,
      connect: (...given) => {
        const client = here.client(...given);
        const ask = client.ask.bind(client);
        client.ask = (operation, options) => {
          if (operation.name === 'catalog') onList();
          return ask(operation, options);
        };
        return client;
      },
      redactor,
      explainer: new Explainer({
        main: () => ({
          endpoint: { host: 'own.test', keySource: 'environment' },
          pages: () => ({ keys: 'https://own.test/keys' }),
        }),
        redactor,
        log: { error: (_what, error) => onError(error) },
        closestModels: () => ['own/model'],
      }),
      store: new CatalogFiles(join(here.folder, folder), onError),
      onListed,
      onError,
      now,
    });
  }
  const configuration = () => ({ baseUrl: here.service.baseUrl, apiKey: here.service.apiKey });

  it("is asked for its models once, when it was just added; VS Code's own queries send nothing", async () => {
    const connection = open().find(configuration());
    const models = await connection.models(quiet);
    assert.ok(models.some(({ id }) => id === 'local/writer'));
    await connection.models(quiet);
    assert.equal(asked(), 1);

    const nextWindow = open().find(configuration());
    assert.deepEqual(
      (await nextWindow.models(quiet)).map(({ id }) => id),
      models.map(({ id }) => id),
    );
    assert.equal(asked(), 1);
  });

  it('is asked again after its first reply in a window, and no more than once', async () => {
    const told = Promise.withResolvers<void>();
    const connection = open(() => told.resolve()).find(configuration());
    await connection.models(quiet);
    const earlier = asked();
    connection.answered();
    await told.promise;
    connection.answered();
    assert.equal(asked(), earlier + 1);
  });

  it('gets images through the chat API that all such services have', async () => {
    const calls = open().find(configuration()).callsFor('local/vision');
    const url = `data:image/png;base64,${Buffer.from(await encodePng(1, 1, new Uint8Array(3))).toString('base64')}`;
    const messages = [{ role: 'user' as const, content: [{ type: 'image_url' as const, image_url: { url } }] }];
    const stream = calls.stream(chatCompletion({ model: 'local/vision', messages, stream: true }));
    for await (const event of stream) void event;
    const { pathname } = new URL(here.service.baseUrl);
    assert.equal(here.service.log().at(-1)?.path, `${pathname}/chat/completions`);
  });

  it('is tried again after a failed list, but not on every query', async () => {
    let lists = 0;
    let now = 0;
    const connections = open(
      undefined,
      'added',
      () => (lists += 1),
      () => now,
    );
    const wrong = connections.find({ baseUrl: `${here.service.baseUrl}/none`, apiKey: 'sk-wrong-key-0000' });
    await assert.rejects(wrong.models(quiet), ApiError);
    now += 10_000;
    await assert.rejects(wrong.models(quiet), ApiError);
    assert.equal(lists, 1);
    now += 60_000;
    await assert.rejects(wrong.models(quiet), ApiError);
    assert.equal(lists, 2);
  });

  it('gives its models to one query even if another was canceled', async () => {
    const begun = Promise.withResolvers<void>();
    const connection = open(undefined, 'lookedAtTwice', begun.resolve).find(configuration());
    const abort = new AbortController();
    const givenUp = assert.rejects(connection.models({ silent: true, signal: abort.signal }));
    const waitedFor = connection.models(quiet);
    await begun.promise;
    abort.abort();
    await givenUp;
    assert.ok((await waitedFor).some(({ id }) => id === 'local/writer'));
  });

  it("describes its own failures, not those of the user's other service", async () => {
    const connections = open(undefined, 'refused');
    const refused = connections.find({ ...configuration(), apiKey: 'sk-wrong-key-0000' });
    const error: unknown = await refused.models(quiet).catch((thrown: unknown) => thrown);
    const { detail, actions } = refused.explainer.problemOfError(error, { during: 'command' });
    assert.match(detail, /^The service rejected the key\. It might be mistyped/);
    assert.ok(!detail.includes('keys page') && actions.every(({ kind }) => kind !== 'openKeysPage'), detail);

    const good = connections.find(configuration());
    await good.models(quiet);
    const { host, closestModels } = good.explainer.context({});
    assert.equal(host, new URL(here.service.baseUrl).host);
    assert.equal(closestModels?.('local/writr')[0], 'local/writer');
  });

  it('sends no key to a service that was added without one', async () => {
    const server = await startRawServer((socket) => socket.write(json(200, { data: [{ id: 'free' }] })));
    const free = open().find({ baseUrl: `${server.origin}/v1` });
    assert.deepEqual(
      (await free.models(quiet)).map(({ id }) => id),
      ['free'],
    );
    assert.equal('authorization' in (server.requests[0]?.headers ?? {}), false);
    await server.close();
  });

  for (const [what, given, missing] of [
    ['no address', { apiKey: 'sk-0123456789' }, 'baseUrl'],
    ['what is no address', { baseUrl: 'ftp://host/v1', apiKey: 'sk-0123456789' }, 'validBaseUrl'],
    ['what is no key', { baseUrl: 'https://host.test/v1', apiKey: 'a b' }, 'validApiKey'],
  ] as const) {
    it(`reports what is missing: ${what}`, () => {
      assert.throws(
        () => open().find(given),
        (error) => error instanceof ApiError && error.failure.kind === 'setup' && error.failure.missing === missing,
      );
    });
  }
});
