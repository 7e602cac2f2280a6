import assert from 'node:assert/strict';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import * as vscode from 'vscode';
import { refParts } from '../../src/shared/modelRef.ts';
import { AllMarks } from '../../src/core/models/allMarks.ts';
import { ModelCatalog } from '../../src/core/models/modelCatalog.ts';
import { ModelCatalogs } from '../../src/core/models/modelCatalogs.ts';
import { ModelMarks, noMarks } from '../../src/core/models/modelMarks.ts';
import { type AgentToolsDeps, registerAgentTools } from '../../src/vscode/agentTools/registerAgentTools.ts';
import { Explainer } from '../../src/vscode/problems/explainer.ts';
import { makeMedia, type MediaMaker } from '../../src/vscode/media/makeMedia.ts';
import { MediaGallery } from '../../src/vscode/media/mediaGallery.ts';
import { type InferenceService, startInferenceService } from '../service/inferenceService.ts';
import { wavFile } from '../unit/service/sampleFiles.ts';
import { RequestsHere } from '../unit/vscode/requests/requestsHere.ts';
import { clearUserSettings, setUserSettings } from './userSettings.ts';
import { listModels } from '../../src/api/operations/listModels.ts';

const cancellation = () => new vscode.CancellationTokenSource().token;

async function called(name: string, input: object): Promise<readonly unknown[]> {
  const result = await vscode.lm.invokeTool(name, { input, toolInvocationToken: undefined }, cancellation());
  return result.content;
}

function textOf(content: readonly unknown[]): string {
  return content.map((part) => (part instanceof vscode.LanguageModelTextPart ? part.value : '')).join('\n');
}

