import assert from 'node:assert/strict';
import type { Socket } from 'node:net';
import { FactsInMemory } from '../../src/api/service/serviceFacts.ts';
import { useServiceNames } from '../../src/words/modelLabel.ts';
import { findLocalServices } from '../../src/vscode/connection/findLocalServices.ts';
import type { NotifyButton } from '../../src/vscode/platform/notify.ts';
import { createRedactor } from '../../src/vscode/platform/redactor.ts';
import { LateClient, type LateClientDeps } from '../../src/vscode/service/lateClient.ts';
import type { Service } from '../../src/vscode/service/service.ts';
import { Services } from '../../src/vscode/service/services.ts';
import { networkSettings } from '../../src/vscode/settings/networkSettings.ts';
import { answer, json, type RawRequest, startRawServer } from '../unit/api/rawServer.ts';
import { unusedPort } from '../workbench/unusedPort.ts';
import { MemoryMemento } from './memoryMemento.ts';
import { MemorySecrets } from './memorySecrets.ts';
import { clearUserSettings, setUserSettings, UserServices } from './userSettings.ts';

describe('Find Local Services', () => {
  let list: UserServices;
  let services: Services;
  let told: string[];
  let offers: (readonly NotifyButton[])[];
  let askedForKey: string[];

  beforeEach(async () => {
    await clearUserSettings();
    list = new UserServices();
    [told, offers, askedForKey] = [[], [], []];
    services = new Services({
      list,
      secrets: new MemorySecrets(),
      memento: new MemoryMemento(),
      environment: () => ({}),
      redactor: createRedactor(),
      onError: assert.ifError,
    });
  });
  afterEach(async () => {
    services.dispose();
    list.dispose();
    useServiceNames({});
    await clearUserSettings();
  });

  const find = (ports: readonly number[]) =>
    findLocalServices({
      services,
      connect: (current: LateClientDeps['endpoint']) =>
        new LateClient({
          endpoint: current,
          settings: () => networkSettings({}),
          trace: () => undefined,
          firstByteMs: () => undefined,
          facts: Object.assign(new FactsInMemory(), { load: () => Promise.resolve({ paths: {} }) }),
        }),
      notifier: {
        info: (text: string, buttons: readonly NotifyButton[]) => {
          told.push(text);
          offers.push(buttons);
        },
      },
      askForKey: ({ entry }: Service) => Promise.resolve(void askedForKey.push(entry.value.baseUrl)),
      ports,
      // A busy machine takes longer than the usual limit.
      answerMs: 60_000,
    });

  it('offers a server that requires a key, and asks for the key once it is added', async () => {
    const refusal = { error: { message: 'No API key passed in.' } };
    const closed = await startRawServer((socket) => socket.write(json(401, refusal)));
    const website = await startRawServer((socket) =>
      socket.write(answer(401, '<html>Log in</html>', { 'content-type': 'text/html' })),
    );
    const ports = [closed.port, website.port];
    await find(ports);
    assert.deepEqual(told, [`The service at 127.0.0.1:${closed.port} requires an API key.`]);
    assert.equal(list.value, undefined);
    await offers[0]?.[0]?.run();
    assert.deepEqual(askedForKey, [`${closed.origin}/v1`]);
    assert.equal(services.all.length, 1);
    // Nobody said that it needs no key.
    assert.equal((await services.first.endpoint.connection('m')).state, 'needsApiKey');
    await find(ports);
    assert.equal(told[1], 'All services found on this computer are already added.');
    assert.ok(closed.requests.every(({ headers }) => headers['authorization'] === undefined));
    await closed.close();
    await website.close();
  });

  it('finds servers that list models, without a key, and adds each once', async () => {
    const models = (socket: Socket, { target }: RawRequest) =>
      socket.write(
        target === '/v1/models' ? json(200, { data: [{ id: 'm', owned_by: 'llamacpp' }] }) : answer(404, ''),
      );
    const local = await startRawServer(models);
    const website = await startRawServer((socket) =>
      socket.write(answer(200, '<html>', { 'content-type': 'text/html' })),
    );
    const ports = [local.port, website.port, await unusedPort()];
    await setUserSettings({ 'parlance.services': [{ baseUrl: 'https://one.test/v1' }] });
    await services.first.keys.store('sk-one', ['https://one.test']);
    await find(ports);
    assert.deepEqual(list.value, [
      { baseUrl: 'https://one.test/v1', id: 'service' },
      { id: 'llama.cpp', name: 'llama.cpp', baseUrl: `${local.origin}/v1` },
    ]);
    assert.deepEqual(told, ['Added from this computer: llama.cpp (1 model).']);
    // It responded without a key, so none is asked for.
    assert.equal((await services.find('llama.cpp')?.endpoint.current())?.apiKey, undefined);
    await find(ports);
    assert.equal(services.all.length, 2);
    assert.equal(told[1], 'All services found on this computer are already added.');
    const asked = [...local.requests, ...website.requests];
    assert.ok(asked.length >= 3);
    assert.ok(asked.every(({ method, headers }) => method === 'GET' && headers['authorization'] === undefined));
    await local.close();
    await website.close();
  });
});
