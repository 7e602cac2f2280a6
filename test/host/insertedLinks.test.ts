import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { insertCode } from '../../src/vscode/platform/codeActs.ts';
import { answering } from './answering.ts';
import { eventually } from './eventually.ts';
import { Answers } from './prompts/answers.ts';
import { closeAll, PromptBench, proposalSides } from './prompts/promptBench.ts';
import { setSelection } from './setSelection.ts';

const question = 'This text contains a link that runs a VS Code command';
const several = 'This text contains links that run VS Code commands';
const link = '[words](command:f0)';

describe("A link that runs a command goes into the user's file only after a confirmation", () => {
  let bench: PromptBench;

  before(async () => {
    bench = await PromptBench.open();
  });
  after(() => bench[Symbol.asyncDispose]());
  afterEach(closeAll);

  it('when a reply is inserted', async () => {
    const editor = await bench.show('inserted.md', 'mine\n');
    const no = await answering(undefined, () => insertCode(`${link} `, { ofUser: editor }));
    assert.deepEqual(no.asked, [question]);
    assert.match(no.details[0] ?? '', /this command without asking:\n\ncommand:f0$/u);
    assert.equal(editor.document.getText(), 'mine\n');
    const yes = await answering('Use Anyway', () => insertCode(`${link} `, { ofUser: editor }));
    assert.deepEqual(yes.asked, [question]);
    assert.equal(editor.document.getText(), `${link} mine\n`);
    await setSelection(editor, new vscode.Selection(0, 0, 0, link.length));
    const again = await answering(undefined, () => insertCode(`${link} and`, { ofUser: editor }));
    assert.deepEqual(again.asked, [], 'it replaces the same link');
    assert.equal(editor.document.getText(), `${link} and mine\n`);
  });

  it('with the first of many links named, each once', async () => {
    const editor = await bench.show('many.md', 'mine\n');
    const links = [0, 0, 1, 2, 3, 4, 5].map((each) => link.replace('f0', `f${each}`)).join(' ');
    const { asked, details } = await answering(undefined, () => insertCode(links, { ofUser: editor }));
    assert.deepEqual(asked, [several]);
    const named = details[0]?.split('\n\n')[1];
    assert.equal(named, 'command:f0\ncommand:f1\ncommand:f2\ncommand:f3 and 2 more');
  });

  it('not in a language where VS Code detects no such links', async () => {
    const editor = await bench.show('inserted.ts', 'mine\n');
    const { asked } = await answering(undefined, () => insertCode(`// ${link}\n`, { ofUser: editor }));
    assert.deepEqual(asked, []);
    assert.equal(editor.document.getText(), `// ${link}\nmine\n`);
  });

  it('even if half of it was there', async () => {
    const editor = await bench.show('half.md', '[docs]()\n');
    await setSelection(editor, new vscode.Selection(0, 7, 0, 7));
    const { asked } = await answering(undefined, () => insertCode('command:f0', { ofUser: editor }));
    assert.deepEqual(asked, [question]);
    assert.equal(editor.document.getText(), '[docs]()\n');
  });

  it('when a prompt writes at the cursor, even after invisible characters were confirmed', async () => {
    const reply = `one\u200Btwo ${'word '.repeat(40)}${link}`;
    const prompt = await bench.write('hidden.prompt.md', `---\ntarget: cursor\n---\n${reply}`);
    const { document } = await bench.show('hidden.md', 'first\n', 'first');
    using answers = new Answers();
    const asked: string[] = [];
    answers.onDialog = async (text) => {
      asked.push(text);
      return text.startsWith('The workspace prompt') ? 'Send Anyway' : 'Use Anyway';
    };
    await vscode.commands.executeCommand('parlance.runPromptFile', prompt);
    await eventually('the reply', () => document.getText().includes(link));
    assert.deepEqual(asked.slice(1), ['This code contains invisible characters', question]);
  });

  it('when a prompt writes at the cursor, with all its links at once, and once for all cursors', async () => {
    const reply = `${'word '.repeat(40)}${link} and ${link.replace('f0', 'f1')}`;
    const prompt = await bench.write('cursor.prompt.md', `---\ntarget: cursor\n---\n${reply}`);
    const run = async () => void (await vscode.commands.executeCommand('parlance.runPromptFile', prompt));
    const { document } = await bench.show('no.md', 'first\nsecond\n', 'first');
    const no = await answering(undefined, async (asked) => {
      await run();
      await eventually('the question', () => asked.length > 0);
    });
    assert.deepEqual(no.asked, [several]);
    assert.ok(!document.getText().includes('command:'), document.getText());

    const other = await bench.show('yes.md', 'first\nsecond\n');
    await setSelection(other, ...[0, 1].map((line) => new vscode.Selection(line, 0, line, 0)));
    const both = () => other.document.getText().split('(command:f1)').length === 3;
    const yes = await answering('Use Anyway', async () => {
      await run();
      await eventually('the reply at both cursors', both);
    });
    assert.deepEqual(yes.asked, [several]);
    assert.match(yes.details[0] ?? '', /its command without asking:\n\ncommand:f0\ncommand:f1$/u);
  });

  it('when a proposed change is kept, alone or with the others', async () => {
    const prompt = await bench.write('kept.prompt.md', `---\ntarget: replace\n---\n${link}\n`);
    for (const [command, ...rest] of [['parlance.acceptChange', 0], ['parlance.acceptAllChanges']] as const) {
      const { document } = await bench.show('kept.md', 'first\n\nsecond\n', 'second');
      const opening = await answering(undefined, async () => {
        await vscode.commands.executeCommand('parlance.runPromptFile', prompt);
        await eventually('a proposal', () => proposalSides() !== undefined);
      });
      assert.ok(!opening.asked.includes(question));
      const sides = proposalSides();
      const keep = async () => void (await vscode.commands.executeCommand(command, sides?.proposed, ...rest));
      await eventually('the question', async () => (await answering(undefined, keep)).asked.includes(question));
      assert.equal(document.getText(), 'first\n\nsecond\n');
      await answering('Use Anyway', keep);
      await eventually('the change', () => document.getText().includes(link));
      await closeAll();
    }
  });
});
