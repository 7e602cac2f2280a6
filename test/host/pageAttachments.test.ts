import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { Attachment } from '../../src/shared/attachment.ts';
import { answering } from './answering.ts';
import { attachmentsPage } from './attachmentsPage.ts';
import { eventually } from './eventually.ts';

const conversation = '9b2f3a60-4a0e-4d8e-9d3a-0f6f2f2b7c11';

describe('What is sent with the next message', () => {
  // No AsyncDisposableStack: the Node of the lowest VS Code has none.
  const cleanups: (() => unknown)[] = [];
  after(async () => {
    for (const cleanUp of cleanups.toReversed()) await cleanUp();
  });

  it('is shown without a request, as an earlier window left it; only adding something fetches the models', async () => {
    let asked = 0;
    const list = () => {
      asked += 1;
      return Promise.resolve([]);
    };
    const { attachments, catalog, page } = await attachmentsPage(cleanups, { conversation, list });

    const chip: Attachment = { kind: 'file', id: crypto.randomUUID(), name: 'a.ts', detail: 'a.ts', tokens: 1, at: 1 };
    await attachments.store.changeDraft(conversation, () => [chip]);
    await attachments.drafts.load(conversation);
    assert.deepEqual(page.view().items, [chip]);
    // It has only checked the disk, and that is finished.
    await catalog.load();
    assert.equal(asked, 0);

    const id = crypto.randomUUID();
    page.handlers.addText({ type: 'addText', conversationId: conversation, id, name: 'b.txt', text: 'b' });
    await eventually('it is added', () => page.view().items.length === 2);
    assert.equal(asked, 1);

    // Only the name of a file from outside VS Code is known.
    const addSecret = (answer: string | undefined) =>
      answering(answer, async () => {
        const dropped = { conversationId: conversation, id: crypto.randomUUID(), name: '.ENV', text: 'TOKEN=1' };
        page.handlers.addText({ type: 'addText', ...dropped });
        await page.chosen(conversation, []);
      });
    const no = await addSecret(undefined);
    assert.deepEqual([no.asked.length, page.view().items.length], [1, 2]);
    await addSecret('Send Anyway');
    assert.equal(page.view().items.length, 3);
  });

  it('has both of two files from outside VS Code with one name, and the one at the top of the open folder', async () => {
    const conversationId = crypto.randomUUID();
    const { page } = await attachmentsPage(cleanups, { conversation: conversationId });
    const named = { type: 'addText', conversationId, name: 'README.md' } as const;
    for (const text of ['one', 'other']) page.handlers.addText({ ...named, id: crypto.randomUUID(), text });
    await page.chosen(conversationId, []);
    await page.addFiles(await vscode.workspace.findFiles('README.md', undefined, 1));
    assert.deepEqual(
      page.view().items.map(({ name, detail }) => [name, detail]),
      ['…/README.md', '…/README.md', 'README.md'].map((detail) => ['README.md', detail]),
    );
  });

  it('moves the focus to the message box before anything is stored, which might wait for a locked file', async () => {
    const shownAtFocus: number[] = [];
    const conversationId = crypto.randomUUID();
    const { page } = await attachmentsPage(cleanups, {
      conversation: conversationId,
      focused: () => shownAtFocus.push(page.view().items.length),
    });
    await page.addFiles(await vscode.workspace.findFiles('README.md', undefined, 1));
    assert.deepEqual([page.view().items.length, shownAtFocus], [1, [0]]);

    page.handlers.addText({ type: 'addText', conversationId, id: crypto.randomUUID(), name: 'b.txt', text: 'b' });
    await eventually('it is added', () => page.view().items.length === 2);
    assert.deepEqual(shownAtFocus, [0, 1]);
  });
});
