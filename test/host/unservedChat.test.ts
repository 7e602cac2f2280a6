import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { modelRef } from '../../src/shared/modelRef.ts';
import { transcribeAudio } from '../../src/vscode/media/transcribeAudio.ts';
import { type InferenceService, startInferenceService } from '../service/inferenceService.ts';
import { json, type RawServer, startRawServer } from '../unit/api/rawServer.ts';
import { eventually } from './eventually.ts';
import { GitFolder } from './gitFolder.ts';
import { withShownRows } from './shownRows.ts';
import { clearUserSettings, setUserSettings } from './userSettings.ts';
import { setSelection } from './setSelection.ts';

const named = "Painter doesn't support this: Chat";
const brush = modelRef('painter', 'brush');
const pastel = modelRef('painter', 'pastel');
const canvas = modelRef('painter', 'canvas');

/** A service with a model list and nothing else. */
describe("With a service that doesn't support it, a request is refused before anything is typed, and another service is offered", function () {
  const { showWarningMessage, createQuickPick, createWebviewPanel, showOpenDialog, showQuickPick } = vscode.window;
  let painter: RawServer;
  let hosted: InferenceService;
  /** The dialogs, and the answer to each. */
  let dialogs: { readonly question: string; readonly detail: string; readonly buttons: readonly string[] }[] = [];
  let answer: string | undefined;

  before(async () => {
    painter = await startRawServer((socket, { target, method }) => {
      const isList = target === '/v1/models' && method === 'GET';
      const body = isList
        ? {
            data: [
              { id: 'brush', type: 'chat' },
              { id: 'pastel', type: 'chat' },
              { id: 'canvas', type: 'image' },
            ],
          }
        : { error: { message: 'no such path' } };
      socket.write(json(isList ? 200 : 404, body));
    });
    hosted = await startInferenceService({ tokensPerSecond: Infinity });
    process.env['SERVICE_API_KEY'] = hosted.apiKey;
    await setUserSettings({
      'parlance.services': [
        { name: 'Hosted', baseUrl: hosted.baseUrl },
        { id: 'painter', name: 'Painter', baseUrl: `${painter.origin}/v1` },
      ],
      'parlance.chat.model': 'painter/brush',
    });
    Object.assign(vscode.window, {
      showWarningMessage: (question: string, options: unknown, ...buttons: readonly string[]) => {
        if (typeof options !== 'object') return Promise.resolve(undefined);
        dialogs.push({ question, detail: String(Object(options).detail), buttons });
        return Promise.resolve(answer);
      },
    });
    // The test's chat fails, and Parlance finds out what else the service supports.
    const { showInputBox } = vscode.window;
    Object.assign(vscode.window, { showInputBox: () => Promise.resolve('sk-of-the-painter') });
    await vscode.commands.executeCommand('parlance.setApiKey', { service: 'painter' });
    Object.assign(vscode.window, { showInputBox });
    await vscode.commands.executeCommand('parlance.refreshModels');
    await vscode.commands.executeCommand('parlance.testConnection', { service: 'painter' });
  });
  beforeEach(() => {
    dialogs = [];
    answer = undefined;
  });
  after(async () => {
    Object.assign(vscode.window, { showWarningMessage, createQuickPick, showQuickPick });
    await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    delete process.env['SERVICE_API_KEY'];
    await clearUserSettings();
    await Promise.all([painter.close(), hosted.close()]);
  });

  /** How many chats each service was sent during this. */
  async function chats(act: () => PromiseLike<unknown>): Promise<readonly [painter: number, hosted: number]> {
    const count = () => [
      painter.requests.filter(({ target }) => target.includes('chat')).length,
      hosted.log().filter(({ kind }) => kind === 'chat').length,
    ];
    const [before = 0, hostedBefore = 0] = count();
    await act();
    const [now = 0, hostedNow = 0] = count();
    return [now - before, hostedNow - hostedBefore];
  }

  function assertAsked(question = named, settings = /doesn't have this path.*baseUrl, chatApi/): void {
    assert.deepEqual(
      dialogs.map((dialog) => dialog.question),
      [question],
    );
    assert.match(dialogs[0]?.detail ?? '', settings);
    assert.deepEqual(dialogs[0]?.buttons, ['Use Hosted', 'Show Service', 'Continue Anyway']);
  }

  /** The first message to the page that this opens; undefined if it opens none. */
  async function snapshotOf(open: () => PromiseLike<unknown>): Promise<string | undefined> {
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    const fromPage = new vscode.EventEmitter<unknown>();
    const posted: unknown[] = [];
    let panel = undefined as vscode.WebviewPanel | undefined;
    Object.assign(vscode.window, {
      createWebviewPanel: (...given: Parameters<typeof createWebviewPanel>) => {
        const real = createWebviewPanel(...given);
        panel = real;
        const webview = standingFor(real.webview, {
          onDidReceiveMessage: fromPage.event,
          postMessage: (message: unknown) => {
            posted.push(message);
            return Promise.resolve(true);
          },
        });
        return standingFor(real, { webview });
      },
    });
    try {
      await open();
      if (panel === undefined) return undefined;
      fromPage.fire({ type: 'ready' });
      const snapshot = () =>
        posted.map((message) => JSON.stringify(message)).find((text) => text.includes('"snapshot"'));
      await eventually('the page', () => snapshot() !== undefined);
      return snapshot();
    } finally {
      panel?.dispose();
      Object.assign(vscode.window, { createWebviewPanel });
    }
  }

  async function select(): Promise<void> {
    const document = await vscode.workspace.openTextDocument({ content: 'const a = 1;\n', language: 'typescript' });
    const editor = await vscode.window.showTextDocument(document);
    await setSelection(editor, new vscode.Selection(0, 0, 0, 12));
  }

  it('by a commit message', async () => {
    const folder = await GitFolder.open();
    try {
      await folder.write('bridge.txt', 'A bridge over the river\n');
      folder.git('add', '.');
      await folder.known();
      const { rootUri } = folder.repository;
      const write = () => vscode.commands.executeCommand('parlance.generateCommitMessage', { rootUri });
      assert.deepEqual(await chats(write), [0, 0]);
      assertAsked();
      answer = 'Use Hosted';
      assert.deepEqual(await chats(write), [0, 1]);
      assert.notEqual(folder.repository.inputBox.value, '');
    } finally {
      await folder.remove();
    }
  });

  it('by a prompt about the selection', async () => {
    await select();
    const explain = () => vscode.commands.executeCommand('parlance.explainSelection', { target: 'beside' });
    assert.deepEqual(await chats(explain), [0, 0]);
    assertAsked();
    await select();
    answer = 'Use Hosted';
    assert.deepEqual(await chats(explain), [0, 1]);
    await select();
    answer = 'Continue Anyway';
    assert.deepEqual(await chats(explain), [1, 0]);
  });

  it('by a prompt that asks for something first, before it asks', async () => {
    await select();
    let lists = 0;
    Object.assign(vscode.window, {
      createQuickPick: () => {
        lists += 1;
        return createQuickPick();
      },
    });
    try {
      assert.deepEqual(
        await chats(() => vscode.commands.executeCommand('parlance.translateText', { target: 'beside' })),
        [0, 0],
      );
      assertAsked();
      assert.equal(lists, 0);
    } finally {
      Object.assign(vscode.window, { createQuickPick });
    }
  });

  it('by a prompt that is compared and names its model as people write it', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'parlance-compared-'));
    try {
      const file = join(folder, 'compared.prompt.md');
      await writeFile(file, '---\ntarget: compare\nmodel: painter/pastel\n---\nHello');
      const run = () => vscode.commands.executeCommand('parlance.runPromptFile', vscode.Uri.file(file));
      await withShownRows(
        async () => assert.deepEqual(await chats(run), [0, 0]),
        (row) => row.model === 'local/echo',
      );
      assertAsked();
    } finally {
      await rm(folder, { recursive: true });
    }
  });

  it('by Compare Models, whose columns say so too, and once for several models', async () => {
    const compare = (...models: readonly string[]) =>
      snapshotOf(() => vscode.commands.executeCommand('parlance.compareModels', models.length > 0 ? { models } : {}));
    const placesIn = (snapshot: string | undefined) => snapshot?.match(/"place":"[^"]*"/g) ?? [];
    assert.equal(await compare(brush, 'local/echo'), undefined);
    assertAsked();
    answer = 'Use Hosted';
    dialogs = [];
    const used = await compare(brush, pastel, 'local/echo');
    assertAsked();
    assert.match(used ?? '', /"model":"local\/echo"/);
    assert.ok(placesIn(used).length > 1 && !placesIn(used).some((place) => place.includes(named)), used);
    answer = 'Continue Anyway';
    dialogs = [];
    const kept = await compare(brush, 'local/echo', pastel);
    assertAsked();
    assert.deepEqual(
      placesIn(kept).map((place) => place.includes(named)),
      [true, false, true],
    );
    answer = 'Use Hosted';
    dialogs = [];
    const usual = await compare();
    assertAsked();
    assert.deepEqual(
      placesIn(usual).map((place) => place.includes(named)),
      [false, false],
    );
  });

  it('by Measure Models, for the models of a row and for those used last time', async () => {
    const measure = (...given: readonly unknown[]) =>
      snapshotOf(() => vscode.commands.executeCommand('parlance.measureModels', ...given));
    assert.equal(await measure({ model: brush }), undefined);
    assertAsked();
    answer = 'Continue Anyway';
    assert.match((await measure({ model: brush })) ?? '', /"models":\[{"id":"painter::brush"}\]/);
    answer = undefined;
    dialogs = [];
    assert.equal(await measure(), undefined);
    assertAsked();
    answer = 'Use Hosted';
    assert.match((await measure()) ?? '', /"models":\[{"id":"(?!painter)[^"]+"}\]/);
  });

  it('by the form for an image, which says so about its model', async () => {
    const generate = () =>
      snapshotOf(() => vscode.commands.executeCommand('parlance.generateImage', { model: canvas }));
    const missing = "Painter doesn't support this: Image generation";
    assert.equal(await generate(), undefined);
    assertAsked(missing, /doesn't have this path.*nativeUrl, nativeSegment, mediaApi/);
    answer = 'Use Hosted';
    assert.match((await generate()) ?? '', /"model":"Hosted\/local\/image"/);
    answer = 'Continue Anyway';
    const kept = (await generate()) ?? '';
    assert.match(kept, /"model":"Painter\/canvas"/);
    assert.ok(kept.includes(`"lack":"${missing}"`), kept);
  });

  it('with a button that shows what that service supports, without asking which service', async () => {
    const questions: unknown[] = [];
    const ask = (rows: unknown) => Promise.resolve(void questions.push(rows));
    Object.assign(vscode.window, { showQuickPick: ask });
    answer = 'Show Service';
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    await vscode.commands.executeCommand('parlance.generateImage', { model: canvas });
    assert.deepEqual(questions, []);
    Object.assign(vscode.window, { showQuickPick });
    const tabs = () => vscode.window.tabGroups.all.flatMap((group) => group.tabs.map(({ label }) => label));
    await eventually('the page about the service', () => tabs().join() === 'Painter');
  });

  it('by Select Model, in the rows of its models', async () => {
    await withShownRows(async (rows, hide) => {
      const selected = vscode.commands.executeCommand('parlance.selectModel');
      const of = (model: string) => rows().find((row) => row.model === model)?.description ?? '';
      await eventually('the note in the row', () => of(brush).includes('not supported by the service'));
      assert.ok(!of('local/echo').includes('not supported'), of('local/echo'));
      hide();
      await selected;
    });
  });

  it('by the tools of agents, before the user is asked to confirm anything', async () => {
    const call = (model: string) => {
      const input = { prompt: 'A house', model };
      const token = new vscode.CancellationTokenSource().token;
      return vscode.lm.invokeTool('parlance_generate_image', { input, toolInvocationToken: undefined }, token);
    };
    const refusal =
      /Painter doesn't support this: Image generation\n.*nativeSegment, mediaApi\nUse another model: local\/image/;
    const before = painter.requests.length;
    await assert.rejects(async () => call('Painter/canvas'), refusal);
    assert.equal(painter.requests.length, before);
    assert.deepEqual(dialogs, []);
  });

  it('by a transcription, before a file is selected', async () => {
    const never = () => assert.fail('nobody should be asked');
    Object.assign(vscode.window, { showOpenDialog: never });
    try {
      await transcribeAudio([], {
        startWith: () => Promise.resolve(undefined),
        memory: { get: () => undefined, update: never },
        serviceFor: never,
        explainer: { problemOfError: never, context: never },
        notifier: { info: never, error: never, problem: never },
        pickModel: never,
        checkSetup: never,
        hasSeveralServices: () => false,
        asksForTimes: never,
      });
    } finally {
      Object.assign(vscode.window, { showOpenDialog });
    }
  });

  it('by @parlance, which has no place to say so before a question, and sends nothing', async () => {
    await vscode.commands.executeCommand('workbench.action.chat.newChat');
    const [model] = await vscode.lm.selectChatModels({ vendor: 'parlance', id: 'painter::brush' });
    assert.ok(model);
    const modelSelector = { vendor: 'parlance', id: model.id };
    const request = { query: '@parlance Good morning', mode: 'ask', blockOnResponse: true, modelSelector };
    let told: unknown;
    const seen = await chats(async () => {
      told = await vscode.commands.executeCommand('workbench.action.chat.open', request);
    });
    assert.deepEqual(seen, [0, 0]);
    assert.match(JSON.stringify(told).replaceAll('\\', ''), /"Painter doesn't support this: Chat/);
  });
});

/** The same, apart from these. */
function standingFor<T extends object>(real: T, others: Readonly<Record<string, unknown>>): T {
  return new Proxy(real, {
    get(target, name): unknown {
      if (typeof name === 'string' && Object.hasOwn(others, name)) return others[name];
      const value: unknown = Reflect.get(target, name, target);
      return typeof value === 'function' ? value.bind(target) : value;
    },
    set: (target, name, value) => Reflect.set(target, name, value, target),
  });
}
