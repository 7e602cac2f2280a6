import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { modelRef } from '../../src/shared/modelRef.ts';
import { StatusItem } from '../../src/vscode/statusBar/statusItem.ts';
import { useServiceNames } from '../../src/words/modelLabel.ts';
import { clearUserSettings, setUserSettings } from './userSettings.ts';

describe('The model in the status bar', () => {
  const { createStatusBarItem } = vscode.window;
  let shown: vscode.StatusBarItem;
  let chat: vscode.StatusBarItem;
  let item: StatusItem;

  before(() => {
    // The extension has registered the real ID.
    const own = (id: string) => {
      const created = createStatusBarItem(`${id}.test`, vscode.StatusBarAlignment.Right);
      if (id === 'parlance.chat') chat = created;
      else shown = created;
      return created;
    };
    Object.assign(vscode.window, { createStatusBarItem: own });
    item = new StatusItem();
  });
  after(async () => {
    Object.assign(vscode.window, { createStatusBarItem });
    item.dispose();
    useServiceNames({});
    await clearUserSettings();
  });

  it("has to be selected if there's no default, whichever service is first", async () => {
    await clearUserSettings();
    useServiceNames({ b: 'Hosted' });
    item.showChat(modelRef('b', 'local/echo'));
    assert.match(shown.text, /^echo$/);
    item.showChat(undefined);
    assert.match(shown.text, /Select Model$/);
    assert.match(shown.accessibilityInformation?.label ?? '', /^Parlance: Select Model, /);
  });

  it('is that of the visible chat, beside the default that prompts use, or the default if none is visible', async () => {
    await setUserSettings({ 'parlance.chat.model': 'local/echo' });
    useServiceNames({});
    const tooltip = () => (shown.tooltip instanceof vscode.MarkdownString ? shown.tooltip.value : '');
    item.showChat('local/fast');
    assert.equal(shown.text, 'fast');
    assert.match(tooltip(), /^\*\*local.*fast\*\*\n\nDefault for prompts and commit messages: local.*echo\n/);
    for (const same of [undefined, 'local/echo']) {
      item.showChat(same);
      assert.equal(shown.text, 'echo');
      assert.doesNotMatch(tooltip(), /Default for/);
    }
    item.showChat(undefined);
  });

  it('is behind an icon that opens the chat, and says whether a request is running', () => {
    assert.equal(chat.command, 'parlance.openChat');
    assert.equal(chat.accessibilityInformation?.label, 'Open Chat');
    assert.equal(shown.command, 'parlance.selectModel');
    assert.equal(chat.text, '$(comment-discussion)');
    item.tell({ isRunning: true, lines: [], notes: [] });
    assert.equal(chat.text, '$(loading~spin)');
    item.tell({ isRunning: false, lines: [], notes: [] });
    item.tellEnd({ icon: 'check', words: 'Fix · 84 tok/s' });
    assert.deepEqual([chat.text, shown.text], ['$(check)', 'Fix · 84 tok/s']);
  });

  it('has the name of its service from the start, as it was last known', async () => {
    await setUserSettings({ 'parlance.chat.model': 'c/local/echo' });
    item.dispose();
    item = new StatusItem([{ b: 'Hosted', c: 'Garage' }, {}]);
    assert.match(shown.text, /^echo \(Garage\)$/);
    for (const kept of [undefined, 'x', [], [null], [{ b: 1 }]]) {
      useServiceNames({});
      item.dispose();
      item = new StatusItem(kept);
      assert.match(shown.text, /local\/echo$/, JSON.stringify(kept));
    }
  });

  it('has the name of its service as soon as there are several, and follows a rename', async () => {
    await setUserSettings({ 'parlance.chat.model': 'local/echo' });
    useServiceNames({ b: 'Hosted' });
    assert.match(shown.text, /^echo$/);
    useServiceNames({ b: 'Hosted', c: 'Garage' });
    assert.match(shown.text, /^echo \(Hosted\)$/);
    item.showChat(modelRef('c', 'local/echo'));
    assert.match(shown.text, /^echo \(Garage\)$/);
    useServiceNames({ b: 'Hosted', c: 'Attic' });
    assert.match(shown.text, /^echo \(Attic\)$/);
    item.showChat(undefined);
    assert.match(shown.text, /^echo \(Hosted\)$/);
  });
});
