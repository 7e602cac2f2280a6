import { registerHooks } from 'node:module';
import { chatCompletion } from '../../../src/api/operations/chatCompletion.ts';
import { FactsInMemory } from '../../../src/api/service/serviceFacts.ts';
import { ModelIndex } from '../../../src/core/models/modelIndex.ts';
import { modelRef, refParts, type ModelRef } from '../../../src/shared/modelRef.ts';
import { LateClient } from '../../../src/vscode/service/lateClient.ts';
import { ServiceClients } from '../../../src/vscode/service/serviceClients.ts';
import { useServiceNames } from '../../../src/words/modelLabel.ts';
import { startInferenceService } from '../../service/inferenceService.ts';
import { figure, ratios, type RowSet, takeTurns } from '../figure.ts';

const services = 20;
const modelsOfEach = 2000;
const goalMs = 100;
const chats = 200;
/** Within the normal variation of such a ratio. */
const noMore = 1.05;

export const serviceRows: RowSet = {
  name: 'services',
  title: `Several services: ${services} with ${modelsOfEach.toLocaleString('en')} models each`,
  method:
    'Select Model… from its call until VS Code has the rows, and after a key press: CPU time of its thread, ' +
    `in Node with a stub for VS Code, so without VS Code's own drawing. Then ${chats} short chats, one after ` +
    'another, that alternate between two models, of one service or of two, each a real one over loopback: CPU ' +
    'time of the process with the services. A ratio is taken within each round.',
  async run({ rounds, say }) {
    say(`${rounds * 3} rounds`);
    const picker = await modelPicker();
    const drawn = await takeTurns(['one', 'all', 'key', 'words'], rounds * 3, (name) => picker.measure(name));
    await using cleanup = new AsyncDisposableStack();
    const talk = await talkingTo(cleanup);
    const times = await takeTurns(['within', 'across'], rounds * 3, (name) => talk(name === 'across'));
    return [
      figure(`Select Model… opens with ${modelsOfEach} models of one service`, drawn.one, 'ms'),
      figure(`Select Model… opens with ${services} × ${modelsOfEach}`, drawn.all, 'ms', goalMs),
      figure('a key that many names have', drawn.key, 'ms', goalMs),
      figure('words that no name has', drawn.words, 'ms'),
      figure('a chat with another model of the same service', times.within, 'ms'),
      figure('a chat with a model of another service', times.across, 'ms'),
      figure('across services, over within one', ratios(times.across, times.within), '×', noMore),
    ];
  },
};

/** The real picker, with a stand-in for VS Code's list. */
async function modelPicker() {
  const stub = `
    const event = () => ({ dispose() {} });
    export class ThemeIcon { constructor(id) { this.id = id; } }
    export class EventEmitter { event = event; fire() {} dispose() {} }
    export const QuickPickItemKind = { Separator: -1, Default: 0 };
    export const commands = {};
    export const l10n = { t: (text, ...values) => text.replace(/\\{(\\d+)\\}/g, (_, at) => String(values[at])) };
    export const window = {
      createQuickPick() {
        const pick = { value: '', items: [], activeItems: [], selectedItems: [], buttons: [], show() {}, dispose() {} };
        const on = (name) => (listener) => { pick['told' + name] = listener; return { dispose() {} }; };
        for (const name of ['DidChangeValue', 'DidAccept', 'DidTriggerButton', 'DidTriggerItemButton', 'DidHide']) pick['on' + name] = on(name);
        globalThis.benchedPick = pick;
        return pick;
      },
    };`;
  const hooks = registerHooks({
    resolve: (name, context, next) =>
      name === 'vscode'
        ? { url: `data:text/javascript,${encodeURIComponent(stub)}`, shortCircuit: true }
        : next(name, context),
  });
  const { pickModel } = await import('../../../src/vscode/models/pickModel.ts');
  hooks.deregister();

  const indices = Array.from({ length: services }, (_, service) => listOf(`s${service}`));
  const index = ModelIndex.joined(indices);
  const names = (count: number) =>
    Object.fromEntries(indices.slice(0, count).map((_, at) => [`s${at}`, `Service ${at}`]));
  const measure = async (name: 'one' | 'all' | 'key' | 'words'): Promise<number> => {
    useServiceNames(names(name === 'one' ? 1 : services));
    const catalog = {
      index: name === 'one' ? indices[0] : index,
      byService: new Map(),
      fetchedAt: Date.now(),
      isRefreshing: false,
      error: undefined,
      onDidChange: () => () => undefined,
      of: () => undefined,
      load: async () => undefined,
      isOlderThan: () => false,
      ensure: async () => undefined,
    };
    const deps = {
      models: {
        catalog,
        marks: {
          load: async () => undefined,
          view: { favorites: [], hidden: new Set(), recent: [] },
          onDidChange: () => () => undefined,
          isFavorite: () => false,
        },
        measured: { figures: () => undefined, load: async () => undefined },
        refreshAfterMinutes: { value: 0 },
        flush: async () => undefined,
      },
      support: () => ({ load: async () => undefined, lacking: () => new Set() }),
    };
    let before = ownTimeMs();
    const choice = pickModel(undefined, deps as never);
    const opened = ownTimeMs() - before;
    const pick: unknown = Reflect.get(globalThis, 'benchedPick');
    const box = pick as { value: string; items: readonly unknown[]; toldDidChangeValue(): void; toldDidHide(): void };
    if (box.items.length < 1000) throw new Error(`${box.items.length} rows were shown`);
    let figured = opened;
    if (name === 'key' || name === 'words') {
      box.value = name === 'key' ? 'm' : 'k context';
      before = ownTimeMs();
      box.toldDidChangeValue();
      figured = ownTimeMs() - before;
      if (box.items.length < 200) throw new Error(`${box.items.length} rows match`);
    }
    box.toldDidHide();
    await choice;
    return figured;
  };
  return { measure };
}

function ownTimeMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}

function listOf(service: string): ModelIndex {
  return new ModelIndex(
    Array.from({ length: modelsOfEach }, (_, at) => ({
      id: modelRef(service, `maker-${at % 40}/model-${at}`),
      contextWindow: 1024 * (1 + (at % 200)),
      inputPricePerMillion: at % 17,
      outputPricePerMillion: at % 31,
      raw: {},
    })),
  );
}

/** Chats that alternate between two models. @returns milliseconds of CPU per chat */
async function talkingTo(cleanup: AsyncDisposableStack): Promise<(isAcross: boolean) => Promise<number>> {
  const settings = () => ({ proxySupport: 'off', proxy: '', noProxy: [], systemCertificates: false, env: {} }) as const;
  const known = new Map<string, { readonly baseUrl: URL; readonly nativeUrl: URL; readonly apiKey: string }>();
  for (const id of ['one', 'two']) {
    const service = await startInferenceService({ tokensPerSecond: Infinity });
    cleanup.defer(() => service.close());
    const { baseUrl, origin, apiKey } = service;
    known.set(id, { baseUrl: new URL(baseUrl), nativeUrl: new URL('/api', origin), apiKey });
  }
  const never = () => ({ dispose: () => undefined });
  const clients = new ServiceClients(
    { find: (id) => ({ id }) as never, onDidChange: never },
    ({ id }) =>
      new LateClient({
        endpoint: async () => known.get(id) ?? Promise.reject(new Error(id)),
        settings,
        firstByteMs: () => undefined,
        facts: Object.assign(new FactsInMemory(), { load: async () => ({ paths: {} }) }),
      }),
  );
  cleanup.defer(() => clients.dispose());
  const chat = async (ref: ModelRef): Promise<void> => {
    const { service, model } = refParts(ref);
    const request = { model, messages: [{ role: 'user' as const, content: 'Hi' }], stream: true };
    let text = '';
    for await (const event of clients.of(service).stream(chatCompletion(request))) {
      if (event.type === 'text') text += event.text;
    }
    if (text === '') throw new Error('The reply is empty');
  };
  return async (isAcross) => {
    const pair = [modelRef('one', 'local/echo'), modelRef(isAcross ? 'two' : 'one', 'tern/mirror-lite')];
    for (const ref of pair) await chat(ref);
    const before = process.cpuUsage();
    for (let sent = 0; sent < chats; sent += 1) await chat(pair[sent % 2] ?? 'local/echo');
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1000 / chats;
  };
}
