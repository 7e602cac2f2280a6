import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { ModelIndex } from '../../src/core/models/modelIndex.ts';
import { pickConversation } from '../../src/vscode/chat/conversationPick.ts';
import type { ConversationSummary } from '../../src/vscode/conversations/conversationStore.ts';
import { ConversationSearch } from '../../src/vscode/conversations/conversationSearch.ts';
import { eventually } from './eventually.ts';

describe('The list of conversations', () => {
  it('searches the messages for what was typed before its rows were read', async () => {
    const texts = new Map([
      ['a', 'A quokka smiles.'],
      ['b', 'A wombat digs.'],
    ]);
    const summaries = Array.from(texts.keys(), (id): ConversationSummary => ({
      id,
      title: `About ${id}`,
      preview: '',
      messageCount: 2,
      createdAt: 0,
      updatedAt: 0,
      damagedLines: 0,
      used: [],
    }));
    const read = Promise.withResolvers<ConversationSummary[]>();
    const search = new ConversationSearch({
      ids: async () => [...texts.keys()],
      version: async () => '1',
      texts: async (id) => [texts.get(id) ?? ''],
    });
    const { createQuickPick } = vscode.window;
    let pick: vscode.QuickPick<vscode.QuickPickItem> | undefined;
    Object.assign(vscode.window, { createQuickPick: () => (pick = createQuickPick()) });
    try {
      const store = { list: () => read.promise, search: () => search };
      const catalog = { load: () => Promise.resolve(), index: ModelIndex.joined([]) };
      const chosen = pickConversation(store, undefined, catalog);
      assert.ok(pick);
      // As VS Code reports each change of the text in its box.
      const typed = new Promise<string>((resolve) => void pick?.onDidChangeValue(resolve));
      pick.value = 'quokka';
      assert.equal(await typed, 'quokka');
      read.resolve(summaries);
      const shown = () => pick?.items.filter(({ alwaysShow }) => alwaysShow === true).map(({ label }) => label);
      await eventually('the conversation with the word', () => shown()?.length === 1);
      assert.deepEqual(shown(), ['About a']);
      pick.hide();
      assert.equal(await chosen, undefined);
    } finally {
      Object.assign(vscode.window, { createQuickPick });
    }
  });
});