// VS Code asks for no confirmation of a tool that is called outside a chat, as here: only what each tool does is
// tested.
describe("Tools for agents in VS Code's own chat", () => {
  let service: InferenceService;

  before(async () => {
    service = await startInferenceService({ tokensPerSecond: Infinity, videoSeconds: 0 });
    process.env['SERVICE_API_KEY'] = service.apiKey;
    await setUserSettings({ 'parlance.services': [{ baseUrl: service.baseUrl }] });
    // Or another suite's service would still provide the catalog.
    await vscode.commands.executeCommand('parlance.refreshModels');
  });
  after(async () => {
    delete process.env['SERVICE_API_KEY'];
    await clearUserSettings();
    await service.close();
  });

  it('are known to VS Code, with a schema of their input', () => {
    const tools = vscode.lm.tools.filter(({ name }) => name.startsWith('parlance_'));
    assert.deepEqual(tools.map(({ name }) => name).toSorted(), [
      'parlance_generate_image',
      'parlance_generate_video',
      'parlance_list_models',
      'parlance_transcribe_audio',
    ]);
    for (const { name, description, inputSchema } of tools) {
      assert.ok(description.length > 50, name);
      assert.ok(inputSchema !== undefined, name);
    }
  });

  it('list the models, all or of one kind', async () => {
    const all = textOf(await called('parlance_list_models', {}));
    assert.match(all, /^40 models/);
    assert.match(all, /^local\/writer · chat/m);
    const videos = textOf(await called('parlance_list_models', { kind: 'video' }));
    assert.match(videos, /^local\/video · video/m);
    assert.ok(!videos.includes('local/writer'));
  });

  it('list each model with its measured speed', async () => {
    const row = async () => /^local\/writer · .*$/m.exec(textOf(await called('parlance_list_models', {})))?.[0] ?? '';
    const token = cancellation();
    await setUserSettings({ 'parlance.chat.model': 'local/writer' });
    const [writer] = await vscode.lm.selectChatModels({ vendor: 'parlance', id: 'local/writer' });
    const question = [vscode.LanguageModelChatMessage.User('Write 40 tokens')];
    const reply = await writer?.sendRequest(question, {}, token);
    for await (const part of reply?.text ?? []) assert.ok(part !== undefined);
    assert.match(await row(), /[\d.,]+ tok\/s · /);
  });

  it('generate a video, keep it in Media, and return its location', async () => {
    const input = { prompt: 'A bridge', duration: 1, resolution: '120p', made_up: 'field' };
    const text = textOf(await called('parlance_generate_video', input));
    const [, path = '', address = ''] = /: (\/\S+) · (http\S+)$/.exec(text) ?? assert.fail(text);
    const served = await fetch(address);
    assert.equal(served.headers.get('content-type'), 'video/webm');
    assert.ok((await readFile(path)).equals(Buffer.from(await served.arrayBuffer())));
    assert.match(
      await readFile(join(dirname(path), '../runs.jsonl'), 'utf8'),
      /"type":"started",.*"prompt":"A bridge"/,
    );
    const body = service.log().findLast(({ model }) => model === 'local/video')?.requestBody;
    assert.deepEqual(body, { prompt: 'A bridge', duration: 1, resolution: '120p', model: 'local/video' });
  });

  for (const model of ['local/image', 'local/image-bytes'])
    it(`generate an image with ${model} and show it to the agent`, async () => {
      const content = await called('parlance_generate_image', { prompt: 'A house', model, width: 32 });
      const picture = content.find((part) => part instanceof vscode.LanguageModelDataPart);
      assert.ok(picture instanceof vscode.LanguageModelDataPart);
      assert.equal(picture.mimeType, 'image/png');
      const [, path] = /: (\/\S+)/.exec(textOf(content)) ?? [];
      assert.deepEqual(await vscode.workspace.fs.readFile(vscode.Uri.file(path ?? '')), picture.data);
    });

  it('transcribe an audio file of the workspace, but no file from elsewhere or of another type', async () => {
    const folder = vscode.workspace.workspaceFolders?.[0]?.uri.fsPath ?? assert.fail('no folder is open');
    await writeFile(join(folder, 'note.wav'), wavFile({ seconds: 2 }));
    assert.match(textOf(await called('parlance_transcribe_audio', { path: 'note.wav' })), /lasts 2\.00 s/);
    const earlier = service.log().length;
    for (const path of ['../secret.wav', '/etc/passwd', 'package.json', 'missing.wav', 'a/../../secret.wav']) {
      await assert.rejects(called('parlance_transcribe_audio', { path }), path);
    }
    assert.equal(service.log().length, earlier);
  });

  it("send nothing that isn't valid, and name what is wrong", async () => {
    const earlier = service.log().length;
    for (const [input, field] of [
      [{}, /"prompt"/],
      [{ prompt: ' ' }, /"prompt"/],
      [{ prompt: 'A bridge', duration: '5' }, /"duration"/],
      [{ prompt: 'A bridge', duration: -5 }, /"duration"/],
      [{ prompt: 'A bridge', image: '/etc/passwd' }, /"image"/],
    ] as const) {
      await assert.rejects(called('parlance_generate_video', input), field);
    }
    await assert.rejects(called('parlance_transcribe_audio', {}), /"path"/);
    assert.equal(service.log().length, earlier);
  });

  it('fail with a message that says what to do', async () => {
    await assert.rejects(called('parlance_generate_image', { prompt: 'A house', model: 'local/none' }), /model/i);
  });
});

