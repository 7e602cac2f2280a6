import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { type InferenceService, startInferenceService } from '../service/inferenceService.ts';
import { expectationKinds } from '../../src/core/checks/expectation.ts';
import { answering } from './answering.ts';
import { eventually } from './eventually.ts';
import { clearUserSettings, setUserSettings } from './userSettings.ts';

const folder = () => {
  const [first] = vscode.workspace.workspaceFolders ?? [];
  assert.ok(first);
  return vscode.Uri.joinPath(first.uri, 'checked');
};
const at = (name: string) => vscode.Uri.joinPath(folder(), name);
const write = (name: string, text: string) => vscode.workspace.fs.writeFile(at(name), new TextEncoder().encode(text));

describe('Prompt checks', () => {
  let service: InferenceService;
  const chats = () => service.log().filter(({ kind }) => kind === 'chat');

  before(async () => {
    service = await startInferenceService({ tokensPerSecond: Number.POSITIVE_INFINITY });
    process.env['SERVICE_API_KEY'] = service.apiKey;
    await clearUserSettings();
    await setUserSettings({ 'parlance.services': [{ baseUrl: service.baseUrl }], 'parlance.chat.model': 'local/echo' });
    await vscode.extensions.getExtension('parlance.parlance')?.activate();
  });
  after(async () => {
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    await vscode.workspace.fs.delete(folder(), { recursive: true });
    await service.close();
    delete process.env['SERVICE_API_KEY'];
    await clearUserSettings();
  });

  it('run only when they are asked to, send what the prompt sends, and say at which line a reply failed', async () => {
    await write('shout.prompt.md', '---\ntemperature: 0.5\n---\nSay ${input:word} about ${selection}\n');
    await write(
      'shout.checks.yaml',
      `repeat: 2
max_tokens: 50
cases:
  - name: Passes
    selection: cats
    vars: { word: meow }
    assert:
      - type: contains
        value: meow about cats
  - name: Fails
    selection: dogs
    vars: { word: woof }
    assert:
      - type: equals
        value: Say nothing
  - name: Runs code
    selection: dogs
    vars: { word: woof }
    assert:
      - type: javascript
        value: process.exit(1)
  - name: Outside
    file: ../../../../etc/passwd
    vars: { word: x }
    assert: [{ type: contains, value: x }]
`,
    );
    const uri = at('shout.checks.yaml');
    const document = await vscode.workspace.openTextDocument(uri);
    await vscode.window.showTextDocument(document);
    await eventually('errors in place', () => vscode.languages.getDiagnostics(uri).length === 2);
    const marked = vscode.languages
      .getDiagnostics(uri)
      .map(({ range, message }) => [document.lineAt(range.start.line).text.trim(), message]);
    assert.match(String(marked[0]), /type: javascript.*runs code/);
    assert.match(String(marked[1]), /name: Outside.*outside of the workspace/);
    assert.equal(chats().length, 0);

    await vscode.commands.executeCommand('parlance.runChecks', uri);
    assert.deepEqual(
      chats()
        .map(({ requestBody }) => JSON.stringify(requestBody))
        .toSorted(),
      ['Say meow about cats', 'Say meow about cats', 'Say woof about dogs', 'Say woof about dogs'].map((content) =>
        JSON.stringify({
          model: 'local/echo',
          max_tokens: 50,
          temperature: 0.5,
          stream: true,
          messages: [{ role: 'user', content }],
        }),
      ),
    );
    const lenses = await vscode.commands.executeCommand<vscode.CodeLens[]>('vscode.executeCodeLensProvider', uri);
    const titles = lenses.map(({ range, command }) => `${range.start.line} ${command?.title}`);
    assert.ok(titles.includes('3 $(pass) 1 of 1 models pass'), titles.join());
    assert.ok(titles.includes('9 $(error) 0 of 1 models pass'), titles.join());
    assert.ok(!titles.some((title) => title.startsWith('15 $(pass)') || title.startsWith('21 $(pass)')));
  });

  it('are written for a prompt, one after the other', async () => {
    await write('greet.prompt.md', 'Greet ${input:name:Who?}: ${selection}\n');
    await vscode.commands.executeCommand('parlance.newCheck', at('greet.prompt.md'));
    const text = await readFile(at('greet.checks.yaml').fsPath, 'utf8');
    assert.match(text, /cases:\n {2}- name: .+\n {4}selection: .+\n {4}vars:\n {6}name: Who\?\n {4}assert:\n/);
    await vscode.commands.executeCommand('parlance.newCheck', at('greet.prompt.md'));
    assert.equal((await readFile(at('greet.checks.yaml').fsPath, 'utf8')).match(/- name/g)?.length, 2);
    assert.deepEqual(vscode.languages.getDiagnostics(at('greet.checks.yaml')), []);
  });

  it('ask before they send a file that might hold secrets, in whatever way it is named', async () => {
    await write('.env', 'TOKEN=canary-of-checks\n');
    await write('quote.prompt.md', 'Quote ${selection}\n');
    const expects = 'assert: [{ type: contains, value: x }]';
    const ways: Readonly<Record<string, string>> = {
      selection: `cases: [{ name: a, selection: "file://.env", ${expects} }]`,
      message: `cases: [{ name: a, messages: [{ role: user, content: "file://.env" }], ${expects} }]`,
      variable: `prompt: quote.prompt.md\ncases: [{ name: a, vars: { selection: "file://.env" }, ${expects} }]`,
      prompt: `prompt: .env\ncases: [{ name: a, selection: x, ${expects} }]`,
      file: `prompt: quote.prompt.md\ncases: [{ name: a, file: .env, ${expects} }]`,
    };
    const before = chats().length;
    for (const [way, text] of Object.entries(ways)) {
      const file = `secret-${way}.checks.yaml`;
      await write(file, text.includes('prompt:') ? text : `prompt: quote.prompt.md\n${text}`);
      const refused = await answering(undefined, async () =>
        vscode.commands.executeCommand('parlance.runChecks', at(file)),
      );
      assert.ok(
        refused.asked.some((question) => question.includes('.env')),
        `${way}: ${refused.asked.join()}`,
      );
      assert.equal(chats().length, before, way);
    }
    // Nothing of it went out, and who agrees can send it.
    const uri = at('secret-selection.checks.yaml');
    await answering('Send Anyway', async () => vscode.commands.executeCommand('parlance.runChecks', uri));
    assert.match(JSON.stringify(chats().at(-1)?.requestBody), /canary-of-checks/);
  });

  it('run an example configuration of promptfoo for each kind that needs no judge', async () => {
    const { kinds, examples } = await promptfooExamples();
    assert.deepEqual(Object.keys(examples).toSorted(), kinds.toSorted());
    for (const [kind, text] of Object.entries(examples)) await write(`${kind}/promptfooconfig.yaml`, text);
    for (const kind of kinds) {
      const uri = at(`${kind}/promptfooconfig.yaml`);
      await vscode.window.showTextDocument(uri);
      await vscode.commands.executeCommand('parlance.runChecks', uri);
      assert.deepEqual(vscode.languages.getDiagnostics(uri), []);
      const lenses = await vscode.commands.executeCommand<vscode.CodeLens[]>('vscode.executeCodeLensProvider', uri);
      const titles = lenses.map(({ command }) => command?.title);
      assert.ok(titles.includes('$(pass) 1 of 1 models pass'), `${kind}: ${titles.join()}`);
    }
  });
});

async function promptfooExamples() {
  const kinds = expectationKinds.filter((kind) => kind !== 'llm-rubric');
  // From where the build puts this file.
  const folderOfExamples = join(import.meta.dirname, '../../../test/example/promptfoo');
  const names = await readdir(folderOfExamples);
  const texts = names.map(
    async (name) => [name.replace('.yaml', ''), await readFile(join(folderOfExamples, name), 'utf8')] as const,
  );
  return { kinds, examples: Object.fromEntries(await Promise.all(texts)) };
}
