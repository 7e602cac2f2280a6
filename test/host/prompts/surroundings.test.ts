import assert from 'node:assert/strict';
import { symlink } from 'node:fs/promises';
import * as vscode from 'vscode';
import { answering } from '../answering.ts';
import { eventually } from '../eventually.ts';
import { surroundingCodeContext } from '../../../src/vscode/attachments/sources/surroundingCodeContext.ts';
import {
  gatherSurroundings,
  type SurroundingsDeps,
  surroundingWaitsMs,
} from '../../../src/vscode/attachments/surroundings/gatherSurroundings.ts';
import { gatherTestSetup } from '../../../src/vscode/attachments/surroundings/gatherTestSetup.ts';
import { codeAround } from '../../../src/vscode/participant/codeAround.ts';
import { setUserSettings } from '../userSettings.ts';
import { withoutHurry } from '../withoutHurry.ts';
import { Answers } from './answers.ts';
import { closeAll, messageOf, PromptBench, select } from './promptBench.ts';

const beside = { target: 'beside' };
/** Each prompt is listed before it's sent. */
const confirmAlways = { 'parlance.prompts.confirmAboveTokens': 1 };
const confirmAsUsual = { 'parlance.prompts.confirmAboveTokens': undefined };

/** @param contextWindow in tokens */
function inWindow(contextWindow?: number): SurroundingsDeps {
  return { contextWindow, onError: assert.ifError };
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
    """Something to do."""
    title: str

    def done(self) -> bool:
        return False
`;
const reference = `For reference, from around the code that this is about. Do not change it or repeat it in the answer:

Around it: FOLDER/store.py, line 4
\`\`\`python
class TaskStore:
\`\`\`

Imports: FOLDER/store.py, line 1
\`\`\`python
from task import LIMIT, Task
\`\`\`

It uses: FOLDER/task.py, lines 4-9
\`\`\`python
class Task:
    title: str
    def done(self) -> bool:
\`\`\`

It uses: FOLDER/task.py, line 1
\`\`\`python
LIMIT = 100
\`\`\`

End of the reference.

`;

describe('What surrounds the code of a prompt', function () {
  this.timeout(180_000);
  let bench: PromptBench;
  let root: vscode.Uri;
  const folder = 'surroundings.test';
  const problems = vscode.languages.createDiagnosticCollection('surroundings');

  before(async () => {
    // Nothing is known about its models.
    bench = await PromptBench.open(undefined, { catalogSize: 0 });
    const [first] = vscode.workspace.workspaceFolders ?? [];
    assert.ok(first);
    root = vscode.Uri.joinPath(first.uri, folder);
    await write('store.py', store);
    await write('task.py', task);
  });
  after(async () => {
    problems.dispose();
    await bench[Symbol.asyncDispose]();
    await vscode.workspace.fs.delete(root, { recursive: true });
  });
  let unhurried: Disposable;
  beforeEach(() => (unhurried = withoutHurry()));
  afterEach(() => unhurried[Symbol.dispose]());
  afterEach(() => problems.clear());
  afterEach(closeAll);

  async function write(name: string, text: string): Promise<vscode.Uri> {
    const uri = vscode.Uri.joinPath(root, name);
    await vscode.workspace.fs.writeFile(uri, new TextEncoder().encode(text));
    return uri;
  }

  async function show(name: string, ...selected: readonly string[]): Promise<vscode.TextEditor> {
    const editor = await vscode.window.showTextDocument(vscode.Uri.joinPath(root, name));
    await select(editor, ...selected);
    return editor;
  }

  /** Sends Explain Code while every name in files with this extension is defined in these places. */
  async function explained(ending: string, provideDefinition: () => vscode.ProviderResult<vscode.Location[]>) {
    const provider = vscode.languages.registerDefinitionProvider({ pattern: `**/*${ending}` }, { provideDefinition });
    try {
      return await bench.sent('parlance.explainSelection', beside);
    } finally {
      provider.dispose();
    }
  }

  /** A language server that knows these two names. */
  async function withServer<T>(act: () => Promise<T>): Promise<T> {
    const uri = vscode.Uri.joinPath(root, 'task.py');
    const line = new Map([
      ['LIMIT', 0],
      ['Task', 3],
    ]);
    const provider = vscode.languages.registerDefinitionProvider(
      { pattern: '**/store.py' },
      {
        provideDefinition: (document, at) => {
          const found = line.get(document.getText(document.getWordRangeAtPosition(at)));
          return found === undefined ? [] : new vscode.Location(uri, new vscode.Position(found, 0));
        },
      },
    );
    try {
      return await act();
    } finally {
      provider.dispose();
    }
  }

  it('is sent by each built-in prompt, byte for byte, between its words and the code', () =>
    withServer(async () => {
      const editor = await show('store.py', method);
      const code = `\`\`\`python\n${method}\n\`\`\``;
      const only = 'Answer with the whole code in one code block and nothing else.';
      const sent = reference.replaceAll('FOLDER', folder);
      const words = {
        explainSelection: 'Explain this code from store.py: what it does, how, and what to watch out for.',
        simplifySelection: `Improve this code from store.py: make it clearer and simpler without changing what it does. Keep its style. ${only}`,
        generateDocs: `Add documentation comments to this code from store.py, in the form usual for the language. Change nothing else. ${only}`,
        reviewSelection: 'Review this code from store.py. Name bugs and risks first, then what could be simpler.',
        fixSelection: `Fix this code from store.py. Keep what works, its style and its names. ${only}\n\nProblems that the editor reports:\nnone`,
      };
      for (const [command, own] of Object.entries(words)) {
        const expected = `${own}\n\n${sent}${code}`;
        assert.equal(await bench.sent(`parlance.${command}`, beside), expected, command);
      }
      reportProblem(editor);
      const problem = 'line 8: error: Name it.\n    if len(self.tasks) < LIMIT:';
      const fixed = `${words.fixSelection.replace(/none$/, problem)}\n\n${sent}${code}`;
      assert.equal(await bench.sent('parlance.fixSelection', beside), fixed);
      const asked = `Why?\n\n${sent}${folder}/store.py\n${code}`;
      assert.equal(await bench.sent('parlance.askAboutSelection', { ...beside, question: 'Why?' }), asked);
      assert.equal(await bench.sent('parlance.runSelection', beside), method);
      const translated = await bench.sent('parlance.translateText', { ...beside, language: 'German' });
      assert.ok(translated.endsWith(`structure.\n\n${code}`), translated);
    }));

  it('is at most an eighth of the context window, both as a chip in the chat and for @parlance', async () => {
    const imports = Array.from({ length: 20 }, (_, at) => `from module_${at} import first_${at}, second_${at}\n`);
    const uri = await write('imports.py', `${imports.join('')}\nprint(first_1)\n`);
    const editor = await show('imports.py', 'print(first_1)');
    const location = new vscode.Location(uri, editor.selection);
    const code = [{ name: 'imports.py', text: 'print(first_1)', language: 'python', location }];
    const chip = async (contextWindow: number) =>
      (await surroundingCodeContext(editor, inWindow(contextWindow)))?.block ?? '';
    const attached = async (contextWindow: number) =>
      (await codeAround(code, undefined, inWindow(contextWindow))).map(({ text }) => text).join('\n');
    for (const around of [chip, attached]) {
      assert.match(await around(100_000), /from module_19 import/);
      assert.doesNotMatch(await around(2000), /from module_19 import/);
    }
  });

  it('is at most an eighth of a context window that only a refusal showed', async () => {
    const imports = Array.from({ length: 40 }, (_, at) => `from module_${at} import first_${at}, second_${at}\n`);
    await write('manyImports.py', `${imports.join('')}\nprint(first_1)\n`);
    await show('manyImports.py', 'print(first_1)');
    await setUserSettings({ 'parlance.chat.model': 'local/small' });
    using user = new Answers();
    const explain = () => bench.sent('parlance.explainSelection', beside);
    try {
      assert.match(await explain(), /module_39/);
      await user.notice('Too long for this model');
      assert.equal(bench.chats().at(-1)?.status, 413);
      const accepted = await explain();
      assert.doesNotMatch(accepted, /For reference/);
      await eventually('the reply', () => bench.chats().at(-1)?.outcome === 'done');
    } finally {
      await setUserSettings({ 'parlance.chat.model': 'local/echo' });
    }
  });

  it('has the problems of the code for /fix of @parlance, and none if there are none', async () => {
    const editor = await show('store.py', method);
    const location = new vscode.Location(editor.document.uri, editor.selection);
    const code = [{ name: 'store.py', text: method, language: 'python', location }];
    const named = async (command: string) =>
      (await codeAround(code, command, inWindow())).map(({ name }) => name).filter((name) => name.includes('Problems'));
    assert.deepEqual(await named('fix'), []);
    reportProblem(editor);
    const words = 'Problems that the editor reports:\nline 8: error: Name it.\n    if len(self.tasks) < LIMIT:';
    assert.deepEqual(await named('fix'), [words]);
    assert.deepEqual(await named('explain'), []);
  });

  it('is sent as far as it was found before a bug, and the bug is reported', () =>
    withServer(async () => {
      const editor = await show('store.py', method);
      const { getWorkspaceFolder, findFiles } = vscode.workspace;
      const bug = new TypeError('a bug');
      const value = () => {
        throw bug;
      };
      try {
        // Both are about a file that nobody selected.
        vscode.workspace.getWorkspaceFolder = (uri) =>
          uri.path.endsWith('store.py') ? getWorkspaceFolder(uri) : value();
        vscode.workspace.findFiles = value;
        const errors: unknown[] = [];
        const deps = { contextWindow: undefined, onError: (error: unknown) => errors.push(error) };
        const pieces = await gatherSurroundings({ document: editor.document, ranges: [editor.selection] }, deps);
        assert.deepEqual(errors, [bug]);
        assert.deepEqual(
          pieces.filter(({ kind }) => kind === 'imports').map(({ text }) => text),
          ['from task import LIMIT, Task'],
        );
        assert.deepEqual(await gatherTestSetup(editor.document, deps), { setup: {} });
        assert.deepEqual(errors, [bug, bug]);
      } finally {
        Object.assign(vscode.workspace, { getWorkspaceFolder, findFiles });
      }
    }));

  it("has nothing from other files in a folder that isn't trusted, both as a chip in the chat and for @parlance", () =>
    withServer(async () => {
      const editor = await show('store.py', method);
      const location = new vscode.Location(editor.document.uri, editor.selection);
      const code = [{ name: 'store.py', text: method, language: 'python', location }];
      const chip = async () => (await surroundingCodeContext(editor, inWindow()))?.block ?? '';
      const attached = async () => (await codeAround(code, undefined, inWindow())).map(({ text }) => text).join('\n');
      const trust = Object.getOwnPropertyDescriptor(vscode.workspace, 'isTrusted') ?? assert.fail();
      for (const around of [chip, attached]) {
        assert.match(await around(), /class Task:/);
        // This VS Code trusts every folder.
        Object.defineProperty(vscode.workspace, 'isTrusted', { configurable: true, get: () => false });
        try {
          const text = await around();
          assert.match(text, /class TaskStore:/);
          assert.doesNotMatch(text, /class Task:|LIMIT = 100/);
        } finally {
          Object.defineProperty(vscode.workspace, 'isTrusted', trust);
        }
      }
    }));

  it('is left out if the setting is off, by each prompt, and so are the problems of the code', () =>
    withServer(async () => {
      const editor = await show('store.py', method);
      await setUserSettings({ ...confirmAlways, 'parlance.prompts.includeSurroundingCode': false });
      reportProblem(editor);
      try {
        for (const command of commands) {
          const { result } = await shownAndSent(command);
          const place = command === 'askAboutSelection' ? `${folder}/store.py\n` : '';
          assert.ok(result.endsWith(`\n\n${place}\`\`\`python\n${method}\n\`\`\``), result);
          assert.match(result, /^[^\n]+\n\n(?:[^\n]+\n)?```python\n {4}def add\(/, command);
        }
      } finally {
        await setUserSettings({ ...confirmAsUsual, 'parlance.prompts.includeSurroundingCode': undefined });
      }
    }));

  it("includes what VS Code's own TypeScript server finds, once that is running", async () => {
    await write('task.ts', '/** Something to do. */\nexport interface Task {\n  readonly title: string;\n}\n');
    await write(
      'use.ts',
      "import type { Task } from './task.ts';\n\nexport class Store {\n  add(task: Task): void {\n    log(task);\n  }\n}\n\nfunction log(task: Task): void {}\n",
    );
    const { document } = await show('use.ts', '    log(task);');
    const place = document.positionAt(document.getText().indexOf('task);'));
    await eventually('the server knows where the type is declared', async () => {
      const found = await vscode.commands.executeCommand<readonly (vscode.Location | vscode.LocationLink)[]>(
        'vscode.executeTypeDefinitionProvider',
        document.uri,
        place,
      );
      return found.some((each) => ('uri' in each ? each.uri : each.targetUri).path.endsWith('/task.ts'));
    });
    const sent = await bench.sent('parlance.explainSelection', beside);
    const blocks = [...sent.matchAll(/```typescript\n([\s\S]*?)\n```/g)].map(([, block]) => block);
    assert.deepEqual(blocks, [
      'export class Store { … }',
      'add(task: Task): void { … }',
      "import type { Task } from './task.ts';",
      'function log(task: Task): void {}',
      'export interface Task {\n  readonly title: string;\n}',
      '    log(task);',
    ]);
  });

  it('contains what is ready when the time is up, even if an extension never answers', async () => {
    // The limits of the waits for an extension are the point here. Before those, Parlance looks at the file itself,
    // which can take all the time on a busy machine.
    unhurried[Symbol.dispose]();
    unhurried = withoutHurry([surroundingWaitsMs.all]);
    await write('waits.silent.js', "import a from 'a';\n\nfunction one() {\n  two();\n}\n\nfunction two() {}\n");
    await show('waits.silent.js', '  two();');
    const sent = await explained('.silent.js', () => new Promise<vscode.Location[]>(() => undefined));
    assert.match(
      sent,
      /\nImports: surroundings\.test\/waits\.silent\.js, line 1\n```javascript\nimport a from 'a';\n```\n/,
    );
    assert.ok(sent.endsWith('End of the reference.\n\n```javascript\n  two();\n```'), sent);
  });

  it("doesn't hold the prompt up for longer than its limit, if an extension never answers", async () => {
    unhurried[Symbol.dispose]();
    // Longer than this test may take, so that only the limit of all of them can end it.
    unhurried = withoutHurry([surroundingWaitsMs.definitions, surroundingWaitsMs.symbols], 600_000);
    await write('limit.silent.js', 'function one() {\n  two();\n}\n');
    await show('limit.silent.js', '  two();');
    const { promise: never, resolve: end } = Promise.withResolvers<vscode.Location[]>();
    try {
      const sent = await explained('.silent.js', () => never);
      assert.ok(sent.endsWith('```javascript\n  two();\n```'), sent);
    } finally {
      end([]);
    }
  });

  it('contains nothing from files that might contain secrets, are ignored, are links, or are outside the folder', async () => {
    const secret = 'const password = "hunter2";\n';
    const outside = await bench.write('outside.js', secret);
    const link = vscode.Uri.joinPath(root, 'link.js');
    await symlink(outside.fsPath, link.fsPath);
    await write('.gitignore', 'ignored/\n');
    const places = [
      await write('.env.js', secret),
      await write('.ssh/keys.js', secret),
      await write('ignored/a.js', secret),
      await write('node_modules/a/index.js', secret),
      outside,
      link,
      vscode.Uri.joinPath(root, 'gone.js'),
      await write('good.js', 'const password = 1;\n'),
    ];
    await write('a.asks.js', 'function one() {\n  use(password);\n}\n');
    await show('a.asks.js', '  use(password);');
    const inPlaces = () => places.map((uri) => new vscode.Location(uri, new vscode.Position(0, 6)));
    const sent = await explained('.asks.js', inPlaces);
    assert.ok(!sent.includes('hunter2'), sent);
    assert.match(sent, /\nIt uses: surroundings\.test\/good\.js, line 1\n```javascript\nconst password = 1;\n```\n/);
  });

  it('is empty if the file itself might contain secrets, whatever part of it the user sends', async () => {
    await write('.env.local.js', "import a from 'a';\nfunction one() {\n  two();\n}\n");
    await show('.env.local.js', '  two();');
    const { result } = await answering('Send Anyway', () => bench.sent('parlance.explainSelection', beside));
    assert.ok(!result?.includes('reference'), result);
  });

  it("is each selection's own if each is sent in its own request", async () => {
    await write('two.py', 'def one():\n    a = 1\n\n\ndef two():\n    b = 2\n');
    await show('two.py', '    a = 1', '    b = 2');
    const before = bench.chats().length;
    await answering('Send', async () =>
      vscode.commands.executeCommand('parlance.explainSelection', { target: 'cursor' }),
    );
    await eventually('two requests', () => bench.chats().length === before + 2);
    const texts = bench.chats().slice(before).map(messageOf);
    assert.deepEqual(
      texts.map((text) => text.match(/def \w+\(\):/g)),
      [['def one():'], ['def two():']],
    );
  });

  it("is listed item by item before it's sent, by each prompt, and the request contains exactly that", () =>
    withServer(async () => {
      await write('test_task.py', 'import pytest\n\n\ndef test_one():\n    pass\n');
      const editor = await show('store.py', method);
      reportProblem(editor);
      const code = ['store.py:4', 'store.py:1', 'task.py:4-9', 'task.py:1'].map(
        (place) => `Surrounding code: ${folder}/${place}`,
      );
      const own: Partial<Record<(typeof commands)[number], readonly string[]>> = {
        fixSelection: ['Problems: line 8: error: Name it.', '    if len(self.tasks) < LIMIT:'],
        generateTests: [
          'Test framework: pytest',
          `File for the tests: ${folder}/test_store.py`,
          `Example test: ${folder}/test_task.py`,
        ],
      };
      await setUserSettings(confirmAlways);
      try {
        for (const command of commands) {
          const expected = [...code, ...(own[command] ?? [])];
          const { result, lines } = await shownAndSent(command);
          assert.deepEqual(lines, expected, command);
          assert.deepEqual(piecesIn(result), expected, command);
        }
      } finally {
        await setUserSettings(confirmAsUsual);
      }
    }));

  /** The built-in prompts about code. */
  const commands = [
    'explainSelection',
    'simplifySelection',
    'generateDocs',
    'reviewSelection',
    'fixSelection',
    'generateTests',
    'askAboutSelection',
  ] as const;

  /** What the confirmation lists, line by line, and the text at the service, with `confirmAlways`. */
  async function shownAndSent(
    command: string,
  ): Promise<{ readonly lines: readonly string[]; readonly result: string }> {
    const { details, result } = await answering('Send', () =>
      bench.sent(`parlance.${command}`, { ...beside, question: 'Why?' }),
    );
    return { lines: details.join('\n\n').split('\n\n').slice(1).join('\n').split('\n'), result };
  }

  /** What a request contains besides its instructions and the selection, in the words of the confirmation. */
  function piecesIn(text: string): readonly string[] {
    const all = (pattern: RegExp, shown: (...groups: readonly string[]) => string) =>
      [...text.matchAll(pattern)].map(([, ...groups]) => shown(...groups));
    return [
      ...all(
        /^(?:Around it|Imports|It uses): (.+), lines? ([\d-]+)$/gm,
        (path, lines) => `Surrounding code: ${path}:${lines}`,
      ),
      ...all(/^Problems that the editor reports:\n([^]+?)\n\n/gm, (found = '') => `Problems: ${found}`).flatMap(
        (each) => each.split('\n'),
      ),
      ...all(/^Tests in this project use ([^.]+)\./gm, (framework) => `Test framework: ${framework}`),
      ...all(/The new tests will be in (.+)\.$/gm, (path) => `File for the tests: ${path}`),
      ...all(/^An existing test, as an example of the style: (.+)$/gm, (path) => `Example test: ${path}`),
    ];
  }

  function reportProblem({ document }: vscode.TextEditor): void {
    problems.set(document.uri, [new vscode.Diagnostic(new vscode.Range(7, 8, 7, 10), 'Name it.')]);
  }
});

describe('What Generate Tests finds out about a project', function () {
  let bench: PromptBench;
  let root: vscode.Uri;

  let unhurried: Disposable;
  before(() => (unhurried = withoutHurry()));
  after(() => unhurried[Symbol.dispose]());

  before(async () => {
    bench = await PromptBench.open();
    const [first] = vscode.workspace.workspaceFolders ?? [];
    assert.ok(first);
    root = vscode.Uri.joinPath(first.uri, 'tested.project');
  });
  after(async () => {
    await bench[Symbol.asyncDispose]();
    await vscode.workspace.fs.delete(root, { recursive: true });
  });
  afterEach(closeAll);

  async function write(name: string, text: string): Promise<vscode.Uri> {
    const uri = vscode.Uri.joinPath(root, name);
    await vscode.workspace.fs.writeFile(uri, new TextEncoder().encode(text));
    return uri;
  }

  it('is its test framework, an example test, and the place for new ones', async () => {
    await write('package.json', '{"devDependencies": {"jest": "30.0.0"}}');
    await write('lib/deep/sum.js', 'export function sum(a, b) {\n  return a + b;\n}\n');
    await write('lib/deep/product.spec.js', "import { it } from 'vitest';\nit('multiplies', () => {});\n");
    const editor = await vscode.window.showTextDocument(vscode.Uri.joinPath(root, 'lib/deep/sum.js'));
    await select(editor, 'export function sum(a, b) {\n  return a + b;\n}');
    const expected = [
      'Write tests for this code from sum.js. Cover the edge cases. Use the test framework of the project, or else the one usual for the language.',
      'Tests in this project use Vitest. The new tests will be in tested.project/lib/deep/sum.spec.js.',
      "An existing test, as an example of the style: tested.project/lib/deep/product.spec.js\n```javascript\nimport { it } from 'vitest';\nit('multiplies', () => {});\n```",
      '```javascript\nexport function sum(a, b) {\n  return a + b;\n}\n```',
    ].join('\n\n');
    assert.equal(await bench.sent('parlance.generateTests', beside), expected);
    // @parlance lists the example among its references.
    const { document, selection } = editor;
    const location = new vscode.Location(document.uri, selection);
    const code = [{ name: 'sum.js', text: document.getText(selection), language: 'javascript', location }];
    const example = vscode.Uri.joinPath(root, 'lib/deep/product.spec.js').toString();
    const around = await codeAround(code, 'tests', inWindow());
    const told = around.find(({ name }) => name.includes('An existing test'));
    assert.equal(told?.location?.uri.toString(), example);
  });

  it('includes where the code of its reply can be written: to a new file, or to the end of an existing one', async () => {
    await write('lib/deep/minus.js', 'export const minus = (a, b) => a - b;\n');
    await write('lib/deep/product.spec.js', "import { it } from 'vitest';\nit('multiplies', () => {});\n");
    const tests = vscode.Uri.joinPath(root, 'lib/deep/minus.spec.js');
    // The model echoes its question, including the words around the code.
    const code = "import { it } from 'vitest';\nit('multiplies', () => {});\n\nexport const minus = (a, b) => a - b;\n";
    const created = await writtenTests('minus');
    assert.deepEqual([created?.uri.path, created?.getText(), created?.isDirty], [tests.path, code, false]);
    const added = await writtenTests('minus');
    assert.equal(added?.isDirty, true);
    const whole = added?.getText() ?? '';
    assert.ok(whole.startsWith(code) && whole.endsWith('const minus = (a, b) => a - b;\n'), whole);
    assert.ok(whole.length > code.length);
    await vscode.commands.executeCommand('workbench.action.files.revert');
  });

  it('is written once if its lens is clicked twice, and not at all if the reply was cut off', async () => {
    await write('lib/deep/half.js', 'export const half = (a, b) => a - b;\n');
    await write('lib/deep/product.spec.js', "import { it } from 'vitest';\nit('multiplies', () => {});\n");
    // VS Code might still know a file that another test wrote to, and would have to notice its new text.
    await write('lib/deep/half.spec.js', '// Mine\n');
    using answers = new Answers();
    const added = await writtenTests('half', 2);
    assert.deepEqual(answers.notices, []);
    const whole = added?.getText() ?? '';
    assert.equal(whole.split('const half =').length, 2, whole);
    await vscode.commands.executeCommand('workbench.action.files.revert');
    await setUserSettings({ 'parlance.chat.model': 'local/fault-close' });
    try {
      await askForTests('half');
      let titles: readonly string[] = [];
      await eventually('the end of the reply', async () => {
        titles = (await lensesOfReplies()).map(({ title }) => title);
        return titles.length > 0 && !titles.some((title) => title.includes('writing…'));
      });
      assert.deepEqual(
        titles.filter((title) => title.includes('Write to')),
        [],
      );
    } finally {
      await setUserSettings({ 'parlance.chat.model': 'local/echo' });
    }
  });

  it("has the model's name above it while it's still being written", async () => {
    await write('lib/deep/half.js', 'export const half = (a, b) => a - b;\n');
    await write('lib/deep/product.spec.js', "import { it } from 'vitest';\nit('multiplies', () => {});\n");
    await setUserSettings({ 'parlance.chat.model': 'local/slow' });
    try {
      await selectCode('half');
      const asked = vscode.commands.executeCommand('parlance.generateTests', beside);
      const titles = async () => (await lensesOfReplies()).map(({ title }) => title);
      await eventually('the line above it', async () => (await titles()).includes('local/slow · writing…'));
      await vscode.commands.executeCommand('parlance.stopPrompt');
      await asked;
      await eventually('how it ended', async () => (await titles()).some((title) => title.endsWith(' · stopped')));
    } finally {
      await setUserSettings({ 'parlance.chat.model': 'local/echo' });
    }
  });

  async function selectCode(name: string): Promise<void> {
    await closeAll();
    const editor = await vscode.window.showTextDocument(vscode.Uri.joinPath(root, `lib/deep/${name}.js`));
    await select(editor, `export const ${name} = (a, b) => a - b;`);
  }

  async function askForTests(name: string): Promise<void> {
    await selectCode(name);
    const sent = await bench.sent('parlance.generateTests', beside);
    assert.ok(sent.includes(`${name}.spec.js`) && sent.includes('multiplies'), sent);
  }

  async function lensesOfReplies(): Promise<readonly vscode.Command[]> {
    // An untitled document from another test might still be there.
    const untitled = vscode.workspace.textDocuments.filter(({ isUntitled, isClosed }) => isUntitled && !isClosed);
    const lenses = await Promise.all(
      untitled.map(({ uri }) =>
        vscode.commands.executeCommand<vscode.CodeLens[]>('vscode.executeCodeLensProvider', uri),
      ),
    );
    return lenses.flat().flatMap(({ command }) => command ?? []);
  }

  /** Asks for tests, and uses the lens above the reply. */
  async function writtenTests(name: string, clicks = 1): Promise<vscode.TextDocument | undefined> {
    await askForTests(name);
    let lens: vscode.Command | undefined;
    await eventually('the lens', async () => {
      lens = (await lensesOfReplies()).find(
        ({ title }) => title === `$(new-file) Write to tested.project/lib/deep/${name}.spec.js`,
      );
      return lens !== undefined;
    });
    const { command = '', arguments: given = [] } = lens ?? {};
    await Promise.all(Array.from({ length: clicks }, () => vscode.commands.executeCommand(command, ...given)));
    return vscode.window.activeTextEditor?.document;
  }
});