describe("The confirmation of a tool in VS Code's own chat", () => {
  let here: RequestsHere;
  before(async () => {
    here = await RequestsHere.start();
  });
  after(() => here.stop());

  /**
   * @param two the list of a second service
   * @param lacking ID of a service that is known to lack the feature
   */
  function open(two?: ModelCatalog, lacking?: string) {
    const { redactor, errors } = here;
    const { calls: service, history } = here.window();
    const address = () => here.service.baseUrl;
    const { host } = new URL(here.service.baseUrl);
    let kept = noMarks;
    const marks = new ModelMarks({
      store: {
        read: () => Promise.resolve(kept),
        follow: () => Promise.resolve(),
        change: (_service, change) => Promise.resolve((kept = change(kept))),
      },
      service: address,
      onError: assert.ifError,
    });
    const catalog = new ModelCatalog({
      id: 'service',
      list: (options) => service.to('service').ask(listModels, options),
      store: { read: () => Promise.resolve(undefined), write: () => Promise.resolve() },
      service: address,
      stated: () => ({}),
      now: () => 0,
    });
    const catalogs = new ModelCatalogs();
    catalogs.set(new Map([['service', catalog], ...(two === undefined ? [] : [['two', two] as const])]));
    const allMarks = new AllMarks();
    allMarks.set(new Map([['service', marks]]));
    const never = new vscode.EventEmitter<never>();
    const refreshAfterMinutes = { value: 0, onDidChange: never.event };
    const explainer = new Explainer({
      main: () => ({ endpoint: { host, keySource: 'stored' }, pages: () => ({}) }),
      redactor,
      log: { error: (_what, error) => void errors.push(error) },
      closestModels: () => [],
    });
    const client = service.from({ kind: 'media' });
    const onUnexpected = (error: unknown) => void errors.push(error);
    const gallery = new MediaGallery({
      folder: join(here.folder, 'media'),
      clientFor: (model) => client.forModel(model),
      downloadsFor: () => here.client(),
      estimate: () => undefined,
      inputsInForms: () => Promise.resolve([]),
      redact: (failure) => failure,
      onUnwritten: onUnexpected,
      onUnexpected,
    });
    const make: MediaMaker['make'] = (parameters, signal) =>
      makeMedia(parameters, { gallery, explainer, checkSetup: () => Promise.resolve(), onUnexpected }, signal);
    const support: AgentToolsDeps['support'] = {
      load: () => Promise.resolve(),
      lacking: () => new Set(lacking === undefined ? [] : [lacking]),
      lackOf: (_ability, model = '') =>
        Promise.resolve(
          refParts(model).service === lacking
            ? { service: lacking, title: 'It lacks this', reason: 'No such path.', offers: [] }
            : undefined,
        ),
    };
    const tools = registerAgentTools({
      service,
      history,
      models: { catalog: catalogs, marks: allMarks, measured: history, refreshAfterMinutes },
      services: { for: () => ({ endpoint: { host } }) },
      support,
      explainer,
      media: () => Promise.resolve({ make, keepPicture: () => assert.fail('no picture was given') }),
    });
    return { tools, marks, host, gallery, catalog };
  }

  const listOfTwo = (list: ConstructorParameters<typeof ModelCatalog>[0]['list']) =>
    new ModelCatalog({
      id: 'two',
      list,
      store: { read: () => Promise.resolve(undefined), write: () => Promise.resolve() },
      service: () => 'https://two.test/v1',
      stated: () => ({}),
      now: () => 0,
    });

  it('belongs to a run in Media, which ends with a stop and stays after a failure', async () => {
    const { tools, gallery } = open();
    const tool = tools.get('parlance_generate_image') ?? assert.fail('no tool');
    const stop = new vscode.CancellationTokenSource();
    const started = gallery.onDidChange(() => stop.cancel());
    const run = (input: object, token: vscode.CancellationToken) =>
      Promise.resolve(tool.invoke({ input, toolInvocationToken: undefined }, token));
    await assert.rejects(run({ prompt: 'A house' }, stop.token), vscode.CancellationError);
    started.dispose();
    await assert.rejects(run({ prompt: 'A barn', model: 'local/none' }, cancellation()), /local\/none/);
    const ends = gallery.runs().map(({ parameters, outcome }) => [parameters.prompt, outcome]);
    assert.deepEqual(Object.fromEntries(ends), { 'A house': 'stopped', 'A barn': 'failed' });
  });

  it('lists everything that was requested, and its cost', async () => {
    const { tools, host } = open();
    const tool = tools.get('parlance_generate_video') ?? assert.fail('no tool');
    const image = `https://pictures.test/${'a'.repeat(400)}.png`;
    const input = { prompt: 'word '.repeat(500), duration: 5, resolution: '720p', fps: 24, image };
    const prepared = await tool.prepareInvocation?.({ input }, cancellation());
    const message = prepared?.confirmationMessages?.message;
    assert.ok(message instanceof vscode.MarkdownString);
    const words = message.value.replaceAll('\\', '');
    for (const part of [
      `local/video at ${host}`,
      image,
      '5 s · 720p · 24 fps',
      '≈ 0.10 at list price',
      '0.01 per second',
    ]) {
      assert.ok(words.includes(part), `${part}: ${words}`);
    }
  });

  it('shows where an audio file is', async () => {
    const { tools } = open();
    const folder = vscode.workspace.workspaceFolders?.[0]?.uri.fsPath ?? assert.fail('no folder is open');
    await mkdir(join(folder, 'private'), { recursive: true });
    await writeFile(join(folder, 'private', 'note.wav'), wavFile({ seconds: 1 }));
    const tool = tools.get('parlance_transcribe_audio') ?? assert.fail('no tool');
    const prepared = await tool.prepareInvocation?.({ input: { path: 'private/note.wav' } }, cancellation());
    const message = prepared?.confirmationMessages?.message;
    assert.ok(message instanceof vscode.MarkdownString);
    assert.ok(message.value.replaceAll('\\', '').includes('private/note.wav, '), message.value);
  });

  it("doesn't wait for a silent service if its model belongs to another one", async () => {
    let asked = 0;
    const silent = listOfTwo(() => {
      asked += 1;
      return new Promise(() => undefined);
    });
    const { tools } = open(silent);
    const tool = tools.get('parlance_generate_image') ?? assert.fail('no tool');
    const input = { prompt: 'A house', model: 'local/image' };
    const prepared = await tool.prepareInvocation?.({ input }, cancellation());
    assert.ok(prepared?.confirmationMessages !== undefined);
    assert.equal(asked, 0);
  });

  it("names a model of a service that might support this, and doesn't appear for a model of one that is known to lack it", async () => {
    const other = listOfTwo(() => Promise.resolve([{ id: 'maker/draw', kind: 'image', raw: {} }]));
    const { tools } = open(other, 'service');
    const tool = tools.get('parlance_generate_image') ?? assert.fail('no tool');
    const prepared = await tool.prepareInvocation?.({ input: { prompt: 'A house' } }, cancellation());
    const message = prepared?.confirmationMessages?.message;
    assert.ok(message instanceof vscode.MarkdownString);
    assert.ok(message.value.replaceAll('\\', '').includes('maker/draw'), message.value);
    const input = { prompt: 'A house', model: 'local/image' };
    const refusal = /It lacks this\nNo such path\./;
    await assert.rejects(async () => tool.prepareInvocation?.({ input }, cancellation()), refusal);
    await assert.rejects(async () => tool.invoke({ input, toolInvocationToken: undefined }, cancellation()), refusal);
    // Every service that lists such a model lacks the feature.
    const video = tools.get('parlance_generate_video') ?? assert.fail('no tool');
    await assert.rejects(async () => video.prepareInvocation?.({ input: { prompt: 'A' } }, cancellation()), refusal);
  });

  it("isn't needed for the list of all models, including those of a service that was never asked", async () => {
    const { tools, catalog } = open(listOfTwo(() => Promise.resolve([{ id: 'maker/new', raw: {} }])));
    await catalog.refresh();
    const tool = tools.get('parlance_list_models') ?? assert.fail('no tool');
    const result = await tool.invoke({ input: {}, toolInvocationToken: undefined }, cancellation());
    assert.match(textOf(result?.content ?? []), /^two\/maker\/new/m);
  });

  it('names the model that will run, even if the default changes in the meantime', async () => {
    const { tools, marks } = open();
    const tool = tools.get('parlance_generate_image') ?? assert.fail('no tool');
    const input = { prompt: 'A house' };
    const run = async () => {
      await tool.invoke({ input, toolInvocationToken: undefined }, cancellation());
      return here.service.log().findLast(({ model }) => model !== undefined)?.model;
    };
    await tool.prepareInvocation?.({ input }, cancellation());
    await marks.setFavorite('local/image-base64', true);
    assert.equal(await run(), 'local/image');
    assert.equal(await run(), 'local/image-base64');
  });
});
