import assert from 'node:assert/strict';
import { fork } from 'node:child_process';
import {
  appendFile,
  copyFile,
  mkdir,
  mkdtemp,
  readFile,
  readdir,
  rm,
  truncate,
  utimes,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ConversationRecord } from '../../../../src/core/chat/conversationRecord.ts';
import { Conversation } from '../../../../src/core/chat/conversation.ts';
import { ConversationStore } from '../../../../src/vscode/conversations/conversationStore.ts';
import { processMark } from '../../../../src/vscode/disk/processMark.ts';
import { attachmentsIn } from '../attachments/attachmentsIn.ts';
import { about, firstCalls, hurried, withFaults } from '../disk/faultyDisk.ts';

const c1 = '9b2f3a60-4a0e-4d8e-9d3a-0f6f2f2b7c11';
const c2 = '2f1c7c6e-93d1-4f0a-8a55-6b1f3f0e9d22';
const day = 24 * 60 * 60 * 1000;

async function ask(store: ConversationStore, id: string, text: string, at = 1000): Promise<void> {
  const file = store.file(id);
  file.append({ type: 'asked', id: crypto.randomUUID(), text, writer: 'w1', at });
  await file.flush();
}

function textOf(path: string): Promise<string> {
  return readFile(path, 'utf8').catch(() => '');
}

