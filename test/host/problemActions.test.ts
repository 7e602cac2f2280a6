import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { NotifyButton } from '../../src/vscode/platform/notify.ts';
import { createRedactor } from '../../src/vscode/platform/redactor.ts';
import { ProblemActions } from '../../src/vscode/problems/problemActions.ts';
import { mayGoTo } from '../../src/vscode/service/apiKeyStore.ts';
import type { Service } from '../../src/vscode/service/service.ts';
import { Services } from '../../src/vscode/service/services.ts';
import { useServiceNames } from '../../src/words/modelLabel.ts';
import { json, startRawServer } from '../unit/api/rawServer.ts';
import { eventually } from './eventually.ts';
import { MemoryMemento } from './memoryMemento.ts';
import { MemorySecrets } from './memorySecrets.ts';
import { PromptBench } from './prompts/promptBench.ts';
import { withShownRows } from './shownRows.ts';
import { clearUserSettings, setUserSettings, UserServices } from './userSettings.ts';

describe('Use No Key', () => {
  const changed = new vscode.EventEmitter<unknown>();
  let services: Services;
  let told: string[];
  const notifier = {
    info: (text: string, buttons: readonly NotifyButton[] = []) =>
      void told.push([text, ...buttons.map(({ label }) => `[${label}]`)].join(' ')),
  };

  beforeEach(() => {
    told = [];
    const value: readonly object[] = [
      { baseUrl: 'http://one.test/v1', name: 'One' },
      { id: 'two', baseUrl: 'http://two.test:8080/v1', name: 'Two' },
    ];
    services = new Services({
      list: { value, onDidChange: changed.event },
      secrets: new MemorySecrets(),
      memento: Object.assign(new MemoryMemento(), { keys: () => [] }),
      environment: () => ({}),
      redactor: createRedactor(),
      onError: assert.ifError,
    });
  });
  afterEach(() => {
    services.dispose();
    useServiceNames({});
  });

  /** Where the key for a service comes from: `none` if requests have none. */
  async function sourceOf(id: string, origin: string): Promise<string | undefined> {
    const key = (await services.find(id)?.keys.read(origin)) ?? assert.fail();
    return 'source' in key ? key.source : undefined;
  }
  const sources = async () => [
    await sourceOf('service', 'http://one.test'),
    await sourceOf('two', 'http://two.test:8080'),
  ];

  it('sends requests without a key to the service that the problem is about, and to no other', async () => {
    assert.deepEqual(await sources(), [undefined, undefined]);
    await new ProblemActions(services, () => notifier).run('useNoKey', 'two');
    assert.deepEqual(await sources(), [undefined, 'none']);
    assert.deepEqual(told, ['Requests to two.test:8080 are sent without a key. [Test Connection]']);
  });

  it('is about the first service if the problem names none', async () => {
    await new ProblemActions(services, () => notifier).run('useNoKey');
    assert.deepEqual(await sources(), ['none', undefined]);
  });
});

