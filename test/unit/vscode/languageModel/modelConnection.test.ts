import assert from 'node:assert/strict';
import { join } from 'node:path';
import { ApiError } from '../../../../src/api/apiError.ts';
import { AddedConnections } from '../../../../src/vscode/languageModel/modelConnection.ts';
import { CatalogueFiles } from '../../../../src/vscode/models/catalogueStore.ts';
import { RequestsHere } from '../requests/requestsHere.ts';

describe('A service that was added in VS Code’s own list of models', () => {
  let here: RequestsHere;
  before(async () => {
    here = await RequestsHere.start();
  });
  after(() => here.stop());

  const quiet = { silent: true, signal: new AbortController().signal };
  const asked = () => here.service.log().length;

  /** One window: what it kept of the list is what the next one finds. */
  function open(onListed: () => void = () => undefined): AddedConnections {
    const onError = (error: unknown) => here.errors.push(error);
    return new AddedConnections({
      service: here.window().calls,
      connect: (endpoint) => here.client(endpoint),
      redactor: here.redactor,
      store: new CatalogueFiles(join(here.folder, 'added'), onError),
      onListed,
      onError,
    });
  }
  const configuration = () => ({ baseUrl: here.service.baseUrl, apiKey: here.service.apiKey });

  it('is asked for its models once, when it was just added; then VS Code’s looks send nothing', async () => {
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

  it('is asked again after its first answer in a window, and no more than once', async () => {
    const told = Promise.withResolvers<void>();
    const connection = open(() => told.resolve()).find(configuration());
    await connection.models(quiet);
    const earlier = asked();
    connection.answered();
    await told.promise;
    connection.answered();
    assert.equal(asked(), earlier + 1);
  });

  it('is tried again after a list that failed', async () => {
    const connections = open();
    const wrong = connections.find({ baseUrl: `${here.service.baseUrl}/none`, apiKey: 'sk-wrong-key-0000' });
    await assert.rejects(Promise.resolve(wrong.models(quiet)), ApiError);
    await assert.rejects(Promise.resolve(wrong.models(quiet)), ApiError);
  });

  for (const [what, given, missing] of [
    ['no address', { apiKey: 'sk-0123456789' }, 'baseUrl'],
    ['no key', { baseUrl: 'https://host.test/v1' }, 'apiKey'],
    ['what is no address', { baseUrl: 'ftp://host/v1', apiKey: 'sk-0123456789' }, 'validBaseUrl'],
    ['what is no key', { baseUrl: 'https://host.test/v1', apiKey: 'a b' }, 'validApiKey'],
  ] as const) {
    it(`says what is missing: ${what}`, () => {
      assert.throws(
        () => open().find(given),
        (error) => error instanceof ApiError && error.failure.kind === 'setup' && error.failure.missing === missing,
      );
    });
  }
});
