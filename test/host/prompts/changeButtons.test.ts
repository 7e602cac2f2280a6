import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { eventually } from '../eventually.ts';
import { PromptBench, proposalSides } from './promptBench.ts';

const code = ['one();', 'same();', 'two();', 'same();', 'three();', 'last();', ''].join('\n');
const changed = code.replace('one', 'first').replace('two', 'second').replace('three', 'third');

const threads: vscode.CommentThread[] = [];
const { createCommentController } = vscode.comments;
// As soon as this file is loaded, because the extension creates its only controller for the first test that needs it.
Reflect.set(vscode.comments, 'createCommentController', (id: string, label: string) => {
  const controller = createCommentController(id, label);
  // It's frozen, so the part that we use is in another object.
  return {
    createCommentThread: (...given: Parameters<vscode.CommentController['createCommentThread']>) => {
      const thread = controller.createCommentThread(...given);
      threads.push(thread);
      return thread;
    },
    dispose: () => controller.dispose(),
  };
});

describe('The buttons of a proposed change', () => {
  let bench: PromptBench;

  before(async () => {
    bench = await PromptBench.open();
  });
  after(() => bench[Symbol.asyncDispose]());
  afterEach(() => vscode.commands.executeCommand('parlance.rejectAllChanges'));

  /** Proposes the three changes, and waits for their buttons. */
  async function propose(name: string) {
    threads.length = 0;
    const editor = await bench.show(`${name}.js`, code, code);
    const prompt = await bench.write(`${name}.prompt.md`, `---\ntarget: replace\n---\n\`\`\`js\n${changed}\`\`\``);
    await bench.sent('parlance.runPromptFile', prompt);
    await eventually('the buttons', () => threads.length === 3);
    const [first, second, third] = threads;
    assert.ok(first && second && third);
    return { document: editor.document, first, second, third };
  }
  const keep = (thread: unknown) => vscode.commands.executeCommand('parlance.acceptChange', thread);
  const discard = (thread: unknown) => vscode.commands.executeCommand('parlance.rejectChange', thread);

  it("decide about the change that they were drawn for, before they're redrawn", async () => {
    const { document, first, second } = await propose('quick');
    await Promise.all([discard(first), keep(second)]);
    assert.equal(document.getText(), code.replace('two', 'second'));
  });

  it('keep two changes that are clicked in one go', async () => {
    const { document, first, second } = await propose('both');
    await Promise.all([keep(first), keep(second)]);
    assert.equal(document.getText(), code.replace('one', 'first').replace('two', 'second'));
  });

  it('come before Keep All: what was just discarded stays discarded, and the rest is kept in one step', async () => {
    const { document, first, second } = await propose('all');
    const decided = [keep(first), discard(second), vscode.commands.executeCommand('parlance.acceptAllChanges')];
    await Promise.all(decided);
    assert.equal(document.getText(), code.replace('one', 'first').replace('three', 'third'));
    await eventually('the diff closed', () => proposalSides() === undefined);
    await vscode.commands.executeCommand('undo');
    assert.equal(document.getText(), code.replace('one', 'first'));
  });

  it('come before Discard All: what was just kept stays kept', async () => {
    const { document, first, third } = await propose('none');
    await Promise.all([keep(first), keep(third), vscode.commands.executeCommand('parlance.rejectAllChanges')]);
    assert.equal(document.getText(), code.replace('one', 'first').replace('three', 'third'));
    await eventually('the diff closed', () => proposalSides() === undefined);
  });

  it("decide once, even if they're pressed twice", async () => {
    const { document, first, second, third } = await propose('twice');
    await Promise.all([discard(first), discard(first)]);
    await eventually('two changes', () => second.label?.endsWith('of 2') === true);
    // VS Code still has the buttons of the first one under the pointer.
    await discard(first);
    await Promise.all([keep(second), keep(third)]);
    assert.equal(document.getText(), code.replace('two', 'second').replace('three', 'third'));
    await eventually('the diff closed', () => proposalSides() === undefined);
  });

  it('decide nothing once VS Code no longer has them', async () => {
    const { document } = await propose('gone');
    const gone = { $mid: 7, commentControlHandle: 0, commentThreadHandle: 999 };
    await keep(gone);
    assert.equal(document.getText(), code);
    await discard(gone);
    await vscode.commands.executeCommand('parlance.acceptAllChanges');
    assert.equal(document.getText(), changed);
  });
});
