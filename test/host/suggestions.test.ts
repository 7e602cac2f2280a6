import assert from 'node:assert/strict';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { suggestionPrompt } from '../../src/vscode/chat/suggestions.ts';

describe('A suggestion of the empty chat', () => {
  let folder: string;

  before(async () => {
    const root = vscode.workspace.workspaceFolders?.[0]?.uri.fsPath;
    assert.ok(root !== undefined);
    folder = root;
    await writeFile(join(folder, 'suggested.ts'), 'export const answer = 42;\n');
    await writeFile(join(folder, '.env.suggested'), 'TOKEN=canary\n');
  });
  after(async () => {
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    for (const name of ['suggested.ts', '.env.suggested']) await rm(join(folder, name), { force: true });
  });

  async function show(name: string): Promise<void> {
    const document = await vscode.workspace.openTextDocument(vscode.Uri.file(join(folder, name)));
    await vscode.window.showTextDocument(document);
  }

  it('sends the code that it mentions', async () => {
    await show('suggested.ts');
    assert.match(
      (await suggestionPrompt('explainFile')) ?? '',
      /suggested\.ts\n```typescript\nexport const answer = 42;/,
    );
  });

  it('sends nothing from a file that might contain secrets before the user agreed', async () => {
    await show('.env.suggested');
    // VS Code opens no dialog in a test and says so: that isn't consent either.
    const prompts = await Promise.all(
      ['explainFile', 'testFile'].map((id) => suggestionPrompt(id).catch(() => undefined)),
    );
    assert.deepEqual(prompts, [undefined, undefined]);
  });
});
