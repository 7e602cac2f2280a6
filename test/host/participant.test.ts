import assert from 'node:assert/strict';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { readReference } from '../../src/vscode/participant/readReference.ts';
import { encodePng } from '../service/pictures/encodePng.ts';
import { type InferenceService, startInferenceService } from '../service/inferenceService.ts';
import { eventually } from './eventually.ts';
import { isLowestHost } from './lowestHost.ts';
import { clearUserSettings, setUserSettings } from './userSettings.ts';

interface SentBody {
  readonly messages?: readonly { readonly role: string; readonly content: string }[];
}

describe('@parlance in VS Code’s own chat', function () {
  this.timeout(60_000);
  let service: InferenceService;
  const tasks = () =>
    vscode.Uri.file(
      join(vscode.workspace.workspaceFolders?.[0]?.uri.fsPath ?? assert.fail('no folder'), 'src/tasks.ts'),
    );
  const bodies = () => service.log().map(({ requestBody }) => requestBody as SentBody);
  const lastWords = () => bodies().at(-1)?.messages?.at(-1)?.content ?? '';

  before(async () => {
    service = await startInferenceService({ tokensPerSecond: Infinity, videoSeconds: 0 });
    process.env['SERVICE_API_KEY'] = service.apiKey;
    await setUserSettings({ 'parlance.service.baseUrl': service.baseUrl, 'parlance.chat.model': 'local/echo' });
    await vscode.commands.executeCommand('parlance.refreshModels');
    // A participant is not asked without a model.
    const [model] = await vscode.lm.selectChatModels({ vendor: 'parlance', id: 'local/echo' });
    assert.ok(model !== undefined);
  });
  beforeEach(() => vscode.commands.executeCommand('workbench.action.chat.newChat'));
  after(async () => {
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    delete process.env['SERVICE_API_KEY'];
    await clearUserSettings();
    await service.close();
  });

  async function ask(query: string, attachFiles: readonly vscode.Uri[] = []): Promise<void> {
    const earlier = service.log().length;
    const result = await told(query, { attachFiles });
    assert.ok(service.log().length > earlier, `${query}: ${JSON.stringify(result)}`);
  }

  async function told(query: string, more: object = {}): Promise<unknown> {
    // The lowest VS Code takes none by itself.
    const modelSelector = { vendor: 'parlance', id: 'local/echo' };
    const request = { query: `@parlance ${query}`, mode: 'ask', blockOnResponse: true, modelSelector, ...more };
    return vscode.commands.executeCommand('workbench.action.chat.open', request);
  }

  it('answers with the model that was picked there', async () => {
    await ask('Good morning');
    const [last] = service.log().slice(-1);
    assert.deepEqual([last?.model, last?.outcome], ['local/echo', 'done']);
    assert.equal(lastWords(), 'Good morning');
  });

  it('knows the turns before', async () => {
    await ask('First words');
    await ask('Second words');
    assert.deepEqual(
      bodies()
        .at(-1)
        ?.messages?.map(({ role, content }) => [role, content]),
      [
        ['user', 'First words'],
        ['assistant', 'First words'],
        ['user', 'Second words'],
      ],
    );
  });

  for (const [command, words] of [
    ['explain', /^Explain this code/],
    ['fix', /^Find what is wrong/],
    ['tests', /^Write tests/],
  ] as const) {
    it(`/${command} sends the selection, and nothing else of the file`, async () => {
      const editor = await vscode.window.showTextDocument(tasks());
      editor.selection = new vscode.Selection(0, 0, 3, 1);
      await ask(`/${command}`);
      assert.match(lastWords(), words);
      assert.match(lastWords(), /src\/tasks\.ts\n```typescript\nexport interface Task/);
      assert.ok(!lastWords().includes('removeDone'));
    });
  }

  it('/explain sends an attached file whole', async () => {
    await ask('/explain', [tasks()]);
    assert.match(lastWords(), /export interface Task[^]*removeDone/);
  });

  it('keeps the code of earlier turns, and writes tests for it, whatever is selected by then', async () => {
    const editor = await vscode.window.showTextDocument(tasks());
    editor.selection = new vscode.Selection(0, 0, 3, 1);
    await ask('/explain');
    const explained = lastWords();
    const { document } = editor;
    editor.selection = new vscode.Selection(4, 0, document.lineCount, 0);
    await ask('/tests It is about the code above.');
    const [first, , last] = bodies().at(-1)?.messages ?? [];
    assert.equal(first?.content, explained);
    assert.match(last?.content ?? '', /^Write tests .*\n\nIt is about the code above\.$/);
  });

  it('names what cannot be read, and answers all the same', async () => {
    const binary = vscode.Uri.joinPath(tasks(), '../../sound.bin');
    await vscode.workspace.fs.writeFile(binary, new Uint8Array(600));
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    await ask('What are these?', [binary, tasks()]);
    assert.match(lastWords(), /^What are these\?\n\nsrc\/tasks\.ts\n/);
    // What was said of it is in the conversation.
    await ask('And now?');
    assert.match(bodies().at(-1)?.messages?.[1]?.content ?? '', /^\*Not sent, .*sound\\?\.bin\*\n/);
  });

  it('sends an attached picture, also with the turns after', async () => {
    // VS Code reads a file with a picture's ending itself, and the command does not wait for that.
    const png = vscode.Uri.joinPath(tasks(), '../../dot.picture');
    await vscode.workspace.fs.writeFile(png, await encodePng(5, 4, new Uint8Array(5 * 4 * 3)));
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    await setUserSettings({ 'parlance.chat.model': 'local/vision' });
    const modelSelector = { vendor: 'parlance', id: 'local/vision' };
    try {
      await told('What is it?', { attachFiles: [png], modelSelector });
      await told('And its size?', { modelSelector });
    } finally {
      await setUserSettings({ 'parlance.chat.model': 'local/echo' });
    }
    const [first, reply, last] = bodies().at(-1)?.messages ?? [];
    assert.match(JSON.stringify(first?.content), /"What is it\?".*"data:image\/png;base64,/);
    assert.match(reply?.content ?? '', /^Picture 1: PNG, 5 × 4 pixels/);
    assert.equal(last?.content, 'And its size?');
  });

  it('takes a pasted picture, and names one that is none', async () => {
    const png = await encodePng(5, 4, new Uint8Array(5 * 4 * 3));
    const pasted = (bytes: Uint8Array) => ({ id: 'pasted', value: { data: async () => bytes } });
    const taken = await readReference(pasted(png));
    assert.match(JSON.stringify(taken), /^{"kind":"picture",.*"data:image\/png;base64,/);
    assert.deepEqual(await readReference(pasted(png.subarray(8))), { kind: 'unreadable', name: 'pasted' });
  });

  it('/video and /image make one with a model of the catalogue', async () => {
    await ask('/video A bridge at dawn');
    assert.deepEqual(bodies().at(-1), { model: 'local/video', prompt: 'A bridge at dawn' });
    await ask('/image A lighthouse');
    assert.deepEqual(bodies().at(-1), { model: 'local/image', positive_prompt: 'A lighthouse' });
  });

  // The last: VS Code has no command that takes a service out of its list again.
  it('asks the service whose model was picked, also where another has a model of the same id', async function () {
    // It has no such list yet.
    if (isLowestHost) this.skip();
    await using cleanup = new AsyncDisposableStack();
    const started = startInferenceService({ apiKey: 'another-key-0000', tokensPerSecond: Infinity });
    const other = cleanup.adopt(await started, (each) => each.close());
    await vscode.commands.executeCommand('lm.addLanguageModelsProviderGroup', {
      vendor: 'parlance',
      name: 'Other',
      baseUrl: other.baseUrl,
      apiKey: other.apiKey,
    });
    const { host } = new URL(other.baseUrl);
    let versions: readonly string[] = [];
    const look = async () => {
      const models = await vscode.lm.selectChatModels({ vendor: 'parlance', id: 'local/echo' });
      versions = models.map(({ version }) => version);
    };
    await eventually('both services offer it', () => {
      void look();
      return versions.length === 2;
    });
    const ofOther = versions.find((version) => version.includes(host)) ?? assert.fail(versions.join(' '));
    const earlier = service.log().length;
    const sent = () => [service.log().length - earlier, other.log().filter(({ model }) => model !== undefined).length];
    await told('To the other', { modelSelector: { vendor: 'parlance', version: ofOther } });
    assert.deepEqual(sent(), [0, 1]);
    await told('To the own', { modelSelector: { vendor: 'parlance', version: 'local/echo' } });
    assert.deepEqual(sent(), [1, 1]);
  });
});
