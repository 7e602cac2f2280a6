import assert from 'node:assert/strict';
import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { handOut } from '../../src/vscode/participant/handOut.ts';
import { turnMessages } from '../../src/vscode/participant/participantTurn.ts';
import { readReference } from '../../src/vscode/participant/readReference.ts';
import { encodePng } from '../service/pictures/encodePng.ts';
import { type InferenceService, startInferenceService } from '../service/inferenceService.ts';
import { eventually } from './eventually.ts';
import { isLowestHost } from './lowestHost.ts';
import { clearUserSettings, setUserSettings } from './userSettings.ts';
import { withoutHurry } from './withoutHurry.ts';
import { setSelection } from './setSelection.ts';

interface SentBody {
  readonly messages?: readonly { readonly role: string; readonly content: string }[];
}

describe("@parlance in VS Code's own chat", function () {
  let service: InferenceService;
  const tasks = () =>
    vscode.Uri.file(
      join(vscode.workspace.workspaceFolders?.[0]?.uri.fsPath ?? assert.fail('no folder'), 'src/tasks.ts'),
    );
  // Generated files are downloaded too.
  const bodies = () =>
    service.log().flatMap(({ model, requestBody }) => (model === undefined ? [] : [requestBody as SentBody]));
  const lastWords = () => bodies().at(-1)?.messages?.at(-1)?.content ?? '';

  before(async () => {
    service = await startInferenceService({ tokensPerSecond: Infinity, videoSeconds: 0 });
    process.env['SERVICE_API_KEY'] = service.apiKey;
    await setUserSettings({ 'parlance.services': [{ baseUrl: service.baseUrl }], 'parlance.chat.model': 'local/echo' });
    await vscode.commands.executeCommand('parlance.refreshModels');
    // A participant isn't called without a model.
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
    // The lowest VS Code selects none on its own. Another service might have one with the same ID.
    const modelSelector = { vendor: 'parlance', version: 'local/echo' };
    const request = { query: `@parlance ${query}`, mode: 'ask', blockOnResponse: true, modelSelector, ...more };
    return vscode.commands.executeCommand('workbench.action.chat.open', request);
  }

  it('replies with the model that was selected there', async () => {
    await ask('Good morning');
    const [last] = service.log().slice(-1);
    assert.deepEqual([last?.model, last?.outcome], ['local/echo', 'done']);
    assert.equal(lastWords(), 'Good morning');
  });

  it('shows the speed below the reply', async () => {
    const result = await told('Good morning');
    assert.match(JSON.stringify(result), /"details":"[^"]*tok\/s · [^"]*first token · /);
  });

  it("leaves out VS Code's instructions for its own agent", async () => {
    const index = { id: 'vscode.customizations.index', value: '<skills>' };
    assert.equal(await readReference(index, () => Promise.resolve(true)), undefined);
  });

  it('includes the earlier turns', async () => {
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
    it(`/${command} sends the selection and nothing else of the file`, async () => {
      const editor = await vscode.window.showTextDocument(tasks());
      await setSelection(editor, new vscode.Selection(0, 0, 3, 1));
      await ask(`/${command}`);
      assert.match(lastWords(), words);
      assert.match(lastWords(), /src\/tasks\.ts\n```typescript\nexport interface Task/);
      assert.ok(!lastWords().includes('removeDone'));
    });
  }

  it('sends what surrounds the selection, which its references show, unless the setting is off', async () => {
    using _ = withoutHurry();
    const document = await vscode.workspace.openTextDocument(tasks());
    const editor = await vscode.window.showTextDocument(document);
    const from = document.getText().indexOf('export function');
    const to = document.getText().indexOf('\n}', from) + 2;
    await setSelection(editor, new vscode.Selection(document.positionAt(from), document.positionAt(to)));
    const selected = `src/tasks.ts\n\`\`\`typescript\n${document.getText(editor.selection)}\n\`\`\``;
    const provider = vscode.languages.registerDefinitionProvider(
      { pattern: '**/tasks.ts' },
      { provideDefinition: () => new vscode.Location(tasks(), new vscode.Position(0, 0)) },
    );
    try {
      await ask('/explain');
      assert.match(lastWords(), /^It uses: src\/tasks\.ts, lines 1-4\n```typescript\nexport interface Task \{/m);
      assert.ok(lastWords().endsWith(`End of the reference.\n\n${selected}`), lastWords());
      const headings = [...lastWords().matchAll(/^(?:It uses|Imports|Around it): src\/tasks\.ts, lines? (\d+)/gm)];
      const asked = { command: 'explain', prompt: '', references: [] };
      const turn = await turnMessages(asked, { history: [] }, true, {
        contextWindow: undefined,
        onError: assert.ifError,
      });
      assert.deepEqual(
        turn.about.map(({ range }) => range.start.line + 1),
        [...headings.map(([, line]) => Number(line)), editor.selection.start.line + 1],
      );
      await setUserSettings({ 'parlance.prompts.includeSurroundingCode': false });
      await vscode.commands.executeCommand('workbench.action.chat.newChat');
      await ask('/explain');
      assert.match(lastWords(), /^Explain this code[^\n]*\n\nsrc\/tasks\.ts\n```/);
      assert.ok(lastWords().endsWith(selected), lastWords());
    } finally {
      provider.dispose();
      await setUserSettings({ 'parlance.prompts.includeSurroundingCode': undefined });
    }
  });

  it('/explain sends the whole attached file', async () => {
    await ask('/explain', [tasks()]);
    assert.match(lastWords(), /export interface Task[^]*removeDone/);
  });

  it('keeps the code of earlier turns, and writes tests for it, whatever is selected by then', async () => {
    const editor = await vscode.window.showTextDocument(tasks());
    await setSelection(editor, new vscode.Selection(0, 0, 3, 1));
    await ask('/explain');
    const explained = lastWords();
    const { document } = editor;
    await setSelection(editor, new vscode.Selection(4, 0, document.lineCount, 0));
    await ask("/tests It's about the code above.");
    const [first, , last] = bodies().at(-1)?.messages ?? [];
    assert.equal(first?.content, explained);
    assert.match(last?.content ?? '', /^Write tests .*\n\nIt's about the code above\.$/);
  });

  it('sends the active file only once, over however many turns', async () => {
    await vscode.window.showTextDocument(tasks());
    await ask('Who calls it?');
    await ask('And what does it need?');
    await ask('Which tests are there?');
    const sent =
      bodies()
        .at(-1)
        ?.messages?.map(({ content }) => content) ?? [];
    assert.equal(sent.filter((content) => content.startsWith('Who calls it?')).length, 2, 'the echo has it too');
    assert.deepEqual(sent.slice(2), [
      'And what does it need?\n\nsrc/tasks.ts: the same as above',
      'And what does it need?\n\nsrc/tasks.ts: the same as above',
      'Which tests are there?\n\nsrc/tasks.ts: the same as above',
    ]);
  });

  describe('with a file that might contain secrets', () => {
    const token = 'TOKEN=do-not-send-0000';
    const secretFile = () => vscode.Uri.joinPath(tasks(), '../../.env');
    const allSent = () => JSON.stringify(bodies());
    before(() => vscode.workspace.fs.writeFile(secretFile(), Buffer.from(token)));
    after(() => vscode.workspace.fs.delete(secretFile()));

    it('leaves it out if nobody attached it, and says so', async () => {
      await vscode.window.showTextDocument(secretFile());
      await ask('What is a monad?');
      assert.equal(lastWords(), 'What is a monad?');
      await ask('And then?');
      assert.match(
        bodies().at(-1)?.messages?.[1]?.content ?? '',
        /^\*Not sent because .*passwords or keys: \\?\.env\*\n/,
      );
      assert.ok(!allSent().includes(token));
    });

    it("leaves it out if it's selected", async () => {
      const editor = await vscode.window.showTextDocument(secretFile());
      await setSelection(editor, new vscode.Selection(0, 0, 0, token.length));
      const earlier = service.log().length;
      await told('/explain');
      assert.equal(service.log().length, earlier);
      await ask('/explain What is it for?');
      assert.ok(!allSent().includes(token));
    });

    it("asks before it's sent if the user attached it", async () => {
      const asked: string[] = [];
      const answer = (mayGo: boolean) => async (uri: vscode.Uri) => asked.push(uri.path) > 0 && mayGo;
      const attached = { id: 'file', value: secretFile() };
      assert.deepEqual(await readReference(attached, answer(false)), { kind: 'secret', name: '.env' });
      const taken = await readReference(attached, answer(true));
      assert.ok(taken?.kind === 'code' && taken.code.text === token);
      assert.deepEqual(asked, [secretFile().path, secretFile().path]);
      await readReference({ id: 'file', value: tasks() }, answer(false));
      assert.equal(asked.length, 2);
    });
  });

  it('says that only the start of a very long file is sent', async () => {
    const long = vscode.Uri.joinPath(tasks(), '../../long.txt');
    await vscode.workspace.fs.writeFile(long, Buffer.from('word '.repeat(50_000)));
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    await ask('Sum it up', [long]);
    assert.match(lastWords(), /^Sum it up\n\nlong\.txt \(only its start\)\n```plaintext\nword /);
    await vscode.workspace.fs.delete(long);
    await ask('And now?');
    assert.match(
      bodies().at(-1)?.messages?.[1]?.content ?? '',
      /^\*Only the beginning was sent because .*long\\?\.txt\*\n/,
    );
  });

  it('reports that a reply reached the maximum number of tokens', async () => {
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    await setUserSettings({ 'parlance.chat.maxTokens': 2 });
    try {
      await ask('One two three four five six');
      await ask('And now?');
    } finally {
      await setUserSettings({ 'parlance.chat.maxTokens': undefined });
    }
    assert.match(bodies().at(-1)?.messages?.[1]?.content ?? '', /\n\n\*The reply reached its token limit/);
  });

  it("names what can't be read, and replies anyway", async () => {
    const binary = vscode.Uri.joinPath(tasks(), '../../sound.bin');
    await vscode.workspace.fs.writeFile(binary, new Uint8Array(600));
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    await ask('What are these?', [binary, tasks()]);
    assert.match(lastWords(), /^What are these\?\n\nsrc\/tasks\.ts\n/);
    // The conversation contains the description.
    await ask('And now?');
    assert.match(bodies().at(-1)?.messages?.[1]?.content ?? '', /^\*Not sent because .*sound\\?\.bin\*\n/);
  });

  it('sends an attached image, even with later turns', async () => {
    // VS Code reads a file with an image extension itself, and the command doesn't wait for that.
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

  it("sends a pasted image, and names a file that isn't one", async () => {
    const png = await encodePng(5, 4, new Uint8Array(5 * 4 * 3));
    const mayNot = () => Promise.resolve(false);
    const pasted = (bytes: Uint8Array) => ({ id: 'pasted', value: { data: async () => bytes } });
    const taken = await readReference(pasted(png), mayNot);
    assert.deepEqual(taken, { kind: 'picture', picture: { name: 'pasted', mediaType: 'image/png', bytes: png } });
    assert.deepEqual(await readReference(pasted(png.subarray(8)), mayNot), { kind: 'unreadable', name: 'pasted' });
  });

  it('/video and /image generate one with a model from the list', async () => {
    await ask('/video A bridge at dawn');
    assert.deepEqual(bodies().at(-1), { model: 'local/video', prompt: 'A bridge at dawn' });
    await ask('/image A lighthouse');
    assert.deepEqual(bodies().at(-1), { model: 'local/image', positive_prompt: 'A lighthouse' });
  });

  it('/video and /image store their results in Media', async () => {
    const input = { prompt: 'A boat' };
    const { content } = await vscode.lm.invokeTool('parlance_generate_image', {
      input,
      toolInvocationToken: undefined,
    });
    const words = content.map((part) => (part instanceof vscode.LanguageModelTextPart ? part.value : '')).join('');
    const [folder = ''] = /\/\S+\/media(?=\/results\/)/.exec(words) ?? assert.fail(words);
    await ask('/video A harbour at noon');
    await ask('/image A quiet street');
    const records = (await readFile(join(folder, 'runs.jsonl'), 'utf8')).split('\n').filter((line) => line !== '');
    for (const prompt of ['A harbour at noon', 'A quiet street']) {
      const started = records.find((line) => line.includes(`"prompt":"${prompt}"`)) ?? assert.fail(prompt);
      const { id } = JSON.parse(started) as { readonly id: string };
      const saved = records.find((line) => line.includes(id) && line.includes('"type":"saved"')) ?? assert.fail(prompt);
      const { file, sizeBytes } = JSON.parse(saved) as { readonly file: string; readonly sizeBytes: number };
      assert.equal((await stat(join(folder, 'results', file))).size, sizeBytes);
    }
  });

  it("/video starts from an attached image, and names what it can't use", async () => {
    const png = vscode.Uri.joinPath(tasks(), '../../dot.picture');
    await vscode.workspace.fs.writeFile(png, await encodePng(5, 4, new Uint8Array(5 * 4 * 3)));
    await ask('/video It moves', [png, tasks()]);
    assert.match(JSON.stringify(bodies().at(-1)), /"image":"data:image\/png;base64,/);
    await ask('And now?');
    assert.match(bodies().at(-1)?.messages?.[1]?.content ?? '', /^\*Not used: src\\?\/tasks\\?\.ts\*\n/);
  });

  it("shows the exact URL of a file that couldn't be downloaded", () => {
    const shown: string[] = [];
    const stream = { markdown: (text: string) => shown.push(text), anchor: () => assert.fail('there is no file') };
    const url = 'https://files.test/a b.mp4?sig=ab%2Bcd';
    handOut([{ url, problem: 'The disk is full.' }], 'Open Video', 'local/video', stream);
    assert.equal(shown[0], '[Open Video](<https://files.test/a%20b.mp4?sig=ab%2Bcd>)');
    assert.match(shown[1] ?? '', /The disk is full/);
  });

  // Runs last: VS Code has no command that removes a service from its list.
  it('uses the service whose model was selected, even if another one has a model with the same ID', async function () {
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
