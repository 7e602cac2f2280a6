import assert from 'node:assert/strict';
import { mkdir, mkdtemp, readdir, readFile, rm, rmdir, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ApiError } from '../../../../src/api/apiError.ts';
import type { Attachment } from '../../../../src/shared/attachment.ts';
import type { AttachmentStore } from '../../../../src/vscode/attachments/attachmentStore.ts';
import { attachmentsIn } from './attachmentsIn.ts';

const conversation = '9b2f3a60-4a0e-4d8e-9d3a-0f6f2f2b7c11';

function contextOf(name: string): Attachment {
  return { kind: 'file', id: crypto.randomUUID(), name, detail: name, tokens: 1, at: 1 };
}
function pictureOf(name: string): Attachment {
  return { ...contextOf(name), kind: 'picture', mediaType: 'image/png', width: 1, height: 1, bytes: 3 };
}

describe('The store of attachments', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'parlance-attachments-'));
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  const draftPath = (store: AttachmentStore) => join(store.folder, conversation, 'draft.json');

  it('returns a context unchanged, and an image as a data: URL', async () => {
    const store = attachmentsIn(folder);
    const [context, picture] = [contextOf('a.ts'), pictureOf('a.png')];
    await store.save(conversation, context, 'Zeile ß\n');
    await store.save(conversation, picture, new Uint8Array([1, 2, 3]));
    const later = attachmentsIn(folder);
    assert.equal(await later.read(conversation, context), 'Zeile ß\n');
    assert.equal(await later.read(conversation, picture), 'data:image/png;base64,AQID');
  });

  it('names what is lost', async () => {
    await assert.rejects(attachmentsIn(folder).read(conversation, contextOf('gone.ts')), (error) => {
      assert.ok(error instanceof ApiError);
      assert.deepEqual(error.failure, { kind: 'attachmentLost', name: 'gone.ts' });
      return true;
    });
  });

  it('stores the list of a draft, and deletes an empty one', async () => {
    const store = attachmentsIn(folder);
    const items = [contextOf('a.ts'), pictureOf('b.png')];
    await store.changeDraft(conversation, () => items);
    assert.deepEqual((await attachmentsIn(folder).draft(conversation)).items, items);
    await store.changeDraft(conversation, () => []);
    assert.deepEqual((await store.draft(conversation)).items, []);
    assert.deepEqual(await readdir(join(store.folder, conversation)), []);
  });

  it('returns the readable part of a damaged list, and says so', async () => {
    const store = attachmentsIn(folder);
    const item = contextOf('a.ts');
    await store.changeDraft(conversation, () => [item]);
    assert.equal((await store.draft(conversation)).isDamaged, false);
    // The second one might be from a newer version of Parlance; the third could lead to any file.
    const lists = ['{', '{}', [item, { ...contextOf('b'), kind: 'song' }], [item, { ...item, id: '../../escape' }]];
    const read = [];
    for (const list of lists) {
      await writeFile(draftPath(store), typeof list === 'string' ? list : JSON.stringify(list));
      const { items, isDamaged } = await store.draft(conversation);
      read.push(items);
      assert.ok(isDamaged);
    }
    assert.deepEqual(read, [[], [], [item], [item]]);
  });

  it('deletes nothing that a damaged list might name, even after it was renamed', async () => {
    const store = attachmentsIn(folder);
    const item = contextOf('a.ts');
    await store.save(conversation, item, 'x');
    const longAgo = new Date(Date.now() - 2 * 24 * 60 * 60 * 1000);
    await utimes(store.path(conversation, item), longAgo, longAgo);
    await writeFile(draftPath(store), '[{');
    await store.sweep(conversation, new Set());
    await store.changeDraft(conversation, (items) => items);
    await store.sweep(conversation, new Set());
    const names = (await readdir(join(store.folder, conversation))).toSorted((a, b) => a.length - b.length);
    assert.equal(names[0], `${item.id}.md`);
    assert.match(names[1] ?? '', /^draft\.json\..+\.damaged$/);
    assert.equal(await readFile(join(store.folder, conversation, names[1] ?? ''), 'utf8'), '[{');
    assert.equal((await store.draft(conversation)).isDamaged, false);
  });

  it('deletes what has been unused for a day, and nothing else', async () => {
    const store = attachmentsIn(folder);
    const [used, old, young] = [contextOf('used'), contextOf('old'), contextOf('young')];
    for (const item of [used, old, young]) await store.save(conversation, item, 'x');
    await store.changeDraft(conversation, () => [used]);
    const longAgo = new Date(Date.now() - 2 * 24 * 60 * 60 * 1000);
    for (const item of [used, old]) await utimes(store.path(conversation, item), longAgo, longAgo);
    await store.sweep(conversation, new Set([used.id]));
    const left = await readdir(join(store.folder, conversation));
    assert.deepEqual(left.toSorted(), [`${used.id}.md`, `${young.id}.md`, 'draft.json'].toSorted());
  });

  it("deletes nothing of a draft whose list couldn't be read when the conversation was opened", async () => {
    const store = attachmentsIn(folder);
    const item = contextOf('a.ts');
    await store.save(conversation, item, 'x');
    const longAgo = new Date(Date.now() - 2 * 24 * 60 * 60 * 1000);
    await utimes(store.path(conversation, item), longAgo, longAgo);
    // Anything but a file can't be read, just like one that another program has locked.
    await mkdir(draftPath(store));
    const { items } = await store.draft(conversation);
    await rmdir(draftPath(store));
    await store.changeDraft(conversation, () => [item]);
    await store.sweep(conversation, new Set(items.map(({ id }) => id)));
    assert.equal(await store.read(conversation, item), 'x');
  });

  it('lists the conversations with attachments, and deletes one', async () => {
    const store = attachmentsIn(folder);
    assert.deepEqual(await store.conversations(), []);
    await store.save(conversation, contextOf('a'), 'x');
    assert.deepEqual(await store.conversations(), [conversation]);
    await store.purge(conversation);
    assert.deepEqual(await store.conversations(), []);
  });
});
