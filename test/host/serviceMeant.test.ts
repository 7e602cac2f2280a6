import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { FactsInMemory } from '../../src/api/service/serviceFacts.ts';
import { ModelCatalogs } from '../../src/core/models/modelCatalogs.ts';
import type { LoggedRequest } from '../../src/core/requests/requestLog.ts';
import { ServiceDetails } from '../../src/vscode/connection/serviceDetails.ts';
import { switchService } from '../../src/vscode/connection/switchService.ts';
import { createRedactor } from '../../src/vscode/platform/redactor.ts';
import { registerRequestCommands } from '../../src/vscode/requests/requestCommands.ts';
import { Services } from '../../src/vscode/service/services.ts';
import { commandIds } from '../../src/vscode/settings/contributions.ts';
import { momentText } from '../../src/words/moment.ts';
import { useServiceNames } from '../../src/words/modelLabel.ts';
import { answering } from './answering.ts';
import { eventually } from './eventually.ts';
import { MemoryMemento } from './memoryMemento.ts';
import { MemorySecrets } from './memorySecrets.ts';

const one = { baseUrl: 'https://one.test/v1', name: 'One', headers: { 'x-team': 'first' } };
const two = { id: 'two', baseUrl: 'https://two.test/v1', name: 'Two', headers: { 'x-team': 'second' } };

describe('With two services, the one that a command is about', () => {
  const { createWebviewPanel } = vscode.window;
  const list = { value: [one, two] as readonly object[] };
  let changed: vscode.EventEmitter<unknown>;
  let services: Services;

  beforeEach(() => {
    changed = new vscode.EventEmitter();
    list.value = [one, two];
    services = new Services({
      list: Object.assign(list, { onDidChange: changed.event }),
      secrets: new MemorySecrets(),
      memento: Object.assign(new MemoryMemento(), { keys: () => [] }),
      environment: () => ({}),
      redactor: createRedactor(),
      onError: assert.ifError,
    });
  });
  afterEach(() => {
    Object.assign(vscode.window, { createWebviewPanel });
    services.dispose();
    useServiceNames({});
  });

  function change(entries: readonly object[]): void {
    list.value = entries;
    changed.fire(entries);
  }

  it("has a page with what it supports, since when, and which settings to check, which closes when it's removed", async () => {
    let panel = undefined as vscode.WebviewPanel | undefined;
    let isClosed = false;
    Object.assign(vscode.window, {
      createWebviewPanel: (...given: Parameters<typeof createWebviewPanel>) => {
        panel = createWebviewPanel(...given);
        panel.onDidDispose(() => (isClosed = true));
        return panel;
      },
    });
    const facts = new FactsInMemory();
    const at = Date.UTC(2026, 2, 4, 12);
    facts.learnedPath(two.baseUrl, 'chat', 'compatible', { isThere: true, why: 'answered', at });
    const missing = { isThere: false, why: 'noSuchPath', by: 'probe', at: Date.now() } as const;
    facts.learnedPath(two.baseUrl, 'video', 'compatible', missing);
    const learned = new Set<() => void>();
    const details = new ServiceDetails({
      extensionUri: vscode.extensions.getExtension('parlance.parlance')?.extensionUri ?? assert.fail(),
      services,
      catalog: new ModelCatalogs(),
      facts: {
        load: (service) => Promise.resolve(facts.of(service)),
        onDidChange: (listener) => {
          learned.add(listener);
          return () => learned.delete(listener);
        },
      },
      onError: assert.ifError,
    });
    await details.show('two');
    const html = (): string => panel?.webview.html ?? '';
    const row = (feature: string): string =>
      new RegExp(`<tr[^>]*><th scope="row">${feature}<.*`).exec(html())?.[0] ?? '';
    assert.equal(panel?.title, 'Two');
    assert.ok(html().includes('https://two.test/v1'));
    assert.match(row('Chat'), /OpenAI-compatible API/);
    assert.ok(row('Chat').includes(`Reply received, ${momentText(at)}`), row('Chat'));
    const reason = 'The service doesn&#39;t have this path. Check in parlance.services: baseUrl';
    assert.ok(row('Video generation').replaceAll("'", '&#39;').includes(reason), row('Video generation'));
    assert.ok(row('Video generation').includes('Not supported'));
    assert.ok(row('Video generation').includes(`Test Connection, ${momentText(missing.at)}`));
    facts.learnedPath(two.baseUrl, 'video', 'compatible', { isThere: true, why: 'answered', at });
    for (const tell of learned) tell();
    await eventually('the new fact', () => row('Video generation').includes('OpenAI-compatible API'));
    change([one, { ...two, name: 'Garage' }]);
    await eventually('the new name', () => panel?.title === 'Garage');
    change([{ id: 'service', ...one }]);
    await eventually('the end of the page', () => isClosed);
    assert.equal(learned.size, 0);
  });

  it('gives its own headers to the code of its request, and none after it moved to another host', async () => {
    const copied = copiedBy(services);
    const code = await copied('two');
    assert.ok(code.includes('x-team: second') && !code.includes('first'), code);
    change([one, { ...two, baseUrl: 'https://moved.test/v1' }]);
    assert.ok(!(await copied('two')).includes('x-team'));
    // The first one has never been at this host, whatever its headers.
    assert.ok(!(await copied(undefined)).includes('x-team'));
    // It was removed.
    change([{ id: 'service', ...one }]);
    assert.ok(!(await copied('two')).includes('x-team'));
  });

  it("has Parlance's own variable for its key in copied code only while it's first, as in Parlance itself", async () => {
    const copied = copiedBy(services);
    const variables = async () =>
      [await copied(undefined), await copied('two')].map((code) => /\w+_API_KEY/.exec(code)?.[0]);
    assert.deepEqual(await variables(), ['SERVICE_API_KEY', 'SERVICE_TWO_API_KEY']);
    change([two, { id: 'service', ...one }]);
    assert.deepEqual(await variables(), ['SERVICE_SERVICE_API_KEY', 'SERVICE_API_KEY']);
  });

  it('is asked again once if that is asked for twice before it shows', async () => {
    const run = runningAgain(services);
    const { runRequestAgain, runRequestWithModel } = commandIds;
    assert.deepEqual(await Promise.all([run(runRequestAgain), run(runRequestAgain)]), [['two'], []]);
    assert.deepEqual(await run(runRequestAgain), ['two']);
    const other = { selected: 'two::maker/other' };
    const twice = [run(runRequestWithModel, other), run(runRequestWithModel, other)];
    assert.deepEqual((await Promise.all(twice)).flat(), ['two']);
  });

  it('is asked again without a confirmation if the user has just selected it, but not after it moved to another host', async () => {
    const run = runningAgain(services);
    const { runRequestAgain, runRequestWithModel } = commandIds;
    const asked = async (...given: Parameters<typeof run>) => {
      const { asked: questions, result } = await answering('Send', () => run(...given));
      return [questions, result];
    };
    assert.deepEqual(await asked(runRequestAgain), [[], ['two']]);
    assert.deepEqual(await asked(runRequestWithModel, { selected: 'maker/other' }), [[], ['service']]);
    const toOne = ['Send this request to one.test?'];
    assert.deepEqual(await asked(runRequestWithModel, { offered: 'maker/other' }), [toOne, ['service']]);
    change([one, { ...two, baseUrl: 'https://moved.test/v1' }]);
    const toMoved = ['Send this request to moved.test?'];
    assert.deepEqual(await asked(runRequestAgain), [toMoved, ['two']]);
    assert.deepEqual(await asked(runRequestWithModel, { selected: 'two::maker/other' }), [toMoved, ['two']]);
    // It was removed, so the list doesn't name a service.
    change([{ id: 'service', ...one }]);
    assert.deepEqual(await asked(runRequestWithModel, { selected: 'maker/other' }), [toOne, ['service']]);
  });
});

