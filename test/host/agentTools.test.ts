import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { type InferenceService, startInferenceService } from '../service/inferenceService.ts';
import { wavFile } from '../unit/service/sampleFiles.ts';
import { clearUserSettings, setUserSettings } from './userSettings.ts';

const cancellation = () => new vscode.CancellationTokenSource().token;

async function called(name: string, input: object): Promise<readonly unknown[]> {
  const result = await vscode.lm.invokeTool(name, { input, toolInvocationToken: undefined }, cancellation());
  return result.content;
}

function textOf(content: readonly unknown[]): string {
  return content.map((part) => (part instanceof vscode.LanguageModelTextPart ? part.value : '')).join('\n');
}

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

  // VS Code refuses all dialogs while it runs tests.
  const paid: readonly (readonly [string, object])[] = [
    ['parlance_generate_video', { prompt: 'A bridge' }],
    ['parlance_generate_image', { prompt: 'A house' }],
    ['parlance_transcribe_audio', { path: 'note.wav' }],
  ];
  for (const [name, input] of paid) {
    it(`send nothing before the person was asked: ${name}`, async () => {
      const folder = vscode.workspace.workspaceFolders?.[0]?.uri.fsPath ?? assert.fail('no folder is open');
      await writeFile(join(folder, 'note.wav'), wavFile({ seconds: 2 }));
      const earlier = service.log().length;
      await assert.rejects(called(name, input), /dialog/);
      assert.equal(service.log().length, earlier);
    });
  }

  it('send no file from outside of the workspace, nor one that is no recording, and do not even ask', async () => {
    for (const path of ['../secret.wav', '/etc/passwd', 'package.json', 'missing.wav', 'a/../../secret.wav']) {
      await assert.rejects(
        called('parlance_transcribe_audio', { path }),
        /not in a folder|no file|not a recording/,
        path,
      );
    }
  });
});
