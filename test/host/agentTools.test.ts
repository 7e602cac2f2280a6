import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { ModelCatalogue } from '../../src/core/modelCatalogue.ts';
import { ModelMarks, noMarks } from '../../src/core/modelMarks.ts';
import { registerAgentTools } from '../../src/vscode/agentTools/registerAgentTools.ts';
import { Explainer } from '../../src/vscode/explainer.ts';
import { type InferenceService, startInferenceService } from '../service/inferenceService.ts';
import { wavFile } from '../unit/service/sampleFiles.ts';
import { RequestsHere } from '../unit/vscode/requests/requestsHere.ts';
import { clearUserSettings, setUserSettings } from './userSettings.ts';

const cancellation = () => new vscode.CancellationTokenSource().token;

async function called(name: string, input: object): Promise<readonly unknown[]> {
  const result = await vscode.lm.invokeTool(name, { input, toolInvocationToken: undefined }, cancellation());
  return result.content;
}

function textOf(content: readonly unknown[]): string {
  return content.map((part) => (part instanceof vscode.LanguageModelTextPart ? part.value : '')).join('\n');
}

// VS Code asks nobody for a tool that is called outside of a chat, as here: only what each does is tried.
describe('Tools for agents in VS Code’s own chat', () => {
  let service: InferenceService;

  before(async () => {
    service = await startInferenceService({ tokensPerSecond: Infinity, videoSeconds: 0 });
    process.env['SERVICE_API_KEY'] = service.apiKey;
    await setUserSettings({ 'parlance.service.baseUrl': service.baseUrl });
    // Else another suite’s service is still the catalogue.
    await vscode.commands.executeCommand('parlance.refreshModels');
  });
  after(async () => {
    delete process.env['SERVICE_API_KEY'];
    await clearUserSettings();
    await service.close();
  });

  it('are known to VS Code, with a schema of what each takes', () => {
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

  it('list with each model how fast it was here', async () => {
    const row = async () => /^local\/writer · .*$/m.exec(textOf(await called('parlance_list_models', {})))?.[0] ?? '';
    const token = cancellation();
    await setUserSettings({ 'parlance.chat.model': 'local/writer' });
    const [writer] = await vscode.lm.selectChatModels({ vendor: 'parlance', id: 'local/writer' });
    const question = [vscode.LanguageModelChatMessage.User('Write 40 tokens')];
    const reply = await writer?.sendRequest(question, {}, token);
    for await (const part of reply?.text ?? []) assert.ok(part !== undefined);
    assert.match(await row(), / · [\d.,]+ tok\/s/);
  });

  it('make a video and give its address', async () => {
    const input = { prompt: 'A bridge', duration: 1, resolution: '120p', made_up: 'field' };
    const text = textOf(await called('parlance_generate_video', input));
    const [address] = /http\S+/.exec(text) ?? [];
    assert.equal((await fetch(address ?? '')).headers.get('content-type'), 'video/webm');
    const body = service.log().findLast(({ model }) => model === 'local/video')?.requestBody;
    assert.deepEqual(body, { prompt: 'A bridge', duration: 1, resolution: '120p', model: 'local/video' });
  });

  it('make an image, and keep one that comes as bytes', async () => {
    const content = await called('parlance_generate_image', {
      prompt: 'A house',
      model: 'local/image-bytes',
      width: 32,
    });
    const picture = content.find((part) => part instanceof vscode.LanguageModelDataPart);
    assert.ok(picture instanceof vscode.LanguageModelDataPart);
    assert.equal(picture.mimeType, 'image/png');
    const [, path] = /: (.+)$/m.exec(textOf(content)) ?? [];
    assert.deepEqual(await vscode.workspace.fs.readFile(vscode.Uri.file(path ?? '')), picture.data);
  });

  it('transcribe a recording of the workspace, and nothing from elsewhere or of another kind', async () => {
    const folder = vscode.workspace.workspaceFolders?.[0]?.uri.fsPath ?? assert.fail('no folder is open');
    await writeFile(join(folder, 'note.wav'), wavFile({ seconds: 2 }));
    assert.match(textOf(await called('parlance_transcribe_audio', { path: 'note.wav' })), /lasts 2\.00 s/);
    const earlier = service.log().length;
    for (const path of ['../secret.wav', '/etc/passwd', 'package.json', 'missing.wav', 'a/../../secret.wav']) {
      await assert.rejects(called('parlance_transcribe_audio', { path }), path);
    }
    assert.equal(service.log().length, earlier);
  });

  it('fail in words that say what to do', async () => {
    await assert.rejects(called('parlance_generate_image', { prompt: 'A house', model: 'local/none' }), /model/i);
  });
});

describe('The question of a tool in VS Code’s own chat', () => {
  let here: RequestsHere;
  before(async () => {
    here = await RequestsHere.start();
  });
  after(() => here.stop());

  function open() {
    const { redactor, errors } = here;
    const { calls: service, history } = here.window();
    const address = () => here.service.baseUrl;
    const { host } = new URL(here.service.baseUrl);
    let kept = noMarks;
    const marks = new ModelMarks({
      store: {
        read: () => Promise.resolve(kept),
        change: (_service, change) => Promise.resolve((kept = change(kept))),
      },
      service: address,
    });
    const catalogue = new ModelCatalogue({
      list: (options) => service.listModels(options),
      store: { read: () => Promise.resolve(undefined), write: () => Promise.resolve() },
      service: address,
      now: () => 0,
    });
    const never = new vscode.EventEmitter<never>();
    const refreshAfterMinutes = { value: 0, onDidChange: never.event };
    const explainer = new Explainer({
      endpoint: { host, keySource: 'stored' },
      pages: () => ({}),
      redactor,
      log: { error: (_what, error) => void errors.push(error) },
      closestModels: () => [],
    });
    const tools = registerAgentTools({
      service,
      history,
      models: { catalogue, marks, measured: history, refreshAfterMinutes },
      endpoint: { host },
      explainer,
      settings: { mediaApi: { value: 'native', onDidChange: never.event } },
      storageUri: vscode.Uri.file(here.folder),
    });
    return { tools, marks, host };
  }

  it('says all that was asked for, and what it comes to', async () => {
    const { tools, host } = open();
    const tool = tools.get('parlance_generate_video') ?? assert.fail('no tool');
    const image = `https://pictures.test/${'a'.repeat(400)}.png`;
    const input = { prompt: 'word '.repeat(500), duration: 5, resolution: '720p', fps: 24, image };
    const prepared = await tool.prepareInvocation?.({ input }, cancellation());
    const message = prepared?.confirmationMessages?.message;
    assert.ok(message instanceof vscode.MarkdownString);
    const words = message.value.replaceAll('\\', '');
    for (const part of [`local/video at ${host}`, image, '5 s · 720p · 24 fps', '≈ 0.1,', 'second 0.01']) {
      assert.ok(words.includes(part), `${part}: ${words}`);
    }
  });

  it('names the model that runs, whatever is the usual one by then', async () => {
    const { tools, marks } = open();
    const tool = tools.get('parlance_generate_image') ?? assert.fail('no tool');
    const input = { prompt: 'A house' };
    const run = async () => {
      await tool.invoke({ input, toolInvocationToken: undefined }, cancellation());
      return here.service.log().at(-1)?.model;
    };
    await tool.prepareInvocation?.({ input }, cancellation());
    await marks.setFavourite('local/image-base64', true);
    assert.equal(await run(), 'local/image');
    assert.equal(await run(), 'local/image-base64');
  });
});