describe('Switch Service', () => {
  const { withProgress } = vscode.window;
  afterEach(() => void Object.assign(vscode.window, { withProgress }));

  it("ends without a question if the user cancels while the service's models are being fetched", async () => {
    const cancel = new vscode.CancellationTokenSource();
    const titles: unknown[] = [];
    Object.assign(vscode.window, {
      withProgress: ({ title }: vscode.ProgressOptions, task: Parameters<typeof withProgress>[1]) => {
        titles.push(title);
        const running = task({ report: () => assert.fail() }, cancel.token);
        cancel.cancel();
        return running;
      },
    });
    const catalog = {
      load: () => Promise.resolve(),
      refresh: ({ signal }: { readonly signal: AbortSignal }) =>
        new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason))),
    };
    await switchService({ id: 'two', name: 'Two' } as never, undefined, {
      models: { catalog: { of: () => catalog }, marks: { load: () => Promise.resolve() } } as never,
      pickModel: assert.fail,
      notifier: { info: assert.fail },
    });
    assert.deepEqual(titles, ['Fetching models from Two…']);
  });
});

/** Runs a request that was sent to the second service again. @returns the services that it was sent to then */
function runningAgain(services: Services) {
  const handlers = new Map<string, (...given: readonly unknown[]) => unknown>();
  const sentTo: string[] = [];
  let picked: string | undefined;
  registerRequestCommands({
    commands: { handle: (id: string, run: (...given: readonly unknown[]) => unknown) => handlers.set(id, run) },
    history: {
      bodies: () => Promise.resolve({ request: sentToTwo }),
      find: () => undefined,
      requests: () => Promise.resolve([]),
    },
    notifier: { info: assert.fail, problem: assert.fail },
    explainer: { problemOfError: assert.ifError },
    services,
    pickModel: () => Promise.resolve(picked),
    service: {
      from: () => ({
        to: (service: string) => ({
          stream: () => {
            sentTo.push(service);
            return [];
          },
        }),
      }),
    },
  } as never);
  const node = { request: { ...logged, service: 'two', model: 'two::maker/one' } };
  return async (command: string, { selected, offered }: { selected?: string; offered?: string } = {}) => {
    picked = selected;
    await handlers.get(command)?.(offered === undefined ? node : { ...node, model: offered });
    return sentTo.splice(0);
  };
}

const logged: LoggedRequest = { id: 'r1', writer: 'w1', pid: 1, at: 1, operation: 'chat', origin: { kind: 'chat' } };
const sentToTwo = {
  method: 'POST',
  url: `${two.baseUrl}/chat/completions`,
  body: { model: 'maker/one', messages: [{ role: 'user', content: 'Hi' }], stream: true },
} as const;

/** Copies a request of a service as code; of the first one without an ID. */
function copiedBy(services: Services): (service: string | undefined) => Promise<string> {
  const handlers = new Map<string, (...given: readonly unknown[]) => unknown>();
  registerRequestCommands({
    commands: { handle: (id: string, run: (...given: readonly unknown[]) => unknown) => handlers.set(id, run) },
    history: { bodies: () => Promise.resolve({ request: sentToTwo }), find: () => undefined },
    notifier: { info: assert.fail, problem: assert.fail },
    explainer: { problemOfError: assert.ifError },
    services,
  } as never);
  return async (service) => {
    const request: LoggedRequest = { ...logged, ...(service !== undefined && { service }) };
    await handlers.get(commandIds.copyRequestAsCurl)?.({ request });
    return vscode.env.clipboard.readText();
  };
}
