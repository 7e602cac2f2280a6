import { join } from 'node:path';
import { AttachmentStore } from '../attachments/attachmentStore.ts';
import { ConversationStore } from '../conversations/conversationStore.ts';
import { MediaFolder } from '../media/mediaFolder.ts';
import { MediaStore } from '../media/mediaStore.ts';
import { tidyMedia } from '../media/tidyMedia.ts';

/**
 * Permanently deletes what the user deleted a while ago, even if they never open its list again. Never rejects.
 * @param storage Parlance's own storage folder
 */
export async function purgeDeleted(storage: string, onError: (error: unknown) => void): Promise<void> {
  // Like a window of its own: it has nothing open, and writes nothing that could be lost.
  const writer = crypto.randomUUID();
  const attachments = new AttachmentStore(join(storage, 'attachments'));
  const conversations = new ConversationStore({ folder: join(storage, 'conversations'), attachments, writer, onError });
  await conversations.list().catch(onError);
  const media = join(storage, 'media');
  const store = new MediaStore({ path: join(media, 'runs.jsonl'), writer, onError, onChange: () => undefined });
  try {
    await store.load();
    await tidyMedia({
      store,
      folder: new MediaFolder(media, writer),
      // Reading the forms could find a damaged file, which only a view can explain.
      inputsInForms: () => Promise.resolve(undefined),
      onUnexpected: onError,
    });
  } catch (error) {
    onError(error);
  } finally {
    store.dispose();
  }
}
