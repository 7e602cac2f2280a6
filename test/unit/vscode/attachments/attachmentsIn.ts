import { join } from 'node:path';
import { AttachmentStore } from '../../../../src/vscode/attachments/attachmentStore.ts';

/** The store of what goes with messages, beside a folder of conversations. */
export function attachmentsIn(folder: string, writer = 'w1'): AttachmentStore {
  return new AttachmentStore({ folder: join(folder, 'attachments'), writer });
}
