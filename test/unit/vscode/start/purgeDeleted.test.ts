import assert from 'node:assert/strict';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { stoppedClock } from '../../../host/stoppedClock.ts';
import { MediaFolder } from '../../../../src/vscode/media/mediaFolder.ts';
import { MediaStore } from '../../../../src/vscode/media/mediaStore.ts';
import { AttachmentStore } from '../../../../src/vscode/attachments/attachmentStore.ts';
import { ConversationStore } from '../../../../src/vscode/conversations/conversationStore.ts';
import { purgeDeleted } from '../../../../src/vscode/start/purgeDeleted.ts';

const DAY_MS = 24 * 60 * 60 * 1000;

describe('What was deleted', () => {
  let storage: string;
  beforeEach(async () => void (storage = await mkdtemp(join(tmpdir(), 'parlance-purge-'))));
  afterEach(() => rm(storage, { recursive: true, force: true }));

  /** Everything on disk. */
  async function contents(): Promise<string> {
    const entries = await readdir(storage, { recursive: true, withFileTypes: true });
    const files = entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name));
    return (await Promise.all(files.map((file) => readFile(file, 'utf8')))).join('\n');
  }

  async function deleteConversation(text: string, daysAgo: number): Promise<void> {
    const attachments = new AttachmentStore(join(storage, 'attachments'));
    const folder = join(storage, 'conversations');
    const store = new ConversationStore({ folder, attachments, writer: 'w1', onError: assert.ifError });
    const file = store.file(crypto.randomUUID());
    const at = Date.now() - daysAgo * DAY_MS;
    file.append({ type: 'asked', id: 'u1', text, writer: 'w1', at });
    file.append({ type: 'deleted', writer: 'w1', at });
    await file.flush();
    // From now on, the index also has its title.
    await store.list();
  }

  async function deleteVideo(prompt: string, daysAgo: number): Promise<void> {
    const media = join(storage, 'media');
    const path = join(media, 'runs.jsonl');
    const deps = { path, writer: 'w1', onError: assert.ifError, onChange: () => undefined };
    using _ = stoppedClock(Date.now() - daysAgo * DAY_MS);
    const store = new MediaStore(deps);
    const id = crypto.randomUUID();
    await store.append({ type: 'started', id, pid: 1, parameters: { kind: 'video', model: 'm', prompt } });
    await new MediaFolder(media, 'w1').write(id, 0, 'video/mp4', Buffer.from(`${prompt} as a video`));
    await store.append({ type: 'deleted', id });
    store.dispose();
  }

  it('is permanently deleted after a week, even if nobody opens its list again, and nothing else is', async () => {
    await deleteConversation('A younger question', 6);
    await deleteVideo('An old boat', 8);
    await deleteVideo('A younger boat', 6);
    {
      // Six days after its deletion, when the list was open for the last time.
      using _ = stoppedClock(Date.now() - 2 * DAY_MS);
      await deleteConversation('An old question', 6);
    }
    assert.match(await contents(), /An old question/);
    await purgeDeleted(storage, assert.ifError);
    const text = await contents();
    assert.doesNotMatch(text, /An old/);
    for (const kept of ['A younger question', 'A younger boat', 'A younger boat as a video'])
      assert.ok(text.includes(kept), kept);
  });

  it('costs nothing if nothing was stored', async () => {
    await purgeDeleted(join(storage, 'none'), assert.ifError);
    assert.deepEqual(await readdir(storage), []);
  });
});
