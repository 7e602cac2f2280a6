import { join } from 'node:path';
import { AttachmentStore } from '../../../src/vscode/attachments/attachmentStore.ts';
import { Conversation } from '../../../src/core/chat/conversation.ts';
import type { ConversationFile } from '../../../src/vscode/conversations/conversationFile.ts';
import { ConversationStore } from '../../../src/vscode/conversations/conversationStore.ts';
import { contextOf } from './contextAttachment.ts';
import { filesWith, type FolderContents, mustHold, type Setting, type StoreUnderTest } from '../storeUnderTest.ts';
import { waitUntil } from './settling.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
const DELETED_AGO_MS = 8 * DAY_MS;
const shared = ['00000000-0000-4000-8000-000000000001', '00000000-0000-4000-8000-000000000002'];

type Talk =
  | { readonly type: 'ask'; readonly conversation: string; readonly text: string }
  | { readonly type: 'reply'; readonly conversation: string; readonly parts: readonly string[] }
  /** Another version of the last reply shown, or a reply if there's none. */
  | { readonly type: 'retry'; readonly conversation: string; readonly parts: readonly string[] }
  | { readonly type: 'list' }
  /** A message, a draft, and an attachment from before a deletion, possibly arriving after it. */
  | { readonly type: 'fill'; readonly conversation: string; readonly text: string }
  /** The same, deleted so long ago that it's removed permanently. */
  | { readonly type: 'deleteForGood'; readonly conversation: string; readonly text: string };

interface Seen {
  readonly rows: Readonly<Record<string, { readonly messageCount: number; readonly unreadable?: string }>>;
  /** Those that are visible. */
  readonly messages: Readonly<Record<string, readonly string[]>>;
  /** With all versions. */
  readonly every: Readonly<Record<string, readonly string[]>>;
  readonly damagedLines: number;
}

