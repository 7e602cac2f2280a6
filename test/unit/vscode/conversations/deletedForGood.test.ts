import assert from 'node:assert/strict';
import { mkdtemp, readFile, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DraftAttachments } from '../../../../src/vscode/attachments/draftAttachments.ts';
import { ConversationStore } from '../../../../src/vscode/conversations/conversationStore.ts';
import { attachmentsIn } from '../attachments/attachmentsIn.ts';
import { about, withFaults } from '../disk/faultyDisk.ts';

const id = '9b2f3a60-4a0e-4d8e-9d3a-0f6f2f2b7c11';
const day = 24 * 60 * 60 * 1000;
const secret = 'a secret thought';

describe('A conversation that one window permanently deletes', () => {
  let folder: string;
  let theirs: ConversationStore;
  let ours: ConversationStore;
  let deletedAt: number;

  const storeOf = (writer: string) =>
    new ConversationStore({ folder, attachments: attachmentsIn(folder), writer, onError: () => undefined });
  const itemOf = () =>
    ({ kind: 'file', id: crypto.randomUUID(), name: 'a.ts', detail: 'a.ts', tokens: 1, at: 1 }) as const;

  /** Names and contents of all files. */
  async function onDisk(): Promise<{ readonly names: readonly string[]; readonly text: string }> {
    const entries = await readdir(folder, { recursive: true, withFileTypes: true });
    const files = entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name));
    const texts = await Promise.all(files.map((path) => readFile(path, 'utf8')));
    return { names: files.map((path) => path.slice(folder.length + 1)).toSorted(), text: texts.join('\n') };
  }

  async function deleteForGood(at: number): Promise<void> {
    const file = ours.file(id);
    file.append({ type: 'asked', id: 'u1', text: 'One', writer: 'w1', at: at - 1 });
    file.append({ type: 'deleted', writer: 'w1', at });
    await file.flush();
    await ours.list();
  }

  async function assertAllIsGone(): Promise<void> {
    assert.deepEqual(await ours.list(), []);
    const { names, text } = await onDisk();
    assert.deepEqual(names, [`${id}.jsonl`, 'index.json']);
    assert.doesNotMatch(text, /secret|One/);
  }

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'parlance-deleted-'));
    theirs = storeOf('w2');
    ours = storeOf('w1');
    deletedAt = Date.now() - 8 * day;
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  it('stays deleted if another window saves its draft only afterward', async () => {
    await withFaults({ rename: about('.draft', 'ENOSPC') }, () => theirs.saveDraft(id, secret));
    await deleteForGood(deletedAt);
    await theirs.settled();
    assert.match((await onDisk()).text, /secret/, 'else nothing was late');
    await assertAllIsGone();
  });

  it('stays deleted if another window saves an attachment only afterward', async () => {
    const drafts = new DraftAttachments({ store: attachmentsIn(folder), onError: () => undefined });
    await withFaults({ rename: about('draft.json', 'ENOSPC') }, () => drafts.add(id, itemOf(), 'a secret file'));
    await deleteForGood(deletedAt);
    await attachmentsIn(folder).save(id, itemOf(), 'another secret file');
    await drafts.settled();
    assert.match((await onDisk()).text, /secret/, 'else nothing was late');
    await assertAllIsGone();
    assert.deepEqual(await attachmentsIn(folder).conversations(), []);
  });

  it('stays deleted if another window saves a message only afterward', async () => {
    const file = theirs.file(id);
    await withFaults({ open: about('.jsonl', 'ENOSPC') }, async () => {
      file.append({ type: 'asked', id: 'u2', text: secret, writer: 'w2', at: deletedAt - 1 });
      await file.flush();
    });
    await deleteForGood(deletedAt);
    await file.flush();
    assert.match((await onDisk()).text, /secret/, 'else nothing was late');
    await assertAllIsGone();
  });

  it('leaves only a record of its deletion, and not even that after three months', async () => {
    await deleteForGood(deletedAt);
    assert.deepEqual(JSON.parse(await readFile(ours.path(id), 'utf8')), { type: 'deleted', writer: '', at: deletedAt });
    await deleteForGood(Date.now() - 91 * day);
    assert.deepEqual((await onDisk()).names, ['index.json']);
  });

  it('exists again with anything that someone adds to it after that', async () => {
    await deleteForGood(deletedAt);
    const file = theirs.file(id);
    file.append({ type: 'asked', id: 'u2', text: 'Later', writer: 'w2', at: Date.now() });
    await file.flush();
    assert.deepEqual(
      (await ours.list()).map(({ title, messageCount }) => [title, messageCount]),
      [['Later', 1]],
    );
  });

  it("retries later what can't be deleted now", async () => {
    await deleteForGood(deletedAt);
    await theirs.saveDraft(id, secret);
    await withFaults({ rm: about('.draft', 'EIO') }, () => ours.list());
    assert.match((await onDisk()).text, /secret/);
    await assertAllIsGone();
  });
});
