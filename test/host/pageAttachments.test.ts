import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { ModelCatalog } from '../../src/core/models/modelCatalog.ts';
import type { Attachment } from '../../src/shared/attachment.ts';
import { PageAttachments } from '../../src/vscode/chat/pageAttachments.ts';
import { registerAttachments } from '../../src/vscode/attachments/registerAttachments.ts';
import { answering } from './answering.ts';
import { eventually } from './eventually.ts';

const conversation = '9b2f3a60-4a0e-4d8e-9d3a-0f6f2f2b7c11';

describe('What is sent with the next message', () => {
  // No AsyncDisposableStack: the Node of the lowest VS Code has none.
  const cleanups: (() => unknown)[] = [];
  after(async () => {
    for (const cleanUp of cleanups.toReversed()) await cleanUp();
  });

  it('is shown without a request, as an earlier window left it; only adding something fetches the models', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'parlance-page-'));
    cleanups.push(() => rm(folder, { recursive: true, force: true }));
    let asked = 0;
    const catalog = new ModelCatalog({
      id: 'service',
      list: () => {
        asked += 1;
        return Promise.resolve([]);
      },
      // None is stored, which is when it would ask.
      store: { read: () => Promise.resolve(undefined), write: () => Promise.resolve() },
      service: () => 'a service',
      stated: () => ({}),
      now: () => Date.now(),
    });
    const fixed = <T>(value: T) => ({ value, onDidChange: new vscode.EventEmitter<T>().event });
    const attachments = registerAttachments({
      storageUri: vscode.Uri.file(folder),
      catalog,
      editor: () => undefined,
      support: { lacksImages: () => false },
      maxPictureEdge: fixed<number | null>(null),
      includeSurroundingCode: fixed(true),
      onError: assert.ifError,
      warn: assert.fail,
    });
    const panel = vscode.window.createWebviewPanel('parlance.test', 'Page', vscode.ViewColumn.One);
    const post = () => undefined;
    const page = new PageAttachments(
      { attachments, onUnexpected: assert.ifError },
      {
        webview: panel.webview,
        channel: { post, postWhenOpen: post },
        shown: { id: conversation, session: undefined, options: { model: 'm' }, isShown: () => false },
      },
    );
    for (const each of [panel, page]) cleanups.push(() => each.dispose());

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
});
