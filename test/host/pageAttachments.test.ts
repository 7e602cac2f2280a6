import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { Attachment } from '../../src/shared/attachment.ts';
import type { PageFact } from '../../src/vscode/chat/pageChannel.ts';
import { answering } from './answering.ts';
import { attachmentsPage } from './attachmentsPage.ts';
import { eventually } from './eventually.ts';
import { setSelection } from './setSelection.ts';

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
    const facts: PageFact[] = [];
    const posted = (fact: PageFact) => facts.push(fact);
    const { attachments, catalog, page } = await attachmentsPage(cleanups, { conversation, list, posted });

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
    const secret = { type: 'addText', conversationId: conversation, id: crypto.randomUUID() } as const;
    const ended = () => facts.some((fact) => fact.type === 'notAdded' && fact.id === secret.id);
    const addSecret = (answer: string | undefined, isOver: () => boolean) =>
      answering(answer, () => {
        page.handlers.addText({ ...secret, name: '.ENV', text: 'TOKEN=1' });
        return eventually('it is added or refused', isOver);
      });
    const no = await addSecret(undefined, ended);
    assert.deepEqual([no.asked.length, page.view().items.length], [1, 2]);
    await addSecret('Send Anyway', () => page.view().items.length === 3);
  });

  it('is announced to the page once it is selected elsewhere, and ends under the same ID', async () => {
    const conversationId = crypto.randomUUID();
    const facts: PageFact[] = [];
    const known: number[] = [];
    const { page } = await attachmentsPage(cleanups, {
      conversation: conversationId,
      editor: () => vscode.window.activeTextEditor,
      posted: (fact) => {
        facts.push(fact);
        if (fact.type === 'adding') known.push(page.view().items.length);
      },
    });
    const [readme] = await vscode.workspace.findFiles('README.md', undefined, 1);
    assert.ok(readme);
    const announced = () => facts.flatMap((fact) => (fact.type === 'adding' ? [fact] : []));
    const foreign = vscode.Uri.file('/elsewhere/foreign.ts');
    await page.addFiles([readme, foreign]);
    const [file, other] = announced();
    assert.deepEqual([file?.name, other?.name, file?.conversationId], ['README.md', 'foreign.ts', conversationId]);
    assert.deepEqual(
      page.view().items.map(({ id }) => id),
      [file?.id],
    );
    const refused = facts.find((fact) => fact.type === 'notAdded');
    assert.ok(refused?.type === 'notAdded' && refused.problem !== undefined);
    assert.equal(refused.id, other?.id);

    await vscode.window.showTextDocument(readme);
    facts.length = 0;
    await page.addSuggested();
    assert.deepEqual(
      page.view().items.map(({ id }) => id),
      [announced()[0]?.id],
    );

    // The code around a selection is announced with it, so that a message waits for it, too. There's none here.
    const editor = await vscode.window.showTextDocument(readme);
    await setSelection(editor, new vscode.Selection(0, 0, 1, 0));
    facts.length = 0;
    await page.addSuggested();
    const [selection, around] = announced();
    assert.deepEqual([announced().length, around?.name, around?.isOptional], [2, 'Surrounding code', true]);
    assert.deepEqual(
      facts.slice(0, 2).map(({ type }) => type),
      ['adding', 'adding'],
    );
    assert.equal(page.view().items.at(-1)?.id, selection?.id);
    assert.deepEqual(facts.at(-1), { type: 'notAdded', id: around?.id });
    await setSelection(editor, new vscode.Selection(0, 0, 0, 0));
    page.handlers.removeAttachment({ type: 'removeAttachment', conversationId, id: selection?.id ?? '' });

    // With the button: the file dialog is a question, whose answer is announced.
    const { showQuickPick, showOpenDialog } = vscode.window;
    const picture = vscode.Uri.file('/elsewhere/shot.png');
    Object.assign(vscode.window, {
      showQuickPick: async (rows: readonly vscode.QuickPickItem[]) =>
        rows.find(({ label }) => label.endsWith('Image…')),
      showOpenDialog: async () => [picture],
    });
    facts.length = 0;
    try {
      await page.addContext();
    } finally {
      Object.assign(vscode.window, { showQuickPick, showOpenDialog });
    }
    let isAsking = false;
    const told = facts.flatMap((fact): readonly (string | boolean)[] => {
      if (fact.type !== 'attachmentsChanged') return [fact.type];
      const before = isAsking;
      isAsking = fact.attachments.isAsking === true;
      return isAsking === before ? [] : [isAsking];
    });
    assert.deepEqual(told, [true, false, true, false, 'adding', 'composerFocused', 'notAdded']);
    assert.deepEqual(known, [0, 0, 1, 1, 1, 1]);
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
  });

  it("doesn't wait for what it doesn't include", async () => {
    const conversationId = crypto.randomUUID();
    const { page } = await attachmentsPage(cleanups, { conversation: conversationId });
    const add = (name: string) => {
      const id = crypto.randomUUID();
      page.handlers.addText({ type: 'addText', conversationId, id, name, text: 'text' });
      return id;
    };
    const { showWarningMessage } = vscode.window;
    const { promise, resolve } = Promise.withResolvers<undefined>();
    Object.assign(vscode.window, { showWarningMessage: () => promise });
    try {
      add('.env');
      const id = add('b.txt');
      await eventually('one is added', () => page.view().items.length === 1);
      assert.equal(page.chosen(conversationId, [id]).length, 1);
    } finally {
      resolve(undefined);
      Object.assign(vscode.window, { showWarningMessage });
    }
  });

  it('has both of two files from outside VS Code with one name, and the one at the top of the open folder', async () => {
    const conversationId = crypto.randomUUID();
    const { page } = await attachmentsPage(cleanups, { conversation: conversationId });
    const named = { type: 'addText', conversationId, name: 'README.md' } as const;
    for (const text of ['one', 'other']) page.handlers.addText({ ...named, id: crypto.randomUUID(), text });
    await eventually('both are added', () => page.view().items.length === 2);
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
