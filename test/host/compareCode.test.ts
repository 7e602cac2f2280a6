import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { compareCode } from '../../src/vscode/chat/compareCode.ts';
import { ReplyDocuments } from '../../src/vscode/chat/replyDocuments.ts';
import { eventually } from './eventually.ts';
import { Answers } from './prompts/answers.ts';

describe('Code of a reply is compared', () => {
  const replies = new ReplyDocuments();
  let folder: string;

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'parlance-compare-'));
  });
  afterEach(() => vscode.commands.executeCommand('workbench.action.closeAllEditors'));
  after(async () => {
    replies.dispose();
    await rm(folder, { recursive: true, force: true });
  });

  it('with the file of the last editor, which is on the left', async () => {
    const file = join(folder, 'tasks.ts');
    await writeFile(file, 'let old;\n');
    const editor = await vscode.window.showTextDocument(await vscode.workspace.openTextDocument(file));
    await compareCode('let now;\n', { ofUser: editor }, replies);
    await eventually('the comparison is open', () => shownDiff() !== undefined);
    const { original, modified } = shownDiff() ?? {};
    assert.equal(original?.fsPath, vscode.Uri.file(file).fsPath);
    assert.ok(modified !== undefined);
    assert.ok(modified.path.endsWith('/tasks.ts'), 'its ending gives the code the colors of the file');
    assert.equal(replies.provideTextDocumentContent(modified), 'let now;\n');
    assert.equal(vscode.window.tabGroups.activeTabGroup.activeTab?.label, 'tasks.ts ↔ Code from Reply');
  });

  it('with nothing until a file has been opened', async () => {
    using answers = new Answers();
    const comparing = compareCode('let now;\n', { ofUser: undefined }, replies);
    const { press, buttons } = await answers.notice('No editor is open to compare the code with.');
    assert.deepEqual(buttons, ['Select File…']);
    press(undefined);
    await comparing;
    assert.equal(shownDiff(), undefined);
  });
});

function shownDiff(): vscode.TabInputTextDiff | undefined {
  const input = vscode.window.tabGroups.activeTabGroup.activeTab?.input;
  return input instanceof vscode.TabInputTextDiff ? input : undefined;
}