export const conversations: StoreUnderTest<Talk, Seen> = {
  name: 'conversations',
  files: /^(index\.json|[0-9a-f-]{36}\.jsonl)$/,
  operation(random, window, before) {
    const kind = random.next();
    const conversation = random.pick(shared);
    if (kind < 0.35)
      return { type: 'ask', conversation, text: `${random.uuid()} ${'x'.repeat(random.pick([0, 3000]))}` };
    if (kind < 0.6) {
      const type = random.pick(['reply', 'retry'] as const);
      return { type, conversation, parts: Array.from({ length: random.between(1, 4) }, () => random.uuid()) };
    }
    if (kind < 0.68) return { type: 'list' };
    const others = before.filter((step) => step.window !== window && hasAll(step.op));
    const { op } = others.length > 0 && random.chance(0.7) ? random.pick(others) : { op: undefined };
    return {
      type: random.pick(['fill', 'deleteForGood']),
      conversation: op !== undefined && hasAll(op) ? op.conversation : random.uuid(),
      text: random.uuid(),
    };
  },
  open(setting) {
    const { writer, reports } = setting;
    const { store, attachments } = storesIn(setting);
    const files = new Map<string, Promise<ConversationFile>>();
    const opened: ConversationFile[] = [];
    const fileOf = async (id: string): Promise<ConversationFile> => {
      // Like a page that is opened again, when the folder couldn't be created.
      const file = await (files.get(id) ?? store.file(id));
      files.set(id, Promise.resolve(file));
      if (!opened.includes(file)) opened.push(file);
      return file;
    };
    let number = 0;
    const written = () => ({ writer, at: Date.now() });
    const run = async (op: Talk): Promise<boolean> => {
      if (op.type === 'list') {
        await store.list();
        return true;
      }
      const file = await fileOf(op.conversation);
      number += 1;
      const id = `${writer}-${number}`;
      if (op.type === 'reply' || op.type === 'retry') {
        const version = op.type === 'retry' ? await nextVersion(op.conversation, file) : {};
        file.append({ type: 'replyStarted', id, model: 'made/up', pid: process.pid, ...version, ...written() });
        let offset = 0;
        for (const text of op.parts) {
          file.append({ type: 'replyGrew', id, part: 'text', offset, text, ...written() });
          offset += text.length;
        }
        file.append({ type: 'replyEnded', id, outcome: 'done', metrics: {}, ...written() });
        await file.flush();
        return !file.hasPending;
      }
      if (op.type === 'ask') file.append({ type: 'asked', id, text: op.text, ...written() });
      else {
        const at = Date.now() - DELETED_AGO_MS;
        file.append({ type: 'asked', id, text: op.text, writer, at: at - DAY_MS });
        await store.saveDraft(op.conversation, op.text);
        await attachments.save(op.conversation, contextOf(op.conversation), op.text).catch(() => undefined);
        if (op.type === 'deleteForGood') file.append({ type: 'deleted', writer, at });
      }
      await file.flush();
      const isSaved = !file.hasPending;
      if (op.type === 'deleteForGood') await store.list();
      return isSaved;
    };
    return Promise.resolve({
      run: async (op) => {
        const before = reports();
        try {
          if (await run(op)) return { outcome: 'saved' };
          return { outcome: reports() > 0 ? 'unsaved' : 'silent' };
        } catch {
          // Reported to the caller: the folder couldn't be created or read.
          return { outcome: reports() > before ? 'unsaved' : 'refused' };
        }
      },
      settle: () => waitUntil(() => opened.every((file) => !file.hasPending)),
      close: () => store.settled(),
    });
  },
  async look(setting) {
    const { store } = storesIn(setting);
    await store.list();
    // From the index that the first one left.
    const rows = await store.list();
    const messages: Record<string, string[]> = {};
    const every: Record<string, string[]> = {};
    let damagedLines = 0;
    for (const id of shared) {
      const content = await store.file(id).read();
      const conversation = new Conversation(id);
      for (const record of content.records) conversation.apply(record);
      messages[id] = conversation.messages().map(({ text }) => text);
      every[id] = conversation.everyMessage().map(({ text }) => text);
      damagedLines += content.damagedLines;
    }
    const kept = rows.map(({ id, messageCount, unreadable }) => [
      id,
      { messageCount, ...(unreadable !== undefined && { unreadable }) },
    ]);
    return { rows: Object.fromEntries(kept) as Seen['rows'], messages, every, damagedLines };
  },
  check(done, seen, folder) {
    const wrong: string[] = [];
    for (const each of done) {
      const { op } = each;
      if (op.type === 'ask' || op.type === 'reply' || op.type === 'retry') {
        const text = op.type === 'ask' ? op.text : op.parts.join('');
        const there = seen.every[op.conversation]?.filter((message) => message === text).length ?? 0;
        if (mustHold(each) && there === 0)
          wrong.push(`${each.outcome} in ${each.window} and not there: ${text.slice(0, 60)}`);
        if (there > 1) wrong.push(`There ${there} times: ${text.slice(0, 60)}`);
      }
      if (op.type === 'deleteForGood' && mustHold(each)) {
        const texts = done.flatMap((other) =>
          hasAll(other.op) && other.op.conversation === op.conversation ? [other.op.text] : [],
        );
        const left = [
          ...texts.flatMap((text) => filesWith(folder, text)),
          ...[...folder.keys()].filter((name) => name.includes(op.conversation) && !isTombstone(name, folder)),
        ];
        if (left.length > 0) wrong.push(`Deleted for good, and still in ${left.join(', ')}`);
        if (op.conversation in seen.rows) wrong.push(`Deleted for good, and ${op.conversation} is listed`);
      }
    }
    for (const id of shared) {
      const count = seen.messages[id]?.length ?? 0;
      const row = seen.rows[id]?.messageCount ?? 0;
      if (count !== row) wrong.push(`The list says that ${id} has ${row} messages; its file has ${count}`);
    }
    return wrong;
  },
  // Everything that a conversation consists of; the search above covers what was permanently deleted.
  isExpected: (name, done) =>
    !name.endsWith('.tmp') && done.some(({ op }) => hasAll(op) && name.includes(op.conversation)),
};

function hasAll(op: Talk): op is Extract<Talk, { type: 'fill' | 'deleteForGood' }> {
  return op.type === 'fill' || op.type === 'deleteForGood';
}

/** The fields that record another version of the last reply, as this window sees the conversation. */
async function nextVersion(id: string, file: ConversationFile) {
  const conversation = new Conversation(id);
  for (const record of (await file.read()).records) conversation.apply(record);
  const last = conversation.messages().findLast(({ role }) => role === 'assistant');
  if (last === undefined) return {};
  const after = conversation.messagesBefore(last.id).at(-1)?.id ?? null;
  return { after, version: conversation.nextVersion(last.id) };
}

/** What remains of a permanently deleted conversation: the fact that it was deleted. */
function isTombstone(name: string, folder: FolderContents): boolean {
  return /^[0-9a-f-]{36}\.jsonl$/.test(name) && /^\{"type":"deleted",[^{}]*\}\n$/.test(String(folder.get(name)));
}

function storesIn({ folder, writer, report }: Setting) {
  const attachments = new AttachmentStore(join(folder, 'attachments'));
  return { attachments, store: new ConversationStore({ folder, attachments, writer, onError: report }) };
}
