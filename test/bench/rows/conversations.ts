import { mkdtemp, mkdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Conversation } from '../../../src/core/chat/conversation.ts';
import { type ConversationRecord, encodeRecord } from '../../../src/core/chat/conversationRecord.ts';
import { AttachmentStore } from '../../../src/vscode/attachments/attachmentStore.ts';
import { ConversationStore } from '../../../src/vscode/conversations/conversationStore.ts';
import { figure, type RowSet } from '../figure.ts';
import { documentOf } from '../page/documentOf.ts';

const conversations = 1000;
const longMessages = 10_000;
const writer = 'bench';

export const conversationRows: RowSet = {
  name: 'conversations',
  title: 'Data: conversations',
  method:
    `A folder of ${conversations} conversations with four messages each, listed without an index and with ` +
    `one, and searched; and one conversation of ${longMessages} messages, read from its file until its ` +
    'messages are available. By the clock, in Node.',
  async run({ rounds, say }) {
    const folder = await mkdtemp(join(tmpdir(), 'parlance-conversations-'));
    try {
      say(`writing ${conversations} conversations`);
      const many = join(folder, 'many');
      await mkdir(many);
      const ids = Array.from({ length: conversations }, () => crypto.randomUUID());
      await Promise.all(ids.map((id, index) => writeFile(join(many, `${id}.jsonl`), linesOf(4, index))));
      const long = join(folder, 'long');
      await mkdir(long);
      await writeFile(join(long, 'long.jsonl'), linesOf(longMessages, 0));
      say('reading');
      const cold: number[] = [];
      const warm: number[] = [];
      const search: number[] = [];
      const open: number[] = [];
      for (let round = 0; round < rounds; round += 1) {
        await rm(join(many, 'index.json'), { force: true });
        cold.push(await timed(async () => expectCount((await store(many).list()).length, conversations)));
        warm.push(await timed(async () => expectCount((await store(many).list()).length, conversations)));
        search.push(
          await timed(async () => {
            const found = await store(many).search().find('number 500,', new AbortController().signal);
            expectCount(found.size, 1);
          }),
        );
        open.push(
          await timed(async () => {
            const { records } = await store(long).file('long').read();
            const conversation = new Conversation('long');
            for (const record of records) conversation.apply(record);
            expectCount(conversation.messages().length, longMessages);
          }),
        );
      }
      return [
        figure('1,000 conversations: list without an index', cold, 'ms'),
        figure('1,000 conversations: list', warm, 'ms'),
        figure('1,000 conversations: search their text', search, 'ms'),
        figure('10,000 messages: read the conversation', open, 'ms'),
      ];
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  },
};

function store(folder: string): ConversationStore {
  return new ConversationStore({
    folder,
    attachments: new AttachmentStore(join(folder, 'attachments')),
    writer,
    onError: (error) => {
      throw error;
    },
  });
}

/** The file of a conversation in which questions and replies of about 120 tokens follow each other. */
function linesOf(messages: number, number: number): string {
  const text = documentOf(120);
  const records: ConversationRecord[] = [{ type: 'created', version: 1, writer, at: 0 }];
  for (let index = 0; index < messages; index += 1) {
    const common = { id: `m${index}`, writer, at: index + 1 };
    if (index % 2 === 0) {
      records.push({ type: 'asked', text: `Question number ${number}, part ${index}`, ...common });
      continue;
    }
    records.push(
      { type: 'replyStarted', model: 'bench/model', pid: 1, ...common },
      { type: 'replyGrew', part: 'text', offset: 0, text, ...common },
      { type: 'replyEnded', outcome: 'done', metrics: {}, finishReason: 'stop', ...common },
    );
  }
  return `${records.map(encodeRecord).join('\n')}\n`;
}

async function timed(work: () => Promise<void>): Promise<number> {
  const started = performance.now();
  await work();
  return performance.now() - started;
}

function expectCount(count: number, expected: number): void {
  if (count !== expected) throw new Error(`${count} were found, not ${expected}`);
}
