import { AttachmentStore } from '../../../src/vscode/attachments/attachmentStore.ts';
import { DraftAttachments } from '../../../src/vscode/attachments/draftAttachments.ts';
import { checkSet, type Setting, type StoreUnderTest } from '../storeUnderTest.ts';
import { contextOf } from './contextAttachment.ts';
import { waitForRetries } from './settling.ts';

const conversation = '00000000-0000-4000-8000-000000000001';

interface Attaching {
  readonly type: 'add' | 'remove';
  readonly id: string;
}

/** What was added to the draft of a conversation that two windows show, with its content. */
type Seen = Readonly<Record<string, string>>;

export const attachments: StoreUnderTest<Attaching, Seen> = {
  name: 'attachments',
  files: /^[0-9a-f-]{36}\/(draft\.json|[0-9a-f-]{36}\.md)$/,
  operation(random, _window, before) {
    const added = before.filter(({ op }) => op.type === 'add');
    if (added.length > 0 && random.chance(0.3)) return { type: 'remove', id: random.pick(added).op.id };
    return { type: 'add', id: random.uuid() };
  },
  open(setting) {
    const { reports } = setting;
    const { drafts } = storesIn(setting);
    return Promise.resolve({
      run: async ({ type, id }) => {
        if (type === 'add') {
          const problem = await drafts.add(conversation, contextOf(id), `content of ${id}`);
          if (problem !== undefined) return { outcome: 'refused' };
        } else {
          await drafts.load(conversation);
          // Only what is shown can be removed.
          if (!drafts.of(conversation).some((each) => each.id === id)) return { outcome: 'refused' };
          drafts.remove(conversation, id);
        }
        await drafts.settled();
        return { outcome: reports() > 0 ? 'unsaved' : 'saved' };
      },
      settle: () => waitForRetries(() => drafts.settled()),
      close: () => drafts.settled(),
    });
  },
  async look(setting) {
    const { store, drafts } = storesIn(setting);
    await drafts.load(conversation);
    const seen: Record<string, string> = {};
    for (const item of drafts.of(conversation)) {
      seen[item.id] = await store.read(conversation, item).catch((error: unknown) => String(error));
    }
    return seen;
  },
  check(done, seen) {
    const wrong = Object.entries(seen).flatMap(([id, content]) =>
      content === `content of ${id}` ? [] : [`The content of ${id} is not what was added: ${content}`],
    );
    const inList = checkSet(done, {
      added: ({ type, id }) => (type === 'add' ? id : undefined),
      removes: (op, item) => op.type === 'remove' && op.id === item,
      isThere: (item) => item in seen,
    });
    return [...wrong, ...inList];
  },
  damaged: (random) => ({ name: `${conversation}/draft.json`, text: `[{"kind":"file","id":"${random.uuid()}"` }),
};

function storesIn({ folder, report }: Setting) {
  const store = new AttachmentStore(folder);
  return { store, drafts: new DraftAttachments({ store, onError: report }) };
}
