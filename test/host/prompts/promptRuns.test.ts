import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { LogEntry } from '../../service/inferenceLog.ts';
import { eventually } from '../eventually.ts';
import { withShownRows } from '../shownRows.ts';
import { setUserSettings } from '../userSettings.ts';
import { Answers } from './answers.ts';
import { MemoryFiles } from './memoryFiles.ts';
import { closeAll, documentBeside, messageOf, PromptBench, proposalSides } from './promptBench.ts';
import { setSelection } from '../setSelection.ts';

const code = [
  'function sum(list) {',
  '  let total = 0;',
  '  for (const item of list) {',
  '    total += item;',
  '  }',
  '  return total;',
  '}',
  '',
].join('\n');
const body = '  let total = 0;\n  for (const item of list) {\n    total += item;\n  }\n';
const [first, middle, last] = ['  let total = 0;\n', '    total += item;\n', '  return total;\n'] as const;
const top = new vscode.Position(0, 0);

describe('A run of a prompt', () => {
  let bench: PromptBench;
  let person: Answers;

  const open = async (credits?: number) => {
    bench = await PromptBench.open(credits);
    person = new Answers();
  };
  const typeAbove = (editor: vscode.TextEditor) => editor.edit((edit) => edit.insert(top, '// typed\n'));
  const messages = () => bench.chats().map(messageOf);

  afterEach(async () => {
    person[Symbol.dispose]();
    await bench[Symbol.asyncDispose]();
  });

  describe('with questions', () => {
    beforeEach(() => open());

    it('uses the typed answer and the selection at its current position', async () => {
      const editor = await bench.show('typed.js', code, body);
      const prompt = await bench.write(
        'typed.prompt.md',
        '---\ntarget: beside\n---\n${input:tone:Which tone?}|${input:tone}|${selection}|${input:more}',
      );
      const asked: string[] = [];
      person.onInput = async (words) => {
        asked.push(words);
        await typeAbove(editor);
        return `${words} \${selection}`;
      };
      const answer = 'Which tone? ${selection}';
      assert.equal(
        await bench.sent('parlance.runPromptFile', prompt),
        `${answer}|${answer}|${body}|more \${selection}`,
      );
      assert.deepEqual(asked, ['Which tone?', 'more']);
      person.onInput = async () => undefined;
      const before = messages().length;
      await vscode.commands.executeCommand('parlance.runPromptFile', prompt);
      assert.equal(messages().length, before);
    });

    it('is sent once if it is asked for again before the first request is sent, and again after that', async () => {
      await bench.show('twice.js', code, body);
      const prompt = await bench.write('twice.prompt.md', '---\ntarget: beside\n---\n${input:word} ${selection}');
      const run = () => vscode.commands.executeCommand('parlance.runPromptFile', prompt);
      const before = messages().length;
      // The first run isn't sent before the others have been asked for.
      const answered = Promise.withResolvers<void>();
      let questions = 0;
      person.onInput = async () => {
        questions += 1;
        await answered.promise;
        return 'Twice:';
      };
      const asked = run();
      await eventually('the question', () => questions === 1);
      const others = Promise.all([run(), run()]);
      await Promise.race([others, eventually('another question', () => questions > 1)]);
      answered.resolve();
      await Promise.all([asked, others]);
      assert.deepEqual(messages().slice(before), [`Twice: ${body}`]);
      await run();
      assert.equal(messages().length, before + 2);
    });

    it('is sent once if it is asked for twice while its file is read, however long the second read takes', async () => {
      const held: (() => void)[] = [];
      const files = new MemoryFiles({ '/slow.prompt.md': '---\ntarget: beside\n---\nRead slowly' });
      const read = files.readFile.bind(files);
      const readFile = async (uri: vscode.Uri): Promise<Uint8Array> => {
        await new Promise<void>((resolve) => held.push(resolve));
        return read(uri);
      };
      const slow = Object.assign(files, { readFile });
      const registered = vscode.workspace.registerFileSystemProvider('parlance-slow', slow, { isReadonly: true });
      try {
        const prompt = vscode.Uri.parse('parlance-slow:/slow.prompt.md');
        const before = messages().length;
        const runs = [1, 2].map(() => vscode.commands.executeCommand('parlance.runPromptFile', prompt));
        await eventually('both reads', () => held.length === 2);
        held[0]?.();
        await Promise.race(runs);
        assert.deepEqual(messages().slice(before), ['Read slowly']);
        held[1]?.();
        await Promise.all(runs);
        assert.equal(messages().length, before + 1);
        const again = vscode.commands.executeCommand('parlance.runPromptFile', prompt);
        await eventually('another read', () => held.length === 3);
        held[2]?.();
        await again;
        assert.equal(messages().length, before + 2);
      } finally {
        registered.dispose();
      }
    });

    it('asks before it sends more than the setting allows', async () => {
      await setUserSettings({ 'parlance.prompts.confirmAboveTokens': 10 });
      await bench.show('large.js', code, body);
      const asked: string[] = [];
      const answering = (button: string | undefined) => async (question: string) => {
        asked.push(question);
        return button;
      };
      person.onDialog = answering(undefined);
      await vscode.commands.executeCommand('parlance.runSelection', { target: 'beside' });
      assert.match(asked.join('\n'), /^Send ≈ \d+ tokens to local\/echo\?$/);
      assert.deepEqual(messages(), []);
      person.onDialog = answering('Send');
      assert.equal(await bench.sent('parlance.runSelection', { target: 'beside' }), body);
      assert.equal(asked.length, 2);
      await setUserSettings({ 'parlance.prompts.confirmAboveTokens': null });
      assert.equal(await bench.sent('parlance.runSelection', { target: 'beside' }), body);
      assert.equal(asked.length, 2);
    });

    it('proposes a change to the text that was sent, not to text that was typed since', async () => {
      await setUserSettings({ 'parlance.prompts.confirmAboveTokens': 10 });
      const editor = await bench.show('since.js', code, body);
      person.onDialog = async () => {
        await typeAbove(editor);
        await editor.edit((edit) => edit.replace(new vscode.Range(2, 6, 2, 11), 'mine'));
        return 'Send';
      };
      assert.equal(await bench.sent('parlance.runSelection', { target: 'replace' }), body);
      await person.notice('The model suggested no changes');
      assert.equal(proposalSides(), undefined);
      assert.equal(editor.document.getText(), `// typed\n${code.replace('let total', 'let mine')}`);
    });

    it('sends nothing if the selected text is gone by then', async () => {
      await setUserSettings({ 'parlance.prompts.confirmAboveTokens': 10 });
      const editor = await bench.show('gone.js', code, body);
      person.onDialog = async () => {
        await editor.edit((edit) => edit.replace(new vscode.Range(0, 0, 3, 0), ''));
        return 'Send';
      };
      await vscode.commands.executeCommand('parlance.runSelection', { target: 'replace' });
      await person.notice('The selection has changed');
      assert.deepEqual(messages(), []);
    });
  });

  describe('that suggests no changes', () => {
    beforeEach(() => open());

    it("doesn't take the focus from an editor that the user has gone to", async () => {
      bench.service.setSpeed(1);
      await bench.show('same.js', code, body);
      const running = bench.sent('parlance.runSelection', { target: 'replace' });
      await eventually('the diff', () => proposalSides() !== undefined);
      const other = await bench.show('other.js', 'other');
      bench.service.setSpeed(Number.POSITIVE_INFINITY);
      assert.equal(await running, body);
      await person.notice('The model suggested no changes');
      assert.equal(proposalSides(), undefined);
      assert.equal(vscode.window.activeTextEditor?.document, other.document);
    });

    it('leads back to the code if the user is still looking at the diff', async () => {
      const editor = await bench.show('same.js', code, body);
      assert.equal(await bench.sent('parlance.runSelection', { target: 'replace' }), body);
      await person.notice('The model suggested no changes');
      assert.equal(proposalSides(), undefined);
      assert.equal(vscode.window.activeTextEditor?.document, editor.document);
    });
  });

  describe('that is run again', () => {
    it('sends the selection at its current position', async () => {
      await open();
      await setUserSettings({ 'parlance.chat.model': 'local/fault-error-later' });
      const editor = await bench.show('again.js', code, body);
      await bench.sent('parlance.runSelection', { target: 'beside' });
      const notice = await person.offer('Run Again');
      await typeAbove(editor);
      await editor.edit((edit) => edit.insert(new vscode.Position(2, 16), ' // and here'));
      await setUserSettings({ 'parlance.chat.model': 'local/echo' });
      const received = await bench.sentBy(async () => notice.press('Run Again'));
      assert.equal(received, body.replace('0;', '0; // and here'));
    });

    it("repeats only what isn't done, and releases the document afterwards", async () => {
      // The service asks for payment after the first request.
      await open(1e-9);
      person.onDialog = async () => 'Send';
      const editor = await bench.show('rest.js', code, first, middle, last);
      using listeners = new DocumentListeners();
      await vscode.commands.executeCommand('parlance.runSelection', { target: 'cursor' });
      const notice = await person.offer('Run Again');
      assert.deepEqual(messages().slice(0, 2), [first, middle]);
      await typeAbove(editor);
      bench.service.addCredits(1);
      const before = messages().length;
      assert.ok(listeners.count > 0);
      notice.press('Run Again');
      const wanted = `// typed\n${code.replace(/^ +(?:let|total|return).*$/gm, '$&\n$&')}`;
      await eventually('the other replies', () => editor.document.getText() === wanted);
      assert.deepEqual(messages().slice(before), [middle, last]);
      await eventually('no listener', () => listeners.count === 0);
    });

    describe('with another model', () => {
      /** Presses the button, and selects the model. @returns what was sent then */
      const selecting = (model: string, button = 'Select Another Model…') =>
        withShownRows(
          async () => {
            const before = messages().length;
            (await person.offer(button)).press(button);
            await eventually('the request', () => messages().length > before);
          },
          (row) => row.model === model,
        );
      const lastSent = () => [bench.chats().at(-1)?.model, messages().at(-1)];
      const defaultModel = () => vscode.workspace.getConfiguration().get('parlance.chat.model');

      beforeEach(async () => {
        await open();
        await vscode.commands.executeCommand('parlance.refreshModels');
      });

      it('selected in place of the default, makes it the default, not the model of a hidden chat', async () => {
        await vscode.commands.executeCommand('parlance.newChat');
        await vscode.commands.executeCommand('workbench.action.closeAuxiliaryBar');
        await setUserSettings({ 'parlance.chat.model': 'local/error-404' });
        await bench.show('other.js', code, body);
        await bench.sent('parlance.runSelection', { target: 'beside' });
        await selecting('local/echo');
        assert.deepEqual([lastSent(), defaultModel()], [['local/echo', body], 'local/echo']);
      });

      it("selected in place of the prompt's own, leaves the default as it is", async () => {
        const own = '---\nmodel: local/error-404\ntarget: beside\n---\n${selection}';
        const prompt = await bench.write('own.prompt.md', own);
        await bench.show('own.js', code, body);
        await bench.sent('parlance.runPromptFile', prompt);
        await selecting('local/fast');
        assert.deepEqual([lastSent(), defaultModel()], [['local/fast', body], 'local/echo']);
      });

      it('selected in place of one whose service was removed', async () => {
        const services = vscode.workspace.getConfiguration().get<readonly object[]>('parlance.services', []);
        const gone = { id: 'gone', name: 'Gone', baseUrl: 'http://gone.test/v1' };
        await setUserSettings({ 'parlance.services': [...services, gone] });
        await setUserSettings({ 'parlance.services': services });
        const own = '---\nmodel: gone/local/echo\ntarget: beside\n---\n${selection}';
        const prompt = await bench.write('gone.prompt.md', own);
        await bench.show('gone.js', code, body);
        await vscode.commands.executeCommand('parlance.runPromptFile', prompt);
        await selecting('local/fast', 'Select Model…');
        assert.deepEqual([lastSent(), defaultModel()], [['local/fast', body], 'local/echo']);
      });
    });

    it('sends only the selection even if half a reply is below it', async () => {
      await open();
      const half = await bench.write(
        'half.prompt.md',
        '---\nmodel: local/fault-error-later\ntarget: cursor\n---\n${selection}',
      );
      const editor = await bench.show('half.js', code, middle);
      await bench.sent('parlance.runPromptFile', half);
      const notice = await person.offer('Run Again');
      assert.notEqual(editor.document.getText(), code);
      assert.equal(await bench.sentBy(async () => notice.press('Run Again')), middle);
    });
  });

  describe('on several selections', () => {
    const reply = '```js\nlet sum = 0;\n```';

    it('lets the user apply the replies that arrived before one failed', async () => {
      await open(1e-9);
      person.onDialog = async () => 'Send';
      const prompt = await bench.write('parts.prompt.md', `---\ntarget: replace\n---\n${reply}`);
      const editor = await bench.show('parts.js', code, first, last);
      await vscode.commands.executeCommand('parlance.runPromptFile', prompt);
      await person.offer('Run Again');
      await eventually('a proposal', () => proposalSides() !== undefined);
      await vscode.commands.executeCommand('parlance.acceptAllChanges');
      assert.equal(editor.document.getText(), code.replace('total', 'sum'));
    });

    it('lets the user apply the replies that arrived before it was stopped', async () => {
      await open();
      await setUserSettings({ 'parlance.chat.model': 'local/slow' });
      person.onDialog = async () => 'Send';
      const [one, two] = ['Write 3 tokens about trees', 'Write 400 tokens about trees'] as const;
      const editor = await bench.show('stopped.txt', `${one}\n\n${two}\n`, one, two);
      const running = vscode.commands.executeCommand('parlance.runSelection', { target: 'replace' });
      await bench.service.waitForEntry((entry) => isOf(entry, two), 60_000);
      await vscode.commands.executeCommand('parlance.stopPrompt');
      await running;
      await person.notice('1 of 2 replies are complete');
      await vscode.commands.executeCommand('parlance.acceptAllChanges');
      const text = editor.document.getText();
      assert.ok(!text.startsWith(one) && text.endsWith(`\n\n${two}\n`), text);
    });

    it('ends with Discard All: neither its request nor the next one continues', async () => {
      await open();
      await setUserSettings({ 'parlance.chat.model': 'local/slow' });
      person.onDialog = async () => 'Send';
      const [one, two] = ['Write 400 tokens about trees', 'Write 400 tokens about rivers'] as const;
      const editor = await bench.show('discarded.txt', `${one}\n\n${two}\n`, one, two);
      const before = editor.document.getText();
      const running = vscode.commands.executeCommand('parlance.runSelection', { target: 'replace' });
      await bench.service.waitForEntry((entry) => isOf(entry, one), 60_000);
      await eventually('a proposal', () => proposalSides() !== undefined);
      await vscode.commands.executeCommand('parlance.rejectAllChanges');
      await running;
      await eventually('the end of the request', () => bench.chats()[0]?.outcome === 'canceled');
      assert.deepEqual(messages(), [one]);
      assert.equal(editor.document.getText(), before);
    });

    it("closes its proposed change if it's stopped before the first reply is complete", async () => {
      await open();
      await setUserSettings({ 'parlance.chat.model': 'local/slow' });
      const words = 'Write 400 tokens about trees';
      const editor = await bench.show('early.txt', words, words);
      const running = vscode.commands.executeCommand('parlance.runSelection', { target: 'replace' });
      await bench.service.waitForEntry((entry) => isOf(entry, words), 60_000);
      await eventually('a proposal', () => proposalSides() !== undefined);
      await vscode.commands.executeCommand('parlance.stopPrompt');
      await running;
      assert.equal(proposalSides(), undefined);
      assert.equal(editor.document.getText(), words);
    });
  });

  describe('whose proposed change is being decided', () => {
    const lines = ['one();', 'same();', 'two();', 'same();', 'three();', ''];
    // An invisible character in each change, so that keeping it asks first.
    const reply = ['fir\u200bst();', 'same();', 'sec\u200bond();', 'same();', 'thi\u200brd();'].join('\n');
    const whole = lines.join('\n');

    beforeEach(() => open());

    /** Proposes three changes. While the user is asked about hidden characters, the first of their lines is edited. */
    async function propose(name: string): Promise<vscode.TextDocument> {
      const { document } = await bench.show(`${name}.js`, whole, whole);
      const prompt = await bench.write(`${name}.prompt.md`, `---\ntarget: replace\n---\n\`\`\`js\n${reply}\n\`\`\``);
      person.onDialog = async () => 'Send Anyway';
      await vscode.commands.executeCommand('parlance.runPromptFile', prompt);
      await eventually('a proposal', () => proposalSides() !== undefined);
      person.onDialog = async () => {
        const edit = new vscode.WorkspaceEdit();
        edit.replace(document.uri, new vscode.Range(0, 0, 0, 3), 'mine');
        assert.ok(await vscode.workspace.applyEdit(edit));
        return 'Use Anyway';
      };
      return document;
    }

    it('keeps no other change in place of one whose line the user has just edited', async () => {
      const document = await propose('one');
      await vscode.commands.executeCommand('parlance.acceptChange', proposalSides()?.proposed, 0);
      assert.equal(document.getText(), whole.replace('one', 'mine'));
      assert.match((await person.notice('You edited the same lines')).text, /: 1\./);
    });

    it('says which line Keep All has left out because the user has just edited it', async () => {
      const document = await propose('all');
      await vscode.commands.executeCommand('parlance.acceptAllChanges');
      const kept = ['mine();', ...reply.split('\n').slice(1), ''].join('\n');
      assert.equal(document.getText(), kept);
      assert.match((await person.notice('You edited the same lines')).text, /: 1\./);
    });
  });

  it('at several cursors writes a reply at each, in one undo step', async () => {
    await open();
    const lines = 'if (a) {\n  \n}\nif (b) {\n  \n}\n\n';
    const prompt = await bench.write('cursors.prompt.md', '---\ntarget: cursor\n---\n```js\none();\ntwo();\n```');
    // Not a file: if VS Code saves one during the test, that adds an undo step.
    const document = await vscode.workspace.openTextDocument({ language: 'javascript', content: lines });
    const editor = await vscode.window.showTextDocument(document);
    await setSelection(
      editor,
      ...[4, 1, 6].map((line) => {
        const { end } = document.lineAt(line).range;
        return new vscode.Selection(end, end);
      }),
    );
    await bench.sent('parlance.runPromptFile', prompt);
    const wanted = 'if (a) {\n  one();\n  two();\n}\nif (b) {\n  one();\n  two();\n}\none();\ntwo();\n';
    await eventually('the replies', () => document.getText() === wanted);
    await vscode.window.showTextDocument(document);
    await vscode.commands.executeCommand('undo');
    assert.equal(document.getText(), lines);
  });

  it('on several cells of a notebook sends all of them and shows its reply in a document to the side', async () => {
    await open();
    const cells = ['a()', '', 'b()', 'c()'].map(
      (text) => new vscode.NotebookCellData(vscode.NotebookCellKind.Code, text, 'python'),
    );
    const notebook = await vscode.workspace.openNotebookDocument('jupyter-notebook', new vscode.NotebookData(cells));
    const editor = await vscode.window.showNotebookDocument(notebook);
    await vscode.commands.executeCommand('notebook.cell.quitEdit');
    // oxlint-disable-next-line parlance/settled-selections -- a notebook's, and the next line waits for it
    editor.selections = [new vscode.NotebookRange(0, 3)];
    await eventually('the cells', () => vscode.window.activeNotebookEditor?.selection.end === 3);
    assert.equal(await bench.sent('parlance.runSelection', { target: 'cursor' }), 'a()\nb()');
    await person.notice('Several cells are selected');
    await eventually('the reply', () => documentBeside()?.getText() === 'a()\nb()');
    await closeAll();
  });
});

/** A request is recorded before its body is read. */
function isOf(entry: LogEntry, words: string): boolean {
  return entry.kind === 'chat' && entry.requestBody !== undefined && messageOf(entry) === words;
}

/** Counts edit listeners from now on. */
class DocumentListeners implements Disposable {
  readonly #original = vscode.workspace.onDidChangeTextDocument;
  count = 0;

  constructor() {
    Reflect.set(vscode.workspace, 'onDidChangeTextDocument', (listen: () => void) => {
      const listener = this.#original(listen);
      let isOn = true;
      this.count += 1;
      return {
        dispose: () => {
          if (isOn) this.count -= 1;
          isOn = false;
          listener.dispose();
        },
      };
    });
  }

  [Symbol.dispose](): void {
    Reflect.set(vscode.workspace, 'onDidChangeTextDocument', this.#original);
  }
}
