import { join } from 'node:path';
import { AttachmentStore } from '../../../../src/vscode/attachments/attachmentStore.ts';

/** The store of what goes with messages, beside a folder of conversations. */
export function attachmentsIn(folder: string): AttachmentStore {
  return new AttachmentStore(join(folder, 'attachments'));
}
