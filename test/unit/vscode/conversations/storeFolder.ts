import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ConversationStore } from '../../../../src/vscode/conversations/conversationStore.ts';
import { attachmentsIn } from '../attachments/attachmentsIn.ts';

export const c1 = '9b2f3a60-4a0e-4d8e-9d3a-0f6f2f2b7c11';

export const c2 = '2f1c7c6e-93d1-4f0a-8a55-6b1f3f0e9d22';

export const day = 24 * 60 * 60 * 1000;

export async function ask(store: ConversationStore, id: string, text: string, at = 1000): Promise<void> {
  const file = store.file(id);
  file.append({ type: 'asked', id: crypto.randomUUID(), text, writer: 'w1', at });
  await file.flush();
}

export function textOf(path: string): Promise<string> {
  return readFile(path, 'utf8').catch(() => '');
}

/** A folder of conversations for each test, and the stores of the windows that share it. */
export function useStoreFolder() {
  const here = {
    folder: '',
    errors: [] as unknown[],
    storeOf: (writer: string) =>
      new ConversationStore({
        folder: here.folder,
        attachments: attachmentsIn(here.folder),
        writer,
        onError: (error) => here.errors.push(error),
      }),
  };
  beforeEach(async () => {
    here.folder = await mkdtemp(join(tmpdir(), 'parlance-store-'));
    here.errors = [];
  });
  afterEach(() => rm(here.folder, { recursive: true, force: true }));
  return here;
}
