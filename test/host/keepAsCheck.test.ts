import assert from 'node:assert/strict';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { keepAsCheck } from '../../src/vscode/checks/keepAsCheck.ts';
import { type ChecksStand, checksStand } from './checksStand.ts';

const folder = () => {
  const [first] = vscode.workspace.workspaceFolders ?? [];
  assert.ok(first);
  return first.uri;
};
const folderName = () => vscode.workspace.workspaceFolders?.[0]?.name ?? assert.fail();
const here = (name: string) => vscode.Uri.joinPath(folder(), 'kept', name);
const made = () => vscode.Uri.joinPath(folder(), '.github/prompts/fresh.checks.yaml');

describe('Keep as a Check', () => {
  const { showInputBox, showQuickPick, showInformationMessage } = vscode.window;
  let stand: ChecksStand;

  before(async () => {
    const text = 'cases:\n  - name: Old\n    messages: [{ role: user, content: Old }]\n';
    await vscode.workspace.fs.writeFile(here('old.checks.yaml'), new TextEncoder().encode(text));
    stand = await checksStand();
  });
  afterEach(() => {
    Object.assign(vscode.window, { showInputBox, showQuickPick, showInformationMessage });
  });
  after(async () => {
    await stand.dispose();
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    await vscode.workspace.fs.delete(here(''), { recursive: true });
    await rm(made().fsPath, { force: true });
  });

  const kept = { messages: [{ role: 'user', content: 'Name a bird' }], reply: 'A wren' };
  const keep = (given: unknown) => keepAsCheck(given, Object.freeze({}) as never, stand.tests);

  it('lists the files of checks, and writes a new one by the name that is entered', async () => {
    const listed: string[] = [];
    const names: (string | undefined)[] = [];
    Object.assign(vscode.window, {
      showQuickPick: (rows: readonly { readonly label: string }[]) => {
        listed.push(...rows.map(({ label }) => label));
        return Promise.resolve(rows.at(-1));
      },
      showInputBox: async ({
        validateInput,
      }: {
        readonly validateInput: (name: string) => Promise<string | undefined>;
      }) => {
        names.push(await validateInput('../up'), await validateInput('fresh'));
        return 'fresh';
      },
    });
    await keep({ kept });
    assert.ok(
      listed.some((label) => label.includes('kept/old.checks.yaml')),
      listed.join(),
    );
    assert.match(listed.at(-1) ?? '', /New Check File…$/);
    assert.equal(typeof names[0], 'string');
    assert.equal(names[1], undefined);
    const { document } = vscode.window.activeTextEditor ?? assert.fail('it is shown');
    assert.equal(document.uri.toString(), made().toString());
    assert.match(document.getText(), /name: "?Name a bird[^]*A wren/);
  });

  it('writes a new one where the prompt is, or asks for its folder, if several folders are open', async () => {
    const { getWorkspaceFolder } = vscode.workspace;
    const folders = Object.getOwnPropertyDescriptor(vscode.workspace, 'workspaceFolders') ?? assert.fail();
    const uri = vscode.Uri.file(await mkdtemp(join(tmpdir(), 'parlance-second-')));
    const second = { uri, name: 'second', index: 1 };
    const isIn = (each: vscode.Uri) => each.path.startsWith(`${uri.path}/`);
    const both = [...(vscode.workspace.workspaceFolders ?? []), second];
    Object.defineProperty(vscode.workspace, 'workspaceFolders', { get: () => both, configurable: true });
    Object.assign(vscode.workspace, {
      getWorkspaceFolder: (each: vscode.Uri) => (isIn(each) ? second : getWorkspaceFolder(each)),
    });
    const lists: string[][] = [];
    Object.assign(vscode.window, {
      showQuickPick: (rows: readonly { readonly label: string; readonly description?: string }[]) => {
        const news = rows.filter(({ label }) => label.endsWith('New Check File…'));
        lists.push(news.map(({ description = '' }) => description));
        return Promise.resolve(rows.at(-1));
      },
      showInputBox: () => Promise.resolve(`file${lists.length}`),
    });
    try {
      await keep({ kept });
      const prompt = { uri: vscode.Uri.joinPath(uri, 'gone.prompt.md').toString(), values: {} };
      await keep({ kept: { ...kept, prompt } });
      assert.deepEqual(lists, [[folderName(), 'second'], ['']]);
      const found = await readdir(join(uri.fsPath, '.github/prompts'));
      assert.deepEqual(new Set(found), new Set(['file1.checks.yaml', 'file2.checks.yaml']));
    } finally {
      Object.defineProperty(vscode.workspace, 'workspaceFolders', folders);
      Object.assign(vscode.workspace, { getWorkspaceFolder });
      await vscode.commands.executeCommand('workbench.action.closeAllEditors');
      await rm(uri.fsPath, { recursive: true });
    }
  });

  it('writes nothing if no name is entered', async () => {
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    Object.assign(vscode.window, {
      showQuickPick: (rows: readonly object[]) => Promise.resolve(rows.at(-1)),
      showInputBox: () => Promise.resolve(undefined),
    });
    await keep({ kept });
    assert.equal(vscode.window.activeTextEditor, undefined);
  });

  it('asks which request is meant without one, newest first, and writes nothing if none is selected', async () => {
    const request = (id: string, change: object = {}) => ({
      id,
      at: Date.now(),
      operation: 'chat',
      model: `local/${id}`,
      origin: { kind: 'chat' },
      end: { outcome: 'done', at: Date.now(), metrics: {} },
      ...change,
    });
    const all = [
      request('newest'),
      request('older'),
      request('running', { end: undefined }),
      request('list', { operation: 'models' }),
    ];
    const read: string[] = [];
    const history = {
      requests: () => Promise.resolve(all),
      stateOf: () => 'done',
      bodies: (id: string) => {
        read.push(id);
        const body = { messages: [{ role: 'user', content: 'Name a bird' }] };
        return Promise.resolve({ request: { body }, response: { choices: [{ message: { content: 'A wren' } }] } });
      },
    };
    const told: string[] = [];
    const offered: string[][] = [];
    let asked: object | undefined;
    Object.assign(vscode.window, {
      showInformationMessage: async (text: string) => void told.push(text),
      showQuickPick: (rows: readonly { readonly label: string; readonly detail?: string }[], { title = '' }) => {
        offered.push([title, ...rows.map(({ label, detail = label }) => /local\/\w+/.exec(detail)?.[0] ?? label)]);
        return Promise.resolve(title === 'Select Request' ? asked && rows[1] : rows[0]);
      },
    });
    const requests = ['Select Request', 'local/newest', 'local/older'];
    await keepAsCheck(undefined, history as never, stand.tests);
    assert.deepEqual([offered, told], [[requests], []]);
    asked = {};
    await keepAsCheck(undefined, history as never, stand.tests);
    assert.deepEqual([offered[1], offered[2]?.[0]], [requests, 'Keep as a Check']);
    assert.deepEqual(read, ['older']);
  });

  it('says what can be kept if a request has images', async () => {
    const told: string[] = [];
    Object.assign(vscode.window, { showInformationMessage: async (text: string) => void told.push(text) });
    await keep({ kept: { ...kept, messages: [{ role: 'user', content: [{ type: 'image_url' }] }] } });
    assert.match(told.join(), /^Only a chat request with a saved text and reply can be kept as a check\./);
  });
});
