import { join } from 'node:path';
import { AttachmentStore } from '../../../../src/vscode/attachments/attachmentStore.ts';

/** The attachment store, next to a folder of conversations. */
export function attachmentsIn(folder: string): AttachmentStore {
  return new AttachmentStore(join(folder, 'attachments'));
}
