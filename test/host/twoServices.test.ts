import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { modelRef } from '../../src/shared/modelRef.ts';
import type { GitRepository } from '../../src/vscode/attachments/sources/gitRepositories.ts';
import { type InferenceService, startInferenceService } from '../service/inferenceService.ts';
import { wavFile } from '../unit/service/sampleFiles.ts';
import { eventually } from './eventually.ts';
import { GitFolder } from './gitFolder.ts';
import { type ShownRow, withShownRows } from './shownRows.ts';
import { clearUserSettings, setUserSettings } from './userSettings.ts';

const keyOfTwo = 'sk-of-the-second-service';

describe('With two services, the one that has the model gets', () => {
  const { showInputBox } = vscode.window;
  let one: InferenceService;
  let two: InferenceService;
  const echo = modelRef('two', 'local/echo');

  before(async () => {
    one = await startInferenceService({ tokensPerSecond: Infinity, videoSeconds: 0 });
    two = await startInferenceService({ tokensPerSecond: Infinity, videoSeconds: 0, apiKey: keyOfTwo });
    process.env['SERVICE_API_KEY'] = one.apiKey;
    await setUserSettings({
      'parlance.services': [
        { name: 'One', baseUrl: one.baseUrl },
        { id: 'two', name: 'Two', baseUrl: two.baseUrl },
      ],
      'parlance.chat.model': 'two/local/echo',
    });
    Object.assign(vscode.window, { showInputBox: () => Promise.resolve(keyOfTwo) });
    await vscode.commands.executeCommand('parlance.setApiKey', { service: 'two' });
    Object.assign(vscode.window, { showInputBox });
    await vscode.commands.executeCommand('parlance.refreshModels');
  });
  after(async () => {
    Object.assign(vscode.window, { showInputBox });
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    delete process.env['SERVICE_API_KEY'];
    await clearUserSettings();
    await Promise.all([one.close(), two.close()]);
  });

  /** Runs it, and returns the models that each service was asked for. */
  async function asked(
    act: () => PromiseLike<unknown>,
  ): Promise<readonly [one: readonly string[], two: readonly string[]]> {
    const from = [one.log().length, two.log().length];
    await act();
    const models = (service: InferenceService, start = 0) => {
      const calls = service.log().slice(start);
      return calls.map(({ model }) => model ?? '');
    };
    // Generated files are fetched without a model.
    return [models(one, from[0]), models(two, from[1]).filter((model) => model !== '')];
  }

  it('a request for its list from its row, and all do if the row of one of the selected ones was forgotten', async () => {
    const lists = () =>
      [one, two].map((service) => service.log().filter(({ path }) => path.endsWith('/v1/models')).length);
    const counts = async (...given: readonly unknown[]) => {
      const before = lists();
      await vscode.commands.executeCommand('parlance.refreshServiceModels', ...given);
      return lists().map((count, at) => count - (before[at] ?? 0));
    };
    const row = { type: 'service', service: 'two' };
    assert.deepEqual(await counts(row, undefined), [0, 1]);
    assert.deepEqual(await counts(row, [row, undefined]), [1, 1]);
    assert.deepEqual(await counts(undefined, undefined), [1, 1]);
  });

  it("a question from VS Code's own chat provider", async () => {
    const [model] = await vscode.lm.selectChatModels({ vendor: 'parlance', id: echo });
    const seen = await asked(async () => {
      const question = [vscode.LanguageModelChatMessage.User('Good morning')];
      const reply = await model?.sendRequest(question, {}, new vscode.CancellationTokenSource().token);
      for await (const part of reply?.text ?? []) assert.ok(part !== undefined);
    });
    assert.deepEqual(seen, [[], ['local/echo']]);
  });

  it('a question to @parlance', async () => {
    await vscode.commands.executeCommand('workbench.action.chat.newChat');
    const modelSelector = { vendor: 'parlance', id: echo };
    const request = { query: '@parlance Good morning', mode: 'ask', blockOnResponse: true, modelSelector };
    const seen = await asked(() => vscode.commands.executeCommand('workbench.action.chat.open', request));
    assert.deepEqual(seen, [[], ['local/echo']]);
  });

  it('an image, a video, and an audio file from the tools for agents, by the names in their own list', async () => {
    const call = async (tool: string, input: object): Promise<string> => {
      const token = new vscode.CancellationTokenSource().token;
      const { content } = await vscode.lm.invokeTool(tool, { input, toolInvocationToken: undefined }, token);
      return content.map((part) => (part instanceof vscode.LanguageModelTextPart ? part.value : '')).join('\n');
    };
    const listed = await call('parlance_list_models', {});
    const named = (end: string) =>
      new RegExp(String.raw`^\S*two\S*${end}(?= )`, 'm').exec(listed)?.[0] ?? assert.fail(listed);
    const image = { prompt: 'A house', model: named('local/image'), width: 32 };
    assert.deepEqual(await asked(() => call('parlance_generate_image', image)), [[], ['local/image']]);
    const video = { prompt: 'A bridge', model: named('local/video'), duration: 1, resolution: '120p' };
    assert.deepEqual(await asked(() => call('parlance_generate_video', video)), [[], ['local/video']]);
    const folder = vscode.workspace.workspaceFolders?.[0]?.uri.fsPath ?? assert.fail('no folder is open');
    await writeFile(join(folder, 'note.wav'), wavFile({ seconds: 2 }));
    const audio = { path: 'note.wav', model: named('local/transcriber') };
    assert.deepEqual(await asked(() => call('parlance_transcribe_audio', audio)), [[], ['local/transcriber']]);
  });

  it('an audio file from Transcribe Audio, with the model that the user selects there', async () => {
    const isOfSecond = ({ model }: ShownRow) => model === 'two::local/transcriber';
    await withShownRows(async (rows) => {
      const folder = vscode.workspace.workspaceFolders?.[0]?.uri ?? assert.fail('no folder is open');
      const uri = vscode.Uri.joinPath(folder, 'note.wav');
      await writeFile(uri.fsPath, wavFile({ seconds: 2 }));
      const seen = await asked(() => vscode.commands.executeCommand('parlance.transcribeAudio', uri));
      assert.deepEqual(seen, [[], ['local/transcriber']]);
      // As the Explorer passes them, with files that have no sound.
      const selected = ['note.wav', 'other.wav', 'bridge.txt'].map((name) => vscode.Uri.joinPath(folder, name));
      await writeFile(selected[1]?.fsPath ?? '', wavFile({ seconds: 1 }));
      const both = await asked(() => vscode.commands.executeCommand('parlance.transcribeAudio', uri, selected));
      assert.deepEqual(both, [[], ['local/transcriber', 'local/transcriber']]);
      await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
      await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
      const labels = rows().flatMap(({ label, model }) =>
        model?.endsWith('local/transcriber') === true ? [label] : [],
      );
      assert.equal(new Set(labels).size, 2, 'which service has it has to be said');
      const inFront = () => vscode.window.activeTextEditor?.document.getText() ?? '';
      await eventually('the first transcript in front', () => /lasts 2\.00 s/.test(inFront()));
      await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
    }, isOfSecond);
  });

  it('each prompt whose file names it', async () => {
    const folder = vscode.workspace.workspaceFolders?.[0]?.uri ?? assert.fail('no folder is open');
    const uri = vscode.Uri.joinPath(folder, 'two.prompt.md');
    const run = async (model: string) => {
      await writeFile(uri.fsPath, `---\nmodel: ${model}\ntarget: beside\n---\nSay something`);
      return asked(() => vscode.commands.executeCommand('parlance.runPromptFile', uri));
    };
    try {
      assert.deepEqual(await run('Two/local/echo'), [[], ['local/echo']]);
      assert.deepEqual(await run('local/echo'), [['local/echo'], []]);
      assert.deepEqual(await run('One/local/echo'), [['local/echo'], []]);
    } finally {
      await vscode.workspace.fs.delete(uri);
    }
  });

  it('the changes for a commit message', async () => {
    const folder = await GitFolder.open();
    try {
      await folder.write('bridge.txt', 'A bridge over the river\n');
      folder.git('add', '.');
      await folder.known();
      const { rootUri }: GitRepository = folder.repository;
      const seen = await asked(() => vscode.commands.executeCommand('parlance.generateCommitMessage', { rootUri }));
      assert.deepEqual(seen, [[], ['local/echo']]);
    } finally {
      await folder.remove();
    }
  });

  it('no mention of its key in the report about all of them', async () => {
    await vscode.commands.executeCommand('parlance.showDiagnostics');
    const text = vscode.window.activeTextEditor?.document.getText() ?? '';
    assert.ok(!text.includes(keyOfTwo) && !text.includes(one.apiKey), text);
    assert.match(text, /service 2/i);
  });
});
