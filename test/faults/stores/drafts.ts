import { join } from 'node:path';
import { AttachmentStore } from '../../../src/vscode/attachments/attachmentStore.ts';
import { ConversationStore } from '../../../src/vscode/conversations/conversationStore.ts';
import { type Done, filesWith, mustHold, type Setting, type StoreUnderTest } from '../storeUnderTest.ts';
import { waitForRetries } from './settling.ts';

const conversation = '00000000-0000-4000-8000-000000000001';

type Draft =
  | { readonly type: 'show' }
  | { readonly type: 'type'; readonly text: string }
  | { readonly type: 'empty' }
  /** It has become a message. */
  | { readonly type: 'send'; readonly text: string };

/** Unsent text in a conversation that two windows show. */
export const drafts: StoreUnderTest<Draft, string> = {
  name: 'drafts',
  files: /^[0-9a-f-]{36}(\.[AB]\d+-\d+)?\.draft$/,
  operation(random, window, before) {
    const kind = random.next();
    const mine = before.findLast((step) => step.window === window && step.op.type === 'type');
    if (kind < 0.2) return { type: 'show' };
    if (kind < 0.3) return { type: 'empty' };
    if (kind < 0.4 && mine?.op.type === 'type') return { type: 'send', text: mine.op.text };
    return { type: 'type', text: random.uuid() };
  },
  open(setting) {
    const { reports } = setting;
    const store = storeIn(setting);
    const save = async (text: string) => {
      const isSaved = await store.saveDraft(conversation, text);
      return { outcome: isSaved ? 'saved' : reports() > 0 ? 'unsaved' : 'silent' } as const;
    };
    return Promise.resolve({
      run: async (op) => {
        switch (op.type) {
          case 'show':
            return { outcome: 'saved', value: await store.draft(conversation) };
          case 'type':
            return save(op.text);
          case 'empty':
            return save('');
          case 'send': {
            const before = reports();
            await store.forgetDraft(conversation, op.text);
            return { outcome: reports() > before ? 'unsaved' : 'saved' };
          }
        }
      },
      settle: () => waitForRetries(() => store.settled()),
      close: () => store.settled(),
    });
  },
  look: (setting) => storeIn(setting).draft(conversation),
  check(done, seen, folder) {
    const wrong: string[] = [];
    for (const typed of done) {
      if (typed.op.type !== 'type') continue;
      const { text } = typed.op;
      const isThere = seen.includes(text);
      const after = done.filter((each) => each.op.type !== 'show' && each.ended > typed.began && each !== typed);
      const isOwn = (each: Done<Draft>): boolean => each.window === typed.window && each.opening === typed.opening;
      // A window that has shown the text, or might have, continues with it.
      const mayReplace = after.filter((each) => isOwn(each) || done.some((show) => mayHaveShown(show, each, text)));
      if (mustHold(typed) && mayReplace.length === 0 && !isThere) {
        wrong.push(`Draft ${text} was ${typed.outcome} in window ${typed.window} and is not there`);
      }
      const replaced = after.find((each) => isOwn(each) && replaces(each.op, text) && mustHold(each));
      if (replaced === undefined || typed.ended > replaced.began) continue;
      const left = filesWith(folder, text);
      if (left.length > 0) wrong.push(`Draft ${text} was replaced or sent, and is in ${left.join(', ')}`);
    }
    return wrong;
  },
};

function replaces(op: Draft, text: string): boolean {
  return op.type === 'type' || op.type === 'empty' || (op.type === 'send' && op.text === text);
}

/** Whether a window that does `change` might have seen the text before. */
function mayHaveShown(show: Done<Draft>, change: Done<Draft>, text: string): boolean {
  const isSame = show.window === change.window && show.opening === change.opening;
  if (!isSame || show.op.type !== 'show' || show.began > change.began) return false;
  return typeof show.value !== 'string' || show.value.includes(text);
}

function storeIn({ folder, writer, report }: Setting): ConversationStore {
  const attachments = new AttachmentStore(join(folder, 'attachments'));
  return new ConversationStore({ folder, attachments, writer, onError: report });
}
