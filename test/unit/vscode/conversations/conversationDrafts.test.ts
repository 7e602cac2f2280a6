import assert from 'node:assert/strict';
import { readdir, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { about, firstCalls, hurried, withFaults } from '../disk/faultyDisk.ts';
import { c1, c2, day, ask, textOf, useStoreFolder } from './storeFolder.ts';

describe('A conversation store with drafts', () => {
  const here = useStoreFolder();

  it("saves a draft that couldn't be written on its own, with its latest text", async () => {
    const store = here.storeOf('w1');
    await hurried(async () => {
      await withFaults({ rename: about('.draft', 'ENOSPC') }, async () => {
        assert.equal(await store.saveDraft(c1, 'A thought'), false);
        assert.equal(await store.saveDraft(c1, 'A secret thought'), false);
        assert.equal(await store.draft(c1), 'A secret thought');
        assert.ok(!(await readdir(here.folder)).includes(`${c1}.draft`));
      });
      assert.equal(here.errors.length, 1);
      while ((await readdir(here.folder)).join() !== `${c1}.draft`)
        await new Promise((resolve) => setTimeout(resolve, 100));
    });
    assert.equal(await here.storeOf('w2').draft(c1), 'A secret thought');
  });

  it('forgets the earlier text too if the one that was sent never reached the disk', async () => {
    const store = here.storeOf('w1');
    await store.saveDraft(c1, 'A first');
    await withFaults({ rename: about('.draft', 'ENOSPC') }, () => store.saveDraft(c1, 'A first thought'));
    await store.forgetDraft(c1, 'A first thought');
    assert.deepEqual(await readdir(here.folder), []);
  });

  it("continues with what is typed while the draft is read, and keeps another window's", async () => {
    const store = here.storeOf('w1');
    await here.storeOf('w2').saveDraft(c1, 'Yours');
    const reading = store.draft(c1);
    // By then it waits for the disk.
    for (let turn = 0; turn < 20; turn += 1) await Promise.resolve();
    const saving = store.saveDraft(c1, 'Mine');
    assert.equal(await reading, 'Mine');
    await saving;
    assert.deepEqual((await here.storeOf('w3').draft(c1)).split('\n\n').toSorted(), ['Mine', 'Yours']);
  });

  it("replaces a draft that couldn't be read for a while", async () => {
    const store = here.storeOf('w1');
    await store.saveDraft(c1, 'A first');
    await hurried(() =>
      withFaults({ open: about('.draft', 'EBUSY'), readFile: about('.draft', 'EBUSY') }, () =>
        store.saveDraft(c1, 'A second'),
      ),
    );
    await store.settled();
    assert.equal(await here.storeOf('w2').draft(c1), 'A second');
  });

  it('keeps both drafts of two windows in which the user types at the same moment', async () => {
    const [one, other] = [here.storeOf('w1'), here.storeOf('w2')];
    for (let round = 0; round < 10; round += 1) {
      const id = crypto.randomUUID();
      await Promise.all([one.saveDraft(id, 'Mine'), other.saveDraft(id, 'Yours')]);
      const text = await here.storeOf('w3').draft(id);
      assert.deepEqual(text.split('\n\n').toSorted(), ['Mine', 'Yours']);
    }
  });

  it('waits for a program that locks a draft', async () => {
    await hurried(() =>
      withFaults({ rename: firstCalls(8, 'EPERM') }, async () => {
        assert.equal(await here.storeOf('w1').saveDraft(c1, 'A thought'), true);
      }),
    );
    assert.deepEqual(here.errors, []);
  });

  it("forgets a sent draft once it can be read, and doesn't show it before", async () => {
    const store = here.storeOf('w1');
    await store.saveDraft(c1, 'Sent');
    await hurried(async () => {
      await withFaults({ readFile: about('.draft', 'EIO') }, async () => {
        await store.forgetDraft(c1, 'Sent');
        assert.equal(await store.draft(c1), '');
      });
      assert.equal(await store.draft(c1), '');
      while ((await readdir(here.folder)).length > 0) await new Promise((resolve) => setTimeout(resolve, 100));
    });
  });

  it("keeps what was typed after a message whose draft couldn't be read, even if it's the same text", async () => {
    const store = here.storeOf('w1');
    await store.saveDraft(c1, 'Again');
    await hurried(async () => {
      await withFaults({ readFile: about('.draft', 'EIO') }, async () => {
        await store.forgetDraft(c1, 'Again');
        await store.saveDraft(c1, 'Again');
      });
      while ((await readdir(here.folder)).join() !== `${c1}.draft`)
        await new Promise((resolve) => setTimeout(resolve, 100));
    });
    await store.settled();
    assert.equal(await here.storeOf('w2').draft(c1), 'Again');
  });

  it("replaces this window's draft that couldn't be read when it was shown", async () => {
    const store = here.storeOf('w1');
    await store.saveDraft(c1, 'First');
    await hurried(async () => {
      await withFaults({ readFile: about('.draft', 'EIO') }, async () => {
        assert.equal(await store.draft(c1), 'First');
        await store.saveDraft(c1, 'Second');
      });
      while ((await readdir(here.folder)).join() !== `${c1}.draft`)
        await new Promise((resolve) => setTimeout(resolve, 100));
    });
    assert.equal(await here.storeOf('w2').draft(c1), 'Second');
  });

  it('forgets a sent draft once the file can be deleted', async () => {
    const store = here.storeOf('w1');
    await store.saveDraft(c1, 'Sent');
    await hurried(() => withFaults({ rm: () => 'EBUSY' }, () => store.forgetDraft(c1, 'Sent')));
    await store.settled();
    assert.deepEqual(await readdir(here.folder), []);
  });

  it('keeps a draft however old it is', async () => {
    const store = here.storeOf('w1');
    await store.saveDraft(c1, 'From long ago');
    const longAgo = new Date(Date.now() - 400 * day);
    await utimes(join(here.folder, `${c1}.draft`), longAgo, longAgo);
    assert.equal((await store.list())[0]?.draft, 'From long ago');
    assert.equal(await store.draft(c1), 'From long ago');
  });

  it('keeps the draft of a deleted conversation for Undo, without a row, and deletes both together', async () => {
    const store = here.storeOf('w1');
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
    assert.deepEqual((await readdir(here.folder)).toSorted(), [`${c1}.jsonl`, 'index.json']);
  });

  it('has a draft on disk once it says so, even if nobody waited for it', async () => {
    const store = here.storeOf('w1');
    void store.saveDraft(c1, 'H');
    void store.saveDraft(c1, 'Hello');
    await store.settled();
    assert.equal(await textOf(join(here.folder, `${c1}.draft`)), 'Hello');
  });

  it('lists a draft that belongs to no message yet', async () => {
    const store = here.storeOf('w1');
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
    const store = here.storeOf('w1');
    await store.saveDraft(c1, 'Sent');
    await store.forgetDraft(c1, 'Sent');
    assert.equal(await store.draft(c1), '');
    await store.saveDraft(c1, 'Typed since');
    await store.forgetDraft(c1, 'Sent');
    assert.equal(await store.draft(c1), 'Typed since');
  });

  it("keeps a draft until it's sent, in the order it was typed", async () => {
    const store = here.storeOf('w1');
    await Promise.all(['H', 'He', 'Hello'].map((text) => store.saveDraft(c1, text)));
    assert.equal(await here.storeOf('w2').draft(c1), 'Hello');
    await store.saveDraft(c1, '');
    assert.equal(await store.draft(c1), '');
    assert.deepEqual(await readdir(here.folder), []);
  });

  it("doesn't forget a draft that is typed while it forgets the previous one", async () => {
    const store = here.storeOf('w1');
    await store.saveDraft(c1, 'Sent');
    await Promise.all([store.forgetDraft(c1, 'Sent'), store.saveDraft(c1, 'Typed since')]);
    assert.equal(await store.draft(c1), 'Typed since');
  });

  it('keeps the drafts of two windows apart, and shows both to the next', async () => {
    const [mine, theirs] = [here.storeOf('w1'), here.storeOf('w2')];
    assert.equal(await mine.draft(c1), '');
    assert.equal(await theirs.draft(c1), '');
    await mine.saveDraft(c1, 'Mine');
    await theirs.saveDraft(c1, 'Theirs');
    await mine.saveDraft(c1, 'Mine, longer');
    assert.equal(await mine.draft(c1), 'Mine, longer');
    assert.equal(await theirs.draft(c1), 'Theirs');
    assert.equal((await mine.list())[0]?.draft, 'Mine, longer Theirs');
    const later = here.storeOf('w3');
    assert.equal(await later.draft(c1), 'Mine, longer\n\nTheirs');
    await later.saveDraft(c1, 'Both');
    assert.deepEqual(await readdir(here.folder), [`${c1}.draft`]);
    assert.equal(await later.draft(c1), 'Both');
  });

  it("forgets what one window sent, but not another window's draft", async () => {
    const [mine, theirs] = [here.storeOf('w1'), here.storeOf('w2')];
    await mine.saveDraft(c1, 'The same');
    await theirs.saveDraft(c1, 'The same');
    await theirs.forgetDraft(c1, 'The same');
    assert.equal(await here.storeOf('w3').draft(c1), 'The same');
    await mine.forgetDraft(c1, 'The same');
    assert.deepEqual(await readdir(here.folder), []);
  });
});
