import assert from 'node:assert/strict';
import { fork } from 'node:child_process';
import { appendFile, copyFile, mkdir, readFile, readdir, rm, truncate, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ConversationRecord } from '../../../../src/core/chat/conversationRecord.ts';
import { Conversation } from '../../../../src/core/chat/conversation.ts';
import { processMark } from '../../../../src/vscode/disk/processMark.ts';
import { attachmentsIn } from '../attachments/attachmentsIn.ts';
import { about, hurried, withFaults } from '../disk/faultyDisk.ts';
import { c1, c2, day, ask, textOf, useStoreFolder } from './storeFolder.ts';

describe('The conversation store', () => {
  const here = useStoreFolder();

  it('returns a conversation as it was written, after a restart', async () => {
    await ask(here.storeOf('w1'), c1, 'Hello\nworld');
    const { records, damagedLines } = await here.storeOf('w2').file(c1).read();
    assert.deepEqual(
      records.map((record) => record.type),
      ['created', 'asked'],
    );
    assert.equal(damagedLines, 0);
  });

  it('lists conversations with title, beginning, and count, most recently used first', async () => {
    const store = here.storeOf('w1');
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
    const store = here.storeOf('w1');
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
    const store = here.storeOf('w1');
    await ask(store, c1, 'One');
    const list = await store.list();
    for (const spoil of [
      () => rm(join(here.folder, 'index.json')),
      () => writeFile(join(here.folder, 'index.json'), `{"${c1}":`),
      () => writeFile(join(here.folder, 'index.json'), `{"version":1,"conversations":{"${c1}":{"title":3}}}`),
      async () => {
        const path = join(here.folder, 'index.json');
        await writeFile(path, (await readFile(path, 'utf8')).replace(/"used":\[[^\]]*\],/, ''));
      },
      // Written by another version of Parlance, to which a line was new.
      async () => {
        const path = join(here.folder, 'index.json');
        const index: Readonly<Record<string, unknown>> = JSON.parse(await readFile(path, 'utf8'));
        const entries = JSON.stringify(index).replace('"damagedLines":0', '"damagedLines":1');
        await writeFile(path, entries.replace('"version":1', '"version":0'));
      },
    ]) {
      await spoil();
      assert.deepEqual(await store.list(), list);
    }
    await ask(here.storeOf('w2'), c1, 'Two', 3000);
    assert.equal((await store.list())[0]?.messageCount, 2);
  });

  it('loses only an incomplete line, and keeps what another window writes after it', async () => {
    const store = here.storeOf('w1');
    await ask(store, c1, 'One');
    await appendFile(join(here.folder, `${c1}.jsonl`), '\n{"type":"asked","id":"torn","te');
    await ask(here.storeOf('w2'), c1, 'Two');
    const { records, damagedLines } = await store.file(c1).read();
    assert.deepEqual(
      records.flatMap((record) => (record.type === 'asked' ? [record.text] : [])),
      ['One', 'Two'],
    );
    assert.equal(damagedLines, 1);
  });

  it('keeps and reports a damaged file, and never rewrites it', async () => {
    const store = here.storeOf('w1');
    await writeFile(join(here.folder, `${c1}.jsonl`), 'not json\n{"also":"not"}\n');
    const [row] = await store.list();
    assert.equal(row?.damagedLines, 2);
    await ask(store, c1, 'Still works');
    assert.ok((await readFile(join(here.folder, `${c1}.jsonl`), 'utf8')).startsWith('not json\n{"also":"not"}\n'));
  });

  it("keeps and reports a file that can't be read at all", async () => {
    const store = here.storeOf('w1');
    // The superuser can read anything, so for that user a folder takes the place of an unreadable file.
    await mkdir(join(here.folder, `${c1}.jsonl`));
    const [row] = await store.list();
    assert.equal(row?.id, c1);
    assert.match(row?.unreadable ?? '', /EISDIR/);
  });

  it('merges growth into a few writes, and loses none of it', async () => {
    const file = here.storeOf('w1').file(c1);
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
    const file = here.storeOf('w1').file(c1);
    file.append({ type: 'replyGrew', id: 'r1', part: 'text', offset: 0, text: 'so far', writer: 'w1', at: 1 });
    const deadline = Date.now() + 50_000;
    while (!(await textOf(join(here.folder, `${c1}.jsonl`))).includes('so far')) {
      assert.ok(Date.now() < deadline, 'The growth was never written');
      await new Promise((resolve) => setImmediate(resolve));
    }
  });

  it("keeps what couldn't be written for the next write, and reports it", async () => {
    const store = here.storeOf('w1');
    const file = store.file(c1);
    await withFaults({ open: about('.jsonl', 'ENOSPC') }, async () => {
      file.append({ type: 'asked', id: 'u1', text: 'One', writer: 'w1', at: 1 });
      await file.flush();
    });
    assert.equal(here.errors.length, 1);
    await file.flush();
    const { records } = await file.read();
    assert.ok(records.some((record) => record.type === 'asked' && record.text === 'One'));
  });

  it("shows a reply as interrupted whose end didn't fit on the disk, and loses nothing once there's room", async () => {
    const file = here.storeOf('w1').file(c1);
    const by = { writer: 'w1', at: 1 };
    file.append({ type: 'asked', id: 'u1', text: 'One', ...by });
    file.append({ type: 'replyStarted', id: 'r1', model: 'm', pid: 1, ...by });
    file.append({ type: 'replyGrew', id: 'r1', part: 'text', offset: 0, text: 'It ', ...by });
    await file.flush();
    // The disk accepts 60 more bytes, ending in the middle of a line.
    const room = async ([bytes]: readonly unknown[]) => {
      await appendFile(join(here.folder, `${c1}.jsonl`), (bytes as Buffer).subarray(0, 60));
      return 'ENOSPC';
    };
    let torn: Promise<string> | undefined;
    const reload = async () => {
      const { records, damagedLines } = await here.storeOf('w2').file(c1).read();
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

  it('permanently deletes what a killed window was writing, and the file of the conversation last', async () => {
    const file = here.storeOf('w1').file(c1);
    const at = Date.now() - 8 * day;
    file.append({ type: 'asked', id: 'u1', text: 'One', writer: 'w1', at });
    file.append({ type: 'deleted', writer: 'w1', at });
    await file.flush();
    const temporary = `${c1}.draft.${processMark().replace(/-[0-9a-z]+-/, '-1-')}.1.tmp`;
    await writeFile(join(here.folder, temporary), 'a secret thought');
    await hurried(() => withFaults({ rm: about('.tmp', 'EPERM') }, () => here.storeOf('w1').list()));
    assert.match(await textOf(join(here.folder, `${c1}.jsonl`)), /One/, 'as long as the rest is there');
    assert.deepEqual(await here.storeOf('w1').list(), []);
    assert.deepEqual((await readdir(here.folder)).toSorted(), [`${c1}.jsonl`, 'index.json']);
    assert.doesNotMatch(await textOf(join(here.folder, `${c1}.jsonl`)), /One/);
  });

  it('sees what another window writes, and not its own lines again', async () => {
    const mine = here.storeOf('w1').file(c1);
    const theirs = here.storeOf('w2').file(c1);
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
    const windows = ['a', 'b'].map((name) => fork(script, [here.folder, name, '500'], { silent: true }));
    const exits = windows.map((child) => new Promise((resolve) => child.once('exit', resolve)));
    const [first] = windows;
    await new Promise((resolve) => first?.on('message', (count) => count === 100 && resolve(undefined)));
    first?.kill('SIGKILL');
    await Promise.all(exits);
    const { records, damagedLines } = await here.storeOf('reader').file('shared').read();
    const texts = records.flatMap((record) => (record.type === 'asked' ? [record.text] : []));
    assert.ok(damagedLines <= 1, `${damagedLines} damaged lines`);
    assert.equal(texts.filter((text) => text.startsWith('b')).length, 500);
    assert.ok(texts.filter((text) => text.startsWith('a')).length >= 100);
  });

  it('lists no deleted conversation, and permanently deletes it after a week', async () => {
    const store = here.storeOf('w1');
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
    const mine = here.storeOf('w1').file(c1);
    const theirs = here.storeOf('w2').file(c1);
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
    const store = here.storeOf('w1');
    await ask(store, c1, `${'word '.repeat(100)}Needle ${'word '.repeat(100)}`);
    await ask(store, c1, 'Something else');
    await ask(store, c2, 'Hay');
    assert.deepEqual([...(await store.search().find('needle', new AbortController().signal))], [c1]);
    // Both words are there, in two messages.
    assert.deepEqual([...(await store.search().find('ELSE  needle', new AbortController().signal))], [c1]);
    assert.deepEqual([...(await store.search().find('hay needle', new AbortController().signal))], []);
  });

  it('can be searched while a user types: unchanged files are read once, changed ones again', async () => {
    const store = here.storeOf('w1');
    await ask(store, c1, 'Hay');
    const path = join(here.folder, `${c1}.jsonl`);
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
    const store = here.storeOf('w1');
    await ask(store, c1, 'One');
    await copyFile(join(here.folder, `${c1}.jsonl`), join(here.folder, `${c1} copy.jsonl`));
    const rows = await store.list();
    assert.deepEqual(
      rows.map(({ id, title }) => ({ id, title })),
      [
        { id: c1, title: 'One' },
        { id: `${c1} copy`, title: '' },
      ],
    );
    assert.match(rows[1]?.unreadable ?? '', /name/);
    assert.equal(store.path(`${c1} copy`), join(here.folder, `${c1} copy.jsonl`));
  });

  it('starts a truncated file again without an error', async () => {
    const store = here.storeOf('w1');
    await ask(store, c1, 'One');
    await truncate(join(here.folder, `${c1}.jsonl`), 0);
    assert.deepEqual((await store.file(c1).read()).records, []);
    assert.deepEqual(here.errors, []);
  });

  describe('with attachments', () => {
    const id = c1;
    const item = (name: string) =>
      ({ kind: 'file', id: crypto.randomUUID(), name, detail: name, tokens: 1, at: 1 }) as const;

    it('lists a conversation with attachments but no text', async () => {
      await attachmentsIn(here.folder).changeDraft(id, () => [item('a.ts'), item('b.ts')]);
      const [row, ...others] = await here.storeOf('w1').list();
      assert.deepEqual(others, []);
      assert.equal(row?.id, id);
      assert.equal(row.draft, 'a.ts, b.ts');
    });

    it('also lists it if a model was selected, which creates a file without a message', async () => {
      await attachmentsIn(here.folder).changeDraft(id, () => [item('a.ts')]);
      const store = here.storeOf('w1');
      const file = store.file(id);
      file.append({ type: 'optionsSet', options: { model: 'm' }, writer: 'w1', at: 1 });
      await file.flush();
      assert.deepEqual(
        (await store.list()).map(({ draft }) => draft),
        ['a.ts'],
      );
    });

    it('uses the newer time of text and attachments, and deletes neither', async () => {
      const store = here.storeOf('w1');
      await store.saveDraft(id, 'Look at this');
      const kept = attachmentsIn(here.folder);
      await kept.changeDraft(id, () => [item('a.ts')]);
      const longAgo = new Date(Date.now() - 40 * day);
      await utimes(join(here.folder, `${id}.draft`), longAgo, longAgo);
      const [row] = await store.list();
      assert.equal(row?.draft, 'Look at this');
      assert.ok(row.updatedAt > Date.now() - day);
      assert.equal((await kept.draft(id)).items.length, 1);
    });

    it('deletes them with the conversation, a week after that was deleted', async () => {
      const kept = attachmentsIn(here.folder);
      await kept.save(id, item('a.ts'), 'x');
      const store = here.storeOf('w1');
      await ask(store, id, 'Old', 1000);
      const file = store.file(id);
      file.append({ type: 'deleted', writer: 'w1', at: 2000 });
      await file.flush();
      await store.list();
      assert.deepEqual(await kept.conversations(), []);
    });
  });
});