describe('Use https://', () => {
  const plain = 'http://one.test';
  const encrypted = 'https://one.test';
  let list: UserServices;
  let services: Services;

  async function open(environment: Readonly<Record<string, string>>): Promise<Service> {
    await setUserSettings({ 'parlance.services': [{ baseUrl: `${plain}/v1` }] });
    list = new UserServices();
    services = new Services({
      list,
      secrets: new MemorySecrets(),
      memento: Object.assign(new MemoryMemento(), { keys: () => [] }),
      environment: () => environment,
      redactor: createRedactor(),
      onError: assert.ifError,
    });
    return services.first ?? assert.fail();
  }
  afterEach(async () => {
    services.dispose();
    list.dispose();
    useServiceNames({});
    await clearUserSettings();
  });

  /** The key that the new base URL's host gets. */
  async function keyAfter(service: Service): Promise<unknown> {
    service.endpoint.redirectedToHttps(encrypted);
    await new ProblemActions(services, () => ({ info: assert.fail })).run('useHttps', service.id);
    assert.deepEqual(list.value, [{ baseUrl: `${encrypted}/v1`, id: service.id }]);
    const key = await service.keys.read(encrypted);
    if ('kind' in key) return key.missing;
    return mayGoTo(key, encrypted) ? (key.key ?? 'none') : 'not allowed';
  }

  it('takes a key along that is allowed without encryption', async () => {
    const service = await open({});
    await service.keys.store('sk-one', [plain]);
    assert.equal(await keyAfter(service), 'sk-one');
  });

  it("doesn't allow one that isn't", async () => {
    const service = await open({});
    await service.keys.store('sk-another', ['https://another.test']);
    assert.equal(await keyAfter(service), 'not allowed');
  });

  it('sends none to a host that the user said needs none, though one is stored for another', async () => {
    const service = await open({});
    await service.keys.store('sk-another', ['https://another.test']);
    await service.keys.useNone(plain);
    assert.equal(await keyAfter(service), 'none');
  });

  it('sends none there, though the environment has one', async () => {
    const service = await open({ SERVICE_API_KEY: 'sk-environment' });
    await service.keys.useNone(plain);
    assert.equal(await keyAfter(service), 'none');
  });
});

describe('Use No Key, in the notification of Test Connection', () => {
  it('repeats the test', async () => {
    const open = await startRawServer((socket) => socket.write(json(200, { choices: [] })));
    const { showWarningMessage, showErrorMessage, showInformationMessage } = vscode.window;
    const shown: string[] = [];
    const show = (text: string) => Promise.resolve(shown.push(text) === 1 ? 'Use No Key' : undefined);
    Object.assign(vscode.window, { showWarningMessage: show, showErrorMessage: show, showInformationMessage: show });
    try {
      await setUserSettings({
        'parlance.services': [{ baseUrl: `${open.origin}/v1` }],
        'parlance.chat.model': 'local/echo',
      });
      await vscode.commands.executeCommand('parlance.testConnection');
      await eventually('a request without a key', () => open.requests.length > 0);
      assert.match(shown[0] ?? '', /^API key required/);
      const [{ target, headers } = assert.fail()] = open.requests;
      assert.deepEqual([target, headers['authorization']], ['/v1/chat/completions', undefined]);
      await eventually('the result', () => shown.length > 1);
    } finally {
      Object.assign(vscode.window, { showWarningMessage, showErrorMessage, showInformationMessage });
      await clearUserSettings();
      await open.close();
    }
  });
});

describe('Select Another Model, in a notification', () => {
  it('changes the default model and not the one of a conversation in the hidden chat', async () => {
    await using _ = await PromptBench.open();
    await vscode.commands.executeCommand('parlance.refreshModels');
    await vscode.commands.executeCommand('parlance.newChat');
    await vscode.commands.executeCommand('workbench.action.closeAuxiliaryBar');
    const none = (): never => assert.fail('no service is meant');
    const actions = new ProblemActions({ find: none, first: undefined as never }, none);
    await withShownRows(
      () => actions.run('selectModel'),
      ({ model }) => model === 'local/fast',
    );
    assert.equal(vscode.workspace.getConfiguration().get('parlance.chat.model'), 'local/fast');
  });
});

describe('Select Model, from the status bar or the Command Palette', () => {
  it('changes the default model while the chat is hidden: that is the one that prompts use', async () => {
    await using _ = await PromptBench.open();
    const config = () => vscode.workspace.getConfiguration().get('parlance.chat.model');
    await vscode.commands.executeCommand('parlance.refreshModels');
    await vscode.commands.executeCommand('parlance.newChat');
    const before = config();
    const select = (id: string) =>
      withShownRows(
        async () => vscode.commands.executeCommand<void>('parlance.selectModel'),
        ({ model }) => model === id,
      );
    await select('local/fast');
    assert.equal(config(), before, 'the visible chat has its own model');
    await vscode.commands.executeCommand('workbench.action.closeAuxiliaryBar');
    await select('local/fast');
    assert.equal(config(), 'local/fast');
  });
});
