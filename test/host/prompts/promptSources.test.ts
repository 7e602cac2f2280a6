import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { PromptCommands } from '../../../src/vscode/prompts/promptCommands.ts';
import { answering } from '../answering.ts';
import { eventually } from '../eventually.ts';
import { withShownRows } from '../shownRows.ts';
import { Answers } from './answers.ts';
import { closeAll, PromptBench } from './promptBench.ts';
import { setSelection } from '../setSelection.ts';

describe('What a prompt is about with a page in front', () => {
  let bench: PromptBench;

  before(async () => {
    bench = await PromptBench.open();
  });
  after(() => bench[Symbol.asyncDispose]());
  afterEach(closeAll);

  const explained = () => bench.sent('parlance.explainSelection', { target: 'beside' });
  const chatTab = async () => {
    await vscode.commands.executeCommand('parlance.openChatInEditor');
    await eventually('the chat tab in front', () => vscode.window.activeTextEditor === undefined);
  };

  it('is the editor behind the only chat tab, which the chat offers too', async () => {
    await bench.show('behind.ts', 'const behind = 1;\nconst more = 2;\n', 'const behind = 1;');
    await chatTab();
    const sent = await explained();
    assert.match(sent, /const behind = 1;/);
    assert.match(sent, /behind\.ts/);
  });

  it('is the editor that was used last, even if only another one is visible', async () => {
    await vscode.window.showTextDocument(await bench.write('visible.ts', 'const visible = 1;\n'), {
      viewColumn: vscode.ViewColumn.Two,
    });
    const used = await vscode.window.showTextDocument(await bench.write('used.ts', 'const used = 1;\n'), {
      viewColumn: vscode.ViewColumn.One,
    });
    await setSelection(used, new vscode.Selection(0, 0, 1, 0));
    await chatTab();
    const visible = () => vscode.window.visibleTextEditors.map(({ document }) => document.uri.path.split('/').at(-1));
    await eventually('only the other one in view', () => visible().join() === 'visible.ts');
    const sent = await explained();
    assert.match(sent, /const used = 1;/);
    assert.doesNotMatch(sent, /visible/);
  });

  it('is the editor behind the walkthrough, whose button runs a prompt', async () => {
    await bench.show('learned.ts', 'const learned = 1;\n', 'const learned = 1;');
    await vscode.commands.executeCommand('workbench.action.openWalkthrough', 'parlance.parlance#start', false);
    await eventually('the walkthrough in front', () => vscode.window.activeTextEditor === undefined);
    assert.match(await explained(), /const learned = 1;/);
  });

  it("isn't an editor behind another extension's page", async () => {
    using person = new Answers();
    await bench.show('hidden.ts', 'const hidden = 1;\n', 'const hidden = 1;');
    vscode.window.createWebviewPanel('parlance-test', 'Another page', vscode.ViewColumn.One);
    await eventually('the page in front', () => vscode.window.activeTextEditor === undefined);
    const before = bench.chats().length;
    await vscode.commands.executeCommand('parlance.explainSelection', { target: 'beside' });
    await person.notice('No editor is open');
    assert.equal(bench.chats().length, before);
  });

  describe('with its own file in front', () => {
    const template = '---\ntarget: beside\n---\n${fileBasename}: ${selection}';
    const run = () => bench.sent('parlance.runPromptFile');

    it('is the editor before it, which it covers', async () => {
      await bench.show('covered.ts', 'const covered = 1;\nconst more = 2;\n', 'const covered = 1;');
      await vscode.window.showTextDocument(await bench.write('covers.prompt.md', template), { preview: false });
      assert.equal(await run(), 'covered.ts: const covered = 1;');
    });

    it('is the editor before it, not just any visible one, nor another prompt file', async () => {
      const shown = async (name: string, text: string, viewColumn: vscode.ViewColumn) =>
        vscode.window.showTextDocument(await bench.write(name, text), { viewColumn, preview: false });
      const app = await shown('app.ts', 'const app = 1;\n', vscode.ViewColumn.One);
      await setSelection(app, new vscode.Selection(0, 0, 0, 14));
      const util = await shown('util.ts', 'const util = 1;\n', vscode.ViewColumn.Two);
      await setSelection(util, new vscode.Selection(0, 0, 0, 15));
      await shown('other.prompt.md', template, vscode.ViewColumn.Three);
      await shown('third.prompt.md', template, vscode.ViewColumn.Three);
      assert.equal(await run(), 'util.ts: const util = 1;');
    });
  });

  /** Prompts that are asked in a chat, whose texts are collected. */
  function askingCommands(
    asked: string[],
    lastEditor: vscode.TextEditor,
    given: Readonly<Record<string, unknown>> = {},
  ): PromptCommands {
    return new PromptCommands({
      lastEditor: () => lastEditor,
      editorBeforePrompt: () => lastEditor,
      checkSetup: async () => undefined,
      chatDefaults: () => ({ model: 'local/echo' }),
      currentChatModel: async () => 'local/slow',
      target: () => 'currentChat',
      confirmAboveTokens: () => null,
      includeSurroundingCode: () => false,
      contextWindowOf: async () => undefined,
      askInChat: async (text: string) => void asked.push(text),
      walkthrough: { done: () => undefined },
      notifier: { problem: ({ title }: { title: string }) => assert.fail(title) },
      userFolder: bench.folder,
      ...given,
    } as never);
  }

  it('is the editor that a chat beside that page offers, for a prompt selected with /', async () => {
    const editor = await bench.show('offered.ts', 'const offered = 1;\n', 'const offered = 1;');
    vscode.window.createWebviewPanel('parlance-test', 'Another page', vscode.ViewColumn.One);
    await eventually('the page in front', () => vscode.window.activeTextEditor === undefined);
    const asked: string[] = [];
    // The chat might have a model of another service, so nothing is missing if the default's lacks its key.
    const commands = askingCommands(asked, editor, { checkSetup: () => Promise.reject(new Error('No key')) });
    try {
      const row = (await commands.findRows('explain')).find(({ label }) => label === '/explain');
      await commands.runRow(row?.id ?? '');
    } finally {
      commands.dispose();
    }
    assert.match(asked.join('\n'), /const offered = 1;/);
  });

  it("is asked in the current chat, which has a model of its own, even if there's no default", async () => {
    const editor = await bench.show('own.ts', 'const own = 1;\n', 'const own = 1;');
    const asked: string[] = [];
    const problems: string[] = [];
    const commands = askingCommands(asked, editor, {
      target: () => undefined,
      chatDefaults: () => ({}),
      explainer: { problem: () => ({ title: 'No model is selected' }) },
      notifier: { problem: ({ title }: { readonly title: string }) => problems.push(title) },
    });
    await commands.runBuiltIn('explain', { target: 'currentChat' });
    assert.deepEqual(problems, []);
    assert.match(asked.join('\n'), /const own = 1;/);
    await commands.runBuiltIn('explain', { target: 'newChat' });
    commands.dispose();
    assert.equal(asked.length, 1);
    assert.deepEqual(problems, ['No model is selected']);
  });

  it('names the model of the current chat in the question about its size, or none for several, and checks no other', async () => {
    const editor = await bench.show('large.ts', 'const large = 1;\n', 'const large = 1;');
    const asked: string[] = [];
    const windows: string[] = [];
    const commands = askingCommands(asked, editor, {
      target: () => undefined,
      confirmAboveTokens: () => 1,
      // The prompt's own model isn't used in a current chat.
      checkSetup: () => Promise.reject(new Error('No key')),
      writtenModel: async (text: string) => text,
      contextWindowOf: async (model: string) => {
        windows.push(model);
        return undefined;
      },
    });
    const prompt = await bench.write('large.prompt.md', '---\nmodel: far/model\n---\nName this, please');
    await vscode.window.showTextDocument(prompt);
    const question = async (target: string, answer?: string) =>
      (await answering(answer, () => commands.runPromptFile({ target }))).asked.join('\n');
    assert.match(await question('currentChat', 'Send'), /^Send ≈\s*\d+ tokens to local\/slow\?$/);
    assert.match(await question('compare'), /^Send ≈\s*\d+ tokens\?$/);
    commands.dispose();
    assert.deepEqual(windows, ['local/slow']);
    assert.deepEqual(asked, ['Name this, please']);
  });

  it("is asked where the command's argument says, even if the prompt is selected in the list or is the file in front", async () => {
    const editor = await bench.show('asked.ts', 'const asked = 1;\n', 'const asked = 1;');
    const asked: string[] = [];
    const commands = askingCommands(asked, editor, { target: () => 'beside' });
    const argument = { target: 'currentChat' };
    await withShownRows(
      () => commands.runPrompt(argument),
      ({ label }) => label === 'Explain',
    );
    const prompt = await bench.write('front.prompt.md', 'From the front');
    await vscode.window.showTextDocument(prompt);
    await commands.runPromptFile(argument);
    commands.dispose();
    assert.equal(asked.length, 2);
    assert.match(asked[0] ?? '', /const asked = 1;/);
    assert.equal(asked[1], 'From the front');
  });
});