describe('The conversation store', () => {
  let folder: string;
  let errors: unknown[];

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'parlance-store-'));
    errors = [];
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  const storeOf = (writer: string) =>
    new ConversationStore({
      folder,
      attachments: attachmentsIn(folder),
      writer,
      onError: (error) => errors.push(error),
    });

  it('returns a conversation as it was written, after a restart', async () => {
    await ask(storeOf('w1'), c1, 'Hello\nworld');
    const { records, damagedLines } = await storeOf('w2').file(c1).read();
    assert.deepEqual(
      records.map((record) => record.type),
      ['created', 'asked'],
    );
    assert.equal(damagedLines, 0);
  });

  it('lists conversations with title, beginning, and count, most recently used first', async () => {
    const store = storeOf('w1');
    await ask(store, c1, 'First question', 1000);
    await ask(store, c2, 'Second question', 2000);
    const list = await store.list();
    assert.deepEqual(
      list.map(({ id, title, preview, messageCount }) => ({ id, title, preview, messageCount })),
      [
        { id: c2, title: 'Second question', preview: 'Second question', messageCount: 1 },
        { id: c1, title: 'First question', preview: 'First question', messageCount: 1 },
      ],
    );
  });

  it('lists what each used of every model, including replies that were deleted', async () => {
    const store = storeOf('w1');
    await ask(store, c1, 'One');
    const file = store.file(c1);
    const figure = (value: number) => ({ value, from: 'service' }) as const;
    const written = { writer: 'w1', at: 1000 };
    for (const [id, model] of [
      ['r1', 'small'],
      ['r2', 'large'],
      ['r3', 'small'],
    ] as const) {
      const metrics = { promptTokens: figure(10), completionTokens: figure(5) };
      file.append({ type: 'replyStarted', id, model, pid: 1, ...written });
      file.append({ type: 'replyEnded', id, outcome: 'done', metrics, ...written });
    }
    file.append({ type: 'removed', ids: ['r3'], ...written });
    await file.flush();
    const used = (await store.list())[0]?.used ?? [];
    assert.deepEqual(
      used.map(({ model, promptTokens, completionTokens, counted }) => [
        model,
        promptTokens,
        completionTokens,
        counted,
      ]),
      [
        ['small', 20, 10, 2],
        ['large', 10, 5, 1],
      ],
    );
  });

  it("rebuilds its index if it's missing, damaged, or out of date", async () => {
    const store = storeOf('w1');
    await ask(store, c1, 'One');
    const list = await store.list();
    for (const spoil of [
      () => rm(join(folder, 'index.json')),
      () => writeFile(join(folder, 'index.json'), `{"${c1}":`),
      () => writeFile(join(folder, 'index.json'), `{"${c1}":{"title":3}}`),
      async () => {
        const path = join(folder, 'index.json');
        await writeFile(path, (await readFile(path, 'utf8')).replace(/"used":\[[^\]]*\],/, ''));
      },
    ]) {
      await spoil();
      assert.deepEqual(await store.list(), list);
    }
    await ask(storeOf('w2'), c1, 'Two', 3000);
    assert.equal((await store.list())[0]?.messageCount, 2);
  });

  it('loses only an incomplete line, and keeps what another window writes after it', async () => {
    const store = storeOf('w1');
    await ask(store, c1, 'One');
    await appendFile(join(folder, `${c1}.jsonl`), '\n{"type":"asked","id":"torn","te');
    await ask(storeOf('w2'), c1, 'Two');
    const { records, damagedLines } = await store.file(c1).read();
    assert.deepEqual(
      records.flatMap((record) => (record.type === 'asked' ? [record.text] : [])),
      ['One', 'Two'],
    );
    assert.equal(damagedLines, 1);
  });

  it('keeps and reports a damaged file, and never rewrites it', async () => {
    const store = storeOf('w1');
    await writeFile(join(folder, `${c1}.jsonl`), 'not json\n{"also":"not"}\n');
    const [row] = await store.list();
    assert.equal(row?.damagedLines, 2);
    await ask(store, c1, 'Still works');
    assert.ok((await readFile(join(folder, `${c1}.jsonl`), 'utf8')).startsWith('not json\n{"also":"not"}\n'));
  });

  it("keeps and reports a file that can't be read at all", async () => {
    const store = storeOf('w1');
    // The superuser can read anything, so for that user a folder takes the place of an unreadable file.
    await mkdir(join(folder, `${c1}.jsonl`));
    const [row] = await store.list();
    assert.equal(row?.id, c1);
    assert.match(row?.unreadable ?? '', /EISDIR/);
  });

  it('merges growth into a few writes, and loses none of it', async () => {
    const file = storeOf('w1').file(c1);
    const started: ConversationRecord = {
      type: 'replyStarted',
      id: 'r1',
      model: 'm',
      pid: 1,
      writer: 'w1',
      at: 1,
    };
    file.append(started);
    let offset = 0;
    for (let count = 0; count < 5000; count += 1) {
      const text = `${count} `;
      file.append({ type: 'replyGrew', id: 'r1', part: 'text', offset, text, writer: 'w1', at: 1 });
      offset += text.length;
    }
    await file.flush();
    const { records } = await file.read();
    const growth = records.filter((record) => record.type === 'replyGrew');
    assert.ok(growth.length < 50);
    assert.equal(
      growth.map((record) => record.text).join(''),
      Array.from({ length: 5000 }, (_, n) => `${n} `).join(''),
    );
  });

  it('writes growth on its own, without waiting for the end', async () => {
    const file = storeOf('w1').file(c1);
    file.append({ type: 'replyGrew', id: 'r1', part: 'text', offset: 0, text: 'so far', writer: 'w1', at: 1 });
    const deadline = Date.now() + 5000;
    while (!(await textOf(join(folder, `${c1}.jsonl`))).includes('so far')) {
      assert.ok(Date.now() < deadline, 'The growth was never written');
      await new Promise((resolve) => setImmediate(resolve));
    }
  });

  it("keeps what couldn't be written for the next write, and reports it", async () => {
    const store = storeOf('w1');
    const file = store.file(c1);
    await withFaults({ open: about('.jsonl', 'ENOSPC') }, async () => {
      file.append({ type: 'asked', id: 'u1', text: 'One', writer: 'w1', at: 1 });
      await file.flush();
    });
    assert.equal(errors.length, 1);
    await file.flush();
    const { records } = await file.read();
    assert.ok(records.some((record) => record.type === 'asked' && record.text === 'One'));
  });

  it("shows a reply as interrupted whose end didn't fit on the disk, and loses nothing once there's room", async () => {
    const file = storeOf('w1').file(c1);
    const by = { writer: 'w1', at: 1 };
    file.append({ type: 'asked', id: 'u1', text: 'One', ...by });
    file.append({ type: 'replyStarted', id: 'r1', model: 'm', pid: 1, ...by });
    file.append({ type: 'replyGrew', id: 'r1', part: 'text', offset: 0, text: 'It ', ...by });
    await file.flush();
    // The disk accepts 60 more bytes, ending in the middle of a line.
    const room = async ([bytes]: readonly unknown[]) => {
      await appendFile(join(folder, `${c1}.jsonl`), (bytes as Buffer).subarray(0, 60));
      return 'ENOSPC';
    };
    let torn: Promise<string> | undefined;
    const reload = async () => {
      const { records, damagedLines } = await storeOf('w2').file(c1).read();
      const conversation = new Conversation(c1);
      for (const record of records) conversation.apply(record);
      return { reply: conversation.reply('r1'), damagedLines };
    };
    await withFaults(
      {
        write: (args) => {
          torn ??= room(args);
          return 'ENOSPC';
        },
      },
      async () => {
        file.append({ type: 'replyGrew', id: 'r1', part: 'text', offset: 3, text: 'works.', ...by });
        file.append({ type: 'replyEnded', id: 'r1', outcome: 'done', metrics: {}, ...by });
        await file.flush();
        await torn;
      },
    );
    const cut = await reload();
    assert.equal(cut.reply?.text, 'It ');
    assert.equal(cut.reply.end, undefined, 'which is shown as interrupted');
    await file.flush();
    const whole = await reload();
    assert.equal(whole.reply?.text, 'It works.');
    assert.equal(whole.damagedLines, 0, 'the line that was cut is there whole');
  });

  it("saves a draft that couldn't be written on its own, with its latest text", async () => {
    const store = storeOf('w1');
    await hurried(async () => {
      await withFaults({ rename: about('.draft', 'ENOSPC') }, async () => {
        assert.equal(await store.saveDraft(c1, 'A thought'), false);
        assert.equal(await store.saveDraft(c1, 'A secret thought'), false);
        assert.equal(await store.draft(c1), 'A secret thought');
      });
      assert.equal(errors.length, 1);
      assert.deepEqual(await readdir(folder), []);
      while ((await readdir(folder)).join() !== `${c1}.draft`) await new Promise((resolve) => setTimeout(resolve, 100));
    });
    assert.equal(await storeOf('w2').draft(c1), 'A secret thought');
  });

  it('forgets the earlier text too if the one that was sent never reached the disk', async () => {
    const store = storeOf('w1');
    await store.saveDraft(c1, 'A first');
    await withFaults({ rename: about('.draft', 'ENOSPC') }, () => store.saveDraft(c1, 'A first thought'));
    await store.forgetDraft(c1, 'A first thought');
    assert.deepEqual(await readdir(folder), []);
  });

  it("replaces a draft that couldn't be read for a while", async () => {
    const store = storeOf('w1');
    await store.saveDraft(c1, 'A first');
    await hurried(() =>
      withFaults({ open: about('.draft', 'EBUSY'), readFile: about('.draft', 'EBUSY') }, () =>
        store.saveDraft(c1, 'A second'),
      ),
    );
    await store.settled();
    assert.equal(await storeOf('w2').draft(c1), 'A second');
  });

  it('keeps both drafts of two windows in which the user types at the same moment', async () => {
    const [one, other] = [storeOf('w1'), storeOf('w2')];
    for (let round = 0; round < 10; round += 1) {
      const id = crypto.randomUUID();
      await Promise.all([one.saveDraft(id, 'Mine'), other.saveDraft(id, 'Yours')]);
      const text = await storeOf('w3').draft(id);
      assert.deepEqual(text.split('\n\n').toSorted(), ['Mine', 'Yours']);
    }
  });

  it('waits for a program that locks a draft', async () => {
    await hurried(() =>
      withFaults({ rename: firstCalls(8, 'EPERM') }, async () => {
        assert.equal(await storeOf('w1').saveDraft(c1, 'A thought'), true);
      }),
    );
    assert.deepEqual(errors, []);
  });

  it("forgets a sent draft once it can be read, and doesn't show it before", async () => {
    const store = storeOf('w1');
    await store.saveDraft(c1, 'Sent');
    await hurried(async () => {
      await withFaults({ readFile: about('.draft', 'EIO') }, async () => {
        await store.forgetDraft(c1, 'Sent');
        assert.equal(await store.draft(c1), '');
      });
      assert.equal(await store.draft(c1), '');
      while ((await readdir(folder)).length > 0) await new Promise((resolve) => setTimeout(resolve, 100));
    });
  });

  it("keeps what was typed after a message whose draft couldn't be read, even if it's the same text", async () => {
    const store = storeOf('w1');
    await store.saveDraft(c1, 'Again');
    await hurried(async () => {
      await withFaults({ readFile: about('.draft', 'EIO') }, async () => {
        await store.forgetDraft(c1, 'Again');
        await store.saveDraft(c1, 'Again');
      });
      while ((await readdir(folder)).join() !== `${c1}.draft`) await new Promise((resolve) => setTimeout(resolve, 100));
    });
    await store.settled();
    assert.equal(await storeOf('w2').draft(c1), 'Again');
  });

  it("replaces this window's draft that couldn't be read when it was shown", async () => {
    const store = storeOf('w1');
    await store.saveDraft(c1, 'First');
    await hurried(async () => {
      await withFaults({ readFile: about('.draft', 'EIO') }, async () => {
        assert.equal(await store.draft(c1), 'First');
        await store.saveDraft(c1, 'Second');
      });
      while ((await readdir(folder)).join() !== `${c1}.draft`) await new Promise((resolve) => setTimeout(resolve, 100));
    });
    assert.equal(await storeOf('w2').draft(c1), 'Second');
  });

  it('forgets a sent draft once the file can be deleted', async () => {
    const store = storeOf('w1');
    await store.saveDraft(c1, 'Sent');
    await hurried(() => withFaults({ rm: () => 'EBUSY' }, () => store.forgetDraft(c1, 'Sent')));
    await store.settled();
    assert.deepEqual(await readdir(folder), []);
  });

  it('permanently deletes what a killed window was writing, and the file of the conversation last', async () => {
    const file = storeOf('w1').file(c1);
    const at = Date.now() - 8 * day;
    file.append({ type: 'asked', id: 'u1', text: 'One', writer: 'w1', at });
    file.append({ type: 'deleted', writer: 'w1', at });
    await file.flush();
    const temporary = `${c1}.draft.${processMark().replace(/-[0-9a-z]+-/, '-1-')}.1.tmp`;
    await writeFile(join(folder, temporary), 'a secret thought');
    await hurried(() => withFaults({ rm: about('.tmp', 'EPERM') }, () => storeOf('w1').list()));
    assert.match(await textOf(join(folder, `${c1}.jsonl`)), /One/, 'as long as the rest is there');
    assert.deepEqual(await storeOf('w1').list(), []);
    assert.deepEqual((await readdir(folder)).toSorted(), [`${c1}.jsonl`, 'index.json']);
    assert.doesNotMatch(await textOf(join(folder, `${c1}.jsonl`)), /One/);
  });

  it('sees what another window writes, and not its own lines again', async () => {
    const mine = storeOf('w1').file(c1);
    const theirs = storeOf('w2').file(c1);
    await mine.read();
    mine.append({ type: 'asked', id: 'u1', text: 'mine', writer: 'w1', at: 1 });
    await mine.flush();
    theirs.append({ type: 'asked', id: 'u2', text: 'theirs', writer: 'w2', at: 2 });
    await theirs.flush();
    const seen = await mine.readForeign();
    assert.deepEqual(
      seen.map((record) => record.type === 'asked' && record.text),
      ['theirs'],
    );
    assert.deepEqual(await mine.readForeign(), []);
  });

  it('leaves no line corrupt when two windows write at once and one is killed', async () => {
    const script = new URL('conversationWriter.ts', import.meta.url);
    const windows = ['a', 'b'].map((name) => fork(script, [folder, name, '500'], { silent: true }));
    const exits = windows.map((child) => new Promise((resolve) => child.once('exit', resolve)));
    const [first] = windows;
    await new Promise((resolve) => first?.on('message', (count) => count === 100 && resolve(undefined)));
    first?.kill('SIGKILL');
    await Promise.all(exits);
    const { records, damagedLines } = await storeOf('reader').file('shared').read();
    const texts = records.flatMap((record) => (record.type === 'asked' ? [record.text] : []));
    assert.ok(damagedLines <= 1, `${damagedLines} damaged lines`);
    assert.equal(texts.filter((text) => text.startsWith('b')).length, 500);
    assert.ok(texts.filter((text) => text.startsWith('a')).length >= 100);
  });

  it('lists no deleted conversation, and permanently deletes it after a week', async () => {
    const store = storeOf('w1');
    const file = store.file(c1);
    const asked = { type: 'asked', id: 'u1', text: 'One', writer: 'w1' } as const;
    file.append({ ...asked, at: Date.now() });
    file.append({ type: 'deleted', writer: 'w1', at: Date.now() });
    await file.flush();
    assert.deepEqual(await store.list(), []);
    file.append({ type: 'undeleted', writer: 'w1', at: Date.now() });
    await file.flush();
    assert.equal((await store.list())[0]?.title, 'One');
    file.append({ type: 'deleted', writer: 'w1', at: Date.now() - 8 * day });
    await file.flush();
    assert.deepEqual(await store.list(), []);
    assert.doesNotMatch(await textOf(store.path(c1)), /One/);
  });

  it('returns what another window wrote once, even to overlapping readers', async () => {
    const mine = storeOf('w1').file(c1);
    const theirs = storeOf('w2').file(c1);
    await mine.read();
    for (const [number, text] of ['one', 'two'].entries()) {
      theirs.append({ type: 'asked', id: `u${number}`, text, writer: 'w2', at: number });
    }
    await theirs.flush();
    const seen = (await Promise.all([mine.readForeign(), mine.readForeign()])).flat();
    theirs.append({ type: 'asked', id: 'u9', text: 'three', writer: 'w2', at: 9 });
    await theirs.flush();
    seen.push(...(await mine.readForeign()));
    assert.deepEqual(
      seen.flatMap((record) => (record.type === 'asked' ? [record.text] : [])),
      ['one', 'two', 'three'],
    );
  });

  it('finds a word in the middle of a conversation', async () => {
    const store = storeOf('w1');
    await ask(store, c1, `${'word '.repeat(100)}Needle ${'word '.repeat(100)}`);
    await ask(store, c1, 'Something else');
    await ask(store, c2, 'Hay');
    assert.deepEqual([...(await store.search().find('needle', new AbortController().signal))], [c1]);
  });

  it('can be searched while a user types: unchanged files are read once, changed ones again', async () => {
    const store = storeOf('w1');
    await ask(store, c1, 'Hay');
    const path = join(folder, `${c1}.jsonl`);
    const yesterday = new Date(Date.now() - day);
    await utimes(path, yesterday, yesterday);
    const search = store.search();
    const found = async (text: string) => [...(await search.find(text, new AbortController().signal))];
    assert.deepEqual(await found('hay'), [c1]);
    // Different words with the same length and time: only reading the file again reveals the change.
    await writeFile(path, (await readFile(path, 'utf8')).replace('Hay', 'Hoy'));
    await utimes(path, yesterday, yesterday);
    assert.deepEqual(await found('hay'), [c1]);
    await ask(store, c1, 'Straw');
    assert.deepEqual(await found('straw'), [c1]);
    assert.deepEqual(await found('hay'), []);
  });

  it('reports a file with a foreign name, which could have no draft, and opens none of it', async () => {
    const store = storeOf('w1');
    await ask(store, c1, 'One');
    await copyFile(join(folder, `${c1}.jsonl`), join(folder, `${c1} copy.jsonl`));
    const rows = await store.list();
    assert.deepEqual(
      rows.map(({ id, title }) => ({ id, title })),
      [
        { id: c1, title: 'One' },
        { id: `${c1} copy`, title: '' },
      ],
    );
    assert.match(rows[1]?.unreadable ?? '', /name/);
    assert.equal(store.path(`${c1} copy`), join(folder, `${c1} copy.jsonl`));
  });

  it('keeps a draft however old it is', async () => {
    const store = storeOf('w1');
    await store.saveDraft(c1, 'From long ago');
    const longAgo = new Date(Date.now() - 400 * day);
    await utimes(join(folder, `${c1}.draft`), longAgo, longAgo);
    assert.equal((await store.list())[0]?.draft, 'From long ago');
    assert.equal(await store.draft(c1), 'From long ago');
  });

  it('keeps the draft of a deleted conversation for Undo, without a row, and deletes both together', async () => {
    const store = storeOf('w1');
    await store.saveDraft(c1, 'Not sent');
    const file = store.file(c1);
    file.append({ type: 'deleted', writer: 'w1', at: Date.now() });
    await file.flush();
    assert.deepEqual(await store.list(), []);
    file.append({ type: 'undeleted', writer: 'w1', at: Date.now() });
    await file.flush();
    assert.equal((await store.list())[0]?.draft, 'Not sent');
    file.append({ type: 'deleted', writer: 'w1', at: Date.now() - 8 * day });
    await file.flush();
    await store.list();
    assert.deepEqual((await readdir(folder)).toSorted(), [`${c1}.jsonl`, 'index.json']);
  });

  it('has a draft on disk once it says so, even if nobody waited for it', async () => {
    const store = storeOf('w1');
    void store.saveDraft(c1, 'H');
    void store.saveDraft(c1, 'Hello');
    await store.settled();
    assert.equal(await textOf(join(folder, `${c1}.draft`)), 'Hello');
  });

  it('lists a draft that belongs to no message yet', async () => {
    const store = storeOf('w1');
    await store.saveDraft(c1, 'Half a  thought');
    await ask(store, c2, 'Sent');
    await store.saveDraft(c2, 'More');
    assert.deepEqual(
      (await store.list()).map(({ id, draft }) => ({ id, draft })),
      [
        { id: c1, draft: 'Half a thought' },
        { id: c2, draft: undefined },
      ],
    );
  });

  it('forgets a draft that was sent, but not one that was typed since', async () => {
    const store = storeOf('w1');
    await store.saveDraft(c1, 'Sent');
    await store.forgetDraft(c1, 'Sent');
    assert.equal(await store.draft(c1), '');
    await store.saveDraft(c1, 'Typed since');
    await store.forgetDraft(c1, 'Sent');
    assert.equal(await store.draft(c1), 'Typed since');
  });

  it("keeps a draft until it's sent, in the order it was typed", async () => {
    const store = storeOf('w1');
    await Promise.all(['H', 'He', 'Hello'].map((text) => store.saveDraft(c1, text)));
    assert.equal(await storeOf('w2').draft(c1), 'Hello');
    await store.saveDraft(c1, '');
    assert.equal(await store.draft(c1), '');
    assert.deepEqual(await readdir(folder), []);
  });

  it("doesn't forget a draft that is typed while it forgets the previous one", async () => {
    const store = storeOf('w1');
    await store.saveDraft(c1, 'Sent');
    await Promise.all([store.forgetDraft(c1, 'Sent'), store.saveDraft(c1, 'Typed since')]);
    assert.equal(await store.draft(c1), 'Typed since');
  });

  it('keeps the drafts of two windows apart, and shows both to the next', async () => {
    const [mine, theirs] = [storeOf('w1'), storeOf('w2')];
    assert.equal(await mine.draft(c1), '');
    assert.equal(await theirs.draft(c1), '');
    await mine.saveDraft(c1, 'Mine');
    await theirs.saveDraft(c1, 'Theirs');
    await mine.saveDraft(c1, 'Mine, longer');
    assert.equal(await mine.draft(c1), 'Mine, longer');
    assert.equal(await theirs.draft(c1), 'Theirs');
    assert.equal((await mine.list())[0]?.draft, 'Mine, longer Theirs');
    const later = storeOf('w3');
    assert.equal(await later.draft(c1), 'Mine, longer\n\nTheirs');
    await later.saveDraft(c1, 'Both');
    assert.deepEqual(await readdir(folder), [`${c1}.draft`]);
    assert.equal(await later.draft(c1), 'Both');
  });

  it("forgets what one window sent, but not another window's draft", async () => {
    const [mine, theirs] = [storeOf('w1'), storeOf('w2')];
    await mine.saveDraft(c1, 'The same');
    await theirs.saveDraft(c1, 'The same');
    await theirs.forgetDraft(c1, 'The same');
    assert.equal(await storeOf('w3').draft(c1), 'The same');
    await mine.forgetDraft(c1, 'The same');
    assert.deepEqual(await readdir(folder), []);
  });

  it('starts a truncated file again without an error', async () => {
    const store = storeOf('w1');
    await ask(store, c1, 'One');
    await truncate(join(folder, `${c1}.jsonl`), 0);
    assert.deepEqual((await store.file(c1).read()).records, []);
    assert.deepEqual(errors, []);
  });

  describe('with attachments', () => {
    const id = c1;
    const item = (name: string) =>
      ({ kind: 'file', id: crypto.randomUUID(), name, detail: name, tokens: 1, at: 1 }) as const;

    it('lists a conversation with attachments but no text', async () => {
      await attachmentsIn(folder).changeDraft(id, () => [item('a.ts'), item('b.ts')]);
      const [row, ...others] = await storeOf('w1').list();
      assert.deepEqual(others, []);
      assert.equal(row?.id, id);
      assert.equal(row.draft, 'a.ts, b.ts');
    });

    it('also lists it if a model was selected, which creates a file without a message', async () => {
      await attachmentsIn(folder).changeDraft(id, () => [item('a.ts')]);
      const store = storeOf('w1');
      const file = store.file(id);
      file.append({ type: 'optionsSet', options: { model: 'm' }, writer: 'w1', at: 1 });
      await file.flush();
      assert.deepEqual(
        (await store.list()).map(({ draft }) => draft),
        ['a.ts'],
      );
    });

    it('uses the newer time of text and attachments, and deletes neither', async () => {
      const store = storeOf('w1');
      await store.saveDraft(id, 'Look at this');
      const kept = attachmentsIn(folder);
      await kept.changeDraft(id, () => [item('a.ts')]);
      const longAgo = new Date(Date.now() - 40 * day);
      await utimes(join(folder, `${id}.draft`), longAgo, longAgo);
      const [row] = await store.list();
      assert.equal(row?.draft, 'Look at this');
      assert.ok(row.updatedAt > Date.now() - day);
      assert.equal((await kept.draft(id)).items.length, 1);
    });

    it('deletes them with the conversation, a week after that was deleted', async () => {
      const kept = attachmentsIn(folder);
      await kept.save(id, item('a.ts'), 'x');
      const store = storeOf('w1');
      await ask(store, id, 'Old', 1000);
      const file = store.file(id);
      file.append({ type: 'deleted', writer: 'w1', at: 2000 });
      await file.flush();
      await store.list();
      assert.deepEqual(await kept.conversations(), []);
    });
  });
});
