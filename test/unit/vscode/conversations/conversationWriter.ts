// A window in its own process: writes to the shared conversation and reports its progress.
import { ConversationStore } from '../../../../src/vscode/conversations/conversationStore.ts';
import { attachmentsIn } from '../attachments/attachmentsIn.ts';

const [folder = '', writer = '', count = '0'] = process.argv.slice(2);
const onError = (error: unknown) => {
  throw error;
};
const file = new ConversationStore({ folder, attachments: attachmentsIn(folder), writer, onError }).file('shared');
for (let number = 1; number <= Number(count); number += 1) {
  file.append({ type: 'asked', id: `${writer}${number}`, text: `${writer} ${'x'.repeat(500)}`, writer, at: number });
  await file.flush();
  process.send?.(number);
}
process.disconnect();
