import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import * as vscode from 'vscode';
import { eventually } from './eventually.ts';
import { openedRequest } from './openedRequest.ts';
import { closeAll, PromptBench, select } from './prompts/promptBench.ts';
import { withoutHurry } from './withoutHurry.ts';

interface SentBody {
  readonly messages: readonly { readonly role: string; readonly content: string }[];
}

interface Place {
  readonly path: string;
  readonly startLineNumber: number;
  readonly startColumn: number;
  readonly endLineNumber: number;
  readonly endColumn: number;
}

const store = `from task import LIMIT, Task


class TaskStore:
    tasks: list[Task]

    def add(self, task: Task) -> None:
        if len(self.tasks) < LIMIT:
            self.tasks.append(task)
`;
const method = `    def add(self, task: Task) -> None:
        if len(self.tasks) < LIMIT:
            self.tasks.append(task)`;
const task = `LIMIT = 100


class Task:
    title: str
    def done(self) -> bool:
        return False
`;
const example = 'import pytest\n\n\ndef test_one():\n    assert 1\n';

describe("A request of @parlance is shown exactly as it's sent", function () {
  this.timeout(180_000);
  const folder = 'asked.project';
  let bench: PromptBench;
  let root: vscode.Uri;
  const registered: vscode.Disposable[] = [];

  before(async () => {
    bench = await PromptBench.open();
    await vscode.commands.executeCommand('parlance.refreshModels');
    // A participant isn't called without a model.
    const [model] = await vscode.lm.selectChatModels({ vendor: 'parlance', id: 'local/echo' });
    assert.ok(model !== undefined);
    const [first] = vscode.workspace.workspaceFolders ?? [];
    assert.ok(first);
    root = vscode.Uri.joinPath(first.uri, folder);
    const files = { 'store.py': store, 'task.py': task, 'test_task.py': example };
    for (const [name, text] of Object.entries(files)) await write(name, text);
    const problems = vscode.languages.createDiagnosticCollection('asked');
    problems.set(vscode.Uri.joinPath(root, 'store.py'), [
      new vscode.Diagnostic(new vscode.Range(7, 8, 7, 10), 'Name "it".'),
    ]);
    const line = new Map([
      ['LIMIT', 0],
      ['Task', 3],
    ]);
    const provider = vscode.languages.registerDefinitionProvider(
      { pattern: '**/store.py' },
      {
        provideDefinition: (document, at) => {
          const found = line.get(document.getText(document.getWordRangeAtPosition(at)));
          const uri = vscode.Uri.joinPath(root, 'task.py');
          return found === undefined ? [] : new vscode.Location(uri, new vscode.Position(found, 0));
        },
      },
    );
    registered.push(problems, provider);
  });
  after(async () => {
    for (const each of registered) each.dispose();
    await bench[Symbol.asyncDispose]();
    await vscode.workspace.fs.delete(root, { recursive: true });
  });
  beforeEach(() => vscode.commands.executeCommand('workbench.action.chat.newChat'));
  afterEach(closeAll);

  async function write(name: string, text: string): Promise<void> {
    await vscode.workspace.fs.writeFile(vscode.Uri.joinPath(root, name), new TextEncoder().encode(text));
  }

  const body = () => bench.chats().at(-1)?.requestBody as SentBody;
  const lastWords = () => body().messages.at(-1)?.content ?? '';

  async function ask(query: string, attachFiles: readonly vscode.Uri[] = []): Promise<void> {
    const before = bench.chats().length;
    const modelSelector = { vendor: 'parlance', version: 'local/echo' };
    const request = { query: `@parlance ${query}`, mode: 'ask', blockOnResponse: true, modelSelector, attachFiles };
    await vscode.commands.executeCommand('workbench.action.chat.open', request);
    assert.equal(bench.chats().length, before + 1);
  }

  async function askAboutMethod(query: string, expected: string): Promise<void> {
    using _ = withoutHurry();
    await select(await vscode.window.showTextDocument(vscode.Uri.joinPath(root, 'store.py')), method);
    await ask(query);
    assert.equal(lastWords(), expected);
  }

  /** The service received exactly what Open Request shows. */
  async function holds(): Promise<void> {
    const shown = {
      method: 'POST',
      url: `${bench.service.baseUrl}/chat/completions`,
      headers: { authorization: 'Bearer $SERVICE_API_KEY', 'content-type': 'application/json' },
      body: body(),
    };
    assert.equal((await openedRequest()).getText(), `${JSON.stringify(shown, undefined, 2)}\n`);
  }

  /** What VS Code lists below the question that was asked last, as it exports it. */
  async function references(): Promise<readonly Place[]> {
    const file = vscode.Uri.joinPath(bench.folder, 'chat.json');
    await vscode.commands.executeCommand('workbench.action.chat.export', file);
    const { requests } = JSON.parse(await readFile(file.fsPath, 'utf8'));
    return requests.at(-1).contentReferences.map(({ reference }: { reference: { uri: vscode.Uri; range: Place } }) => ({
      ...reference.range,
      path: reference.uri.path,
    }));
  }

  async function textAt({ path, startLineNumber, startColumn, endLineNumber, endColumn }: Place): Promise<string> {
    const document = await vscode.workspace.openTextDocument(vscode.Uri.file(path));
    return document.getText(new vscode.Range(startLineNumber - 1, startColumn - 1, endLineNumber - 1, endColumn - 1));
  }

  const around = [
    ['Around it: FOLDER/store.py, line 4', 'class TaskStore:'],
    ['Imports: FOLDER/store.py, line 1', 'from task import LIMIT, Task'],
    ['It uses: FOLDER/task.py, lines 4-7', 'class Task:\n    title: str\n    def done(self) -> bool:'],
    ['It uses: FOLDER/task.py, line 1', 'LIMIT = 100'],
  ] as const;
  const block = (heading: string, text: string) =>
    `${heading.replace('FOLDER', folder)}\n\`\`\`python\n${text}\n\`\`\``;
  const beforeReference =
    'For reference, from around the code that this is about. Do not change it or repeat it in the answer:';
  const expected = (own: string, ...more: readonly string[]) =>
    [
      own,
      beforeReference,
      ...more,
      ...around.map(([heading, text]) => block(heading, text)),
      'End of the reference.',
      block('FOLDER/store.py', method),
    ].join('\n\n');
  const rows = {
    '/explain': expected('Explain this code: what it does, how, and what to watch out for.'),
    '/explain Why?': expected('Explain this code: what it does, how, and what to watch out for.\n\nWhy?'),
    'What is it for?': expected('What is it for?'),
    '/fix': expected(
      'Find what is wrong with this code and fix it. Give the whole corrected code, then in short what was wrong.',
      'Problems that the editor reports:\nline 8: error: Name "it".\n    if len(self.tasks) < LIMIT:',
    ),
    '/tests': expected(
      'Write tests for this code. Cover the edge cases. Use the test framework of the project, or else the one usual for the language.',
      `Tests in this project use pytest. The new tests will be in ${folder}/test_store.py.`,
      block('An existing test, as an example of the style: FOLDER/test_task.py', example.trimEnd()),
    ),
  };
  for (const [query, text] of Object.entries(rows)) {
    it(`byte for byte: ${query}`, async () => {
      await askAboutMethod(query, text);
      await holds();
    });
  }

  it('byte for byte, with the turns before it', async () => {
    await askAboutMethod('/explain', rows['/explain']);
    await ask("/tests It's about the code above.");
    assert.deepEqual(
      body().messages.map(({ role }) => role),
      ['user', 'assistant', 'user'],
    );
    assert.equal(body().messages[0]?.content, rows['/explain']);
    await holds();
  });

  it('by its references, each of which leads to everything that was sent', async () => {
    await askAboutMethod('/tests', rows['/tests']);
    const found = await Promise.all((await references()).map(async (each) => [nameIn(each), await textAt(each)]));
    assert.deepEqual(found, [
      ['test_task.py', example.trimEnd()],
      ['store.py', 'class TaskStore:'],
      ['store.py', 'from task import LIMIT, Task'],
      // The request has only the heads of the members.
      ['task.py', task.slice(task.indexOf('class')).trimEnd()],
      ['task.py', 'LIMIT = 100'],
      ['store.py', method],
    ]);
  });

  it('with an attached notebook as its cells, unsaved edits included, without outputs', async () => {
    const cell = (source: string) => ({
      cell_type: 'code',
      source: [source],
      metadata: {},
      execution_count: 1,
      outputs: [{ output_type: 'stream', name: 'stdout', text: ['only in the output'] }],
    });
    const file = vscode.Uri.joinPath(root, 'asked.ipynb');
    const json = { cells: [cell('kept = 1')], metadata: {}, nbformat: 4, nbformat_minor: 5 };
    await write('asked.ipynb', JSON.stringify(json));
    await ask('Sum it up', [file]);
    const sentAs = (code: string) =>
      `Sum it up\n\n${folder}/asked.ipynb\n\`\`\`\`markdown\nCell 1:\n\`\`\`python\n${code}\n\`\`\`\n\`\`\`\``;
    assert.equal(lastWords(), sentAs('kept = 1'));
    const notebook = await vscode.workspace.openNotebookDocument(file);
    await vscode.window.showNotebookDocument(notebook);
    const edit = new vscode.WorkspaceEdit();
    edit.insert(notebook.cellAt(0).document.uri, new vscode.Position(0, 8), ' + 2');
    await vscode.workspace.applyEdit(edit);
    await vscode.commands.executeCommand('workbench.action.chat.newChat');
    await ask('Sum it up', [file]);
    // The cell in front comes after it.
    assert.ok(lastWords().startsWith(sentAs('kept = 1 + 2')), lastWords());
    assert.ok(!lastWords().includes(root.path), lastWords());
    await notebook.save();
  });

  it('by its references, which say how much was sent of a very long file or test', async () => {
    const words = `${'word '.repeat(9)}word\n`.repeat(5000);
    const long = vscode.Uri.joinPath(root, 'long.txt');
    await write('long.txt', words);
    await ask('Sum it up', [long]);
    const [place] = await references();
    assert.ok(place);
    assert.equal(await textAt(place), words.slice(0, 200_000));
    assert.equal(
      lastWords(),
      `Sum it up\n\n${folder}/long.txt (only its start)\n\`\`\`plaintext\n${await textAt(place)}\n\`\`\``,
    );

    const tests = Array.from({ length: 90 }, (_, at) => `def test_${at}(): assert 1\n`);
    await write('test_task.py', `import pytest\n${tests.join('')}`);
    try {
      // VS Code has the text of before until its watcher reports the new one.
      const shown = await vscode.workspace.openTextDocument(vscode.Uri.joinPath(root, 'test_task.py'));
      await eventually('its new text', () => shown.lineCount > tests.length);
      const kept = `import pytest\n${tests.slice(0, 59).join('')}`.trimEnd();
      const cut = block('An existing test, as an example of the style: FOLDER/test_task.py (its first 60 lines)', kept);
      const whole = block('An existing test, as an example of the style: FOLDER/test_task.py', example.trimEnd());
      await askAboutMethod('/tests', rows['/tests'].replace(whole, cut));
      const [first] = await references();
      assert.ok(first);
      assert.equal(await textAt(first), kept);
    } finally {
      await write('test_task.py', example);
    }
  });
});

function nameIn({ path }: Place): string {
  return path.slice(path.lastIndexOf('/') + 1);
}
