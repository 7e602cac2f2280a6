import assert from 'node:assert/strict';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Attachment } from '../../../../src/shared/attachment.ts';
import { maxAttachments } from '../../../../src/shared/messageLimits.ts';
import { DraftAttachments } from '../../../../src/vscode/attachments/draftAttachments.ts';
import { about, hurried, withFaults } from '../disk/faultyDisk.ts';
import { attachmentsIn } from './attachmentsIn.ts';

const conversation = '9b2f3a60-4a0e-4d8e-9d3a-0f6f2f2b7c11';

function file(name: string): Attachment {
  return { kind: 'file', id: crypto.randomUUID(), name, detail: `src/${name}`, tokens: 1, at: 1 };
}

describe('An attachment of a draft', () => {
  let folder: string;
  let errors: unknown[];
  const windows: DraftAttachments[] = [];
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'parlance-drafts-'));
    errors = [];
  });
  afterEach(async () => {
    await Promise.all(windows.splice(0).map((window) => window.settled()));
    await rm(folder, { recursive: true, force: true });
  });

  function anotherWindow(): DraftAttachments {
    const store = attachmentsIn(folder);
    const window = new DraftAttachments({ store, onError: (error) => errors.push(error) });
    windows.push(window);
    return window;
  }
  const names = (drafts: DraftAttachments) => drafts.of(conversation).map(({ name }) => name);

  it('is restored after a restart, in order', async () => {
    const first = anotherWindow();
    for (const name of ['a.ts', 'b.ts']) assert.equal(await first.add(conversation, file(name), name), undefined);
    await first.settled();
    const second = anotherWindow();
    await second.load(conversation);
    assert.deepEqual(names(second), ['a.ts', 'b.ts']);
  });

  it('reports each change', async () => {
    const drafts = anotherWindow();
    let changes = 0;
    drafts.onDidChange((id) => {
      assert.equal(id, conversation);
      changes += 1;
    });
    const item = file('a.ts');
    await drafts.add(conversation, item, 'x');
    drafts.remove(conversation, item.id);
    drafts.remove(conversation, item.id);
    assert.equal(changes, 2);
  });

  it('is unique per file: newer content replaces older content', async () => {
    const drafts = anotherWindow();
    const [older, newer] = [file('a.ts'), file('a.ts')];
    for (const item of [older, file('b.ts'), newer]) await drafts.add(conversation, item, item.id);
    assert.deepEqual(names(drafts), ['a.ts', 'b.ts']);
    assert.equal(drafts.of(conversation)[0]?.id, newer.id);
  });

  it('keeps its content after it was removed, because another window might be sending it', async () => {
    const drafts = anotherWindow();
    const item = file('a.ts');
    await drafts.add(conversation, item, 'x');
    drafts.remove(conversation, item.id);
    await drafts.settled();
    assert.deepEqual(await readdir(join(folder, 'attachments', conversation)), [`${item.id}.md`]);
  });

  it('is sent without attachments that were added in the meantime', async () => {
    const drafts = anotherWindow();
    const [sent, later] = [file('a.ts'), file('b.ts')];
    for (const item of [sent, later]) await drafts.add(conversation, item, 'x');
    drafts.sent(conversation, [sent]);
    assert.deepEqual(names(drafts), ['b.ts']);
  });

  it('is the same for two windows, whichever adds, removes, or sends', async () => {
    const [mine, theirs] = [anotherWindow(), anotherWindow()];
    const [one, two, three, four] = [file('1.ts'), file('2.ts'), file('3.ts'), file('4.ts')];
    for (const window of [mine, theirs]) await window.load(conversation);
    await mine.add(conversation, one, 'x');
    await theirs.add(conversation, two, 'x');
    assert.deepEqual(names(theirs), ['1.ts', '2.ts']);
    await mine.add(conversation, three, 'x');
    assert.deepEqual(names(mine), ['1.ts', '2.ts', '3.ts']);
    mine.sent(conversation, [one]);
    await mine.settled();
    await theirs.add(conversation, four, 'x');
    theirs.remove(conversation, two.id);
    await theirs.settled();
    const later = anotherWindow();
    await later.load(conversation);
    assert.deepEqual(names(later), ['3.ts', '4.ts']);
    assert.deepEqual(names(theirs), ['3.ts', '4.ts']);
    await mine.load(conversation);
    assert.deepEqual(names(mine), ['3.ts', '4.ts']);
  });

  it('is limited to what a message can contain, even if another window added more', async () => {
    const [mine, theirs] = [anotherWindow(), anotherWindow()];
    await mine.load(conversation);
    for (let count = 0; count < maxAttachments; count += 1) await theirs.add(conversation, file(`${count}.ts`), 'x');
    assert.match((await mine.add(conversation, file('more.ts'), 'x'))?.title ?? '', /Too many attachments/);
  });

  it("stays in this window while it can't be written, and is written with the next change", async () => {
    const drafts = anotherWindow();
    const [one, two] = [file('1.ts'), file('2.ts')];
    const fault = { rename: about('draft.json', 'EROFS') };
    await withFaults(fault, () => drafts.add(conversation, one, 'x'));
    assert.deepEqual(names(drafts), ['1.ts']);
    assert.equal(errors.length, 1);
    await drafts.add(conversation, two, 'x');
    assert.deepEqual((await attachmentsIn(folder).draft(conversation)).items, [one, two]);
  });

  it("forgets a change once it's saved, so nothing is restored that another window removed", async () => {
    const [mine, theirs] = [anotherWindow(), anotherWindow()];
    const [one, two] = [file('1.ts'), file('2.ts')];
    await mine.add(conversation, one, 'x');
    await theirs.load(conversation);
    theirs.remove(conversation, one.id);
    await theirs.settled();
    await mine.add(conversation, two, 'x');
    assert.deepEqual(names(mine), ['2.ts']);
    assert.deepEqual((await attachmentsIn(folder).draft(conversation)).items, [two]);
  });

  it("stays visible while it can't be written, even if the list is read again", async () => {
    const drafts = anotherWindow();
    await withFaults({ rename: about('draft.json', 'EROFS') }, async () => {
      await drafts.add(conversation, file('1.ts'), 'x');
      await drafts.load(conversation);
      assert.deepEqual(names(drafts), ['1.ts']);
    });
  });

  it("stays visible when it's removed or added while an earlier change is being saved", async () => {
    const drafts = anotherWindow();
    const [one, two] = [file('1.ts'), file('2.ts')];
    for (const item of [one, two]) await drafts.add(conversation, item, 'x');
    drafts.remove(conversation, one.id);
    const seen: (readonly string[])[] = [];
    drafts.onDidChange(() => seen.push(names(drafts)));
    // The first save is running: the list on disk still has the second one.
    await new Promise((resolve) => setImmediate(resolve));
    drafts.remove(conversation, two.id);
    await drafts.settled();
    assert.deepEqual(seen, [[]]);
  });

  it("is saved for one conversation if another one can't be written", async () => {
    const drafts = anotherWindow();
    const other = crypto.randomUUID();
    const [one, two] = [file('1.ts'), file('2.ts')];
    await withFaults({ rename: about(join(conversation, 'draft.json'), 'EROFS') }, async () => {
      await drafts.add(conversation, one, 'x');
      await drafts.add(other, two, 'x');
    });
    assert.deepEqual((await attachmentsIn(folder).draft(other)).items, [two]);
    assert.deepEqual((await attachmentsIn(folder).draft(conversation)).items, []);
  });

  it('is saved automatically once the disk works', async () => {
    const drafts = anotherWindow();
    await hurried(async () => {
      await withFaults({ rename: about('draft.json', 'ENOSPC') }, () => drafts.add(conversation, file('1.ts'), 'x'));
      while ((await attachmentsIn(folder).draft(conversation)).items.length === 0) {
        await new Promise((resolve) => setTimeout(resolve, 100));
      }
    });
    assert.equal(errors.length, 1);
  });

  it("isn't considered damaged while another program locks its list", async () => {
    const [here, there] = [anotherWindow(), anotherWindow()];
    const [one, two] = [file('1.ts'), file('2.ts')];
    await here.add(conversation, one, 'x');
    await hurried(() =>
      withFaults({ readFile: about('draft.json', 'EBUSY') }, () => there.add(conversation, two, 'x')),
    );
    await there.settled();
    assert.deepEqual((await attachmentsIn(folder).draft(conversation)).items, [one, two]);
    assert.ok(!(await readdir(join(folder, 'attachments', conversation))).some((name) => name.endsWith('.damaged')));
  });

  it('reports an unreadable part, and renames that before anything replaces it', async () => {
    const drafts = anotherWindow();
    const [known, added] = [file('known.ts'), file('added.ts')];
    const text = JSON.stringify([known, { ...file('song.ts'), kind: 'song' }]);
    const ofDraft = join(folder, 'attachments', conversation);
    await mkdir(ofDraft, { recursive: true });
    await writeFile(join(ofDraft, 'draft.json'), text);
    for (const window of [drafts, anotherWindow()]) {
      assert.match((await window.load(conversation))?.title ?? '', /can't be read/);
      assert.deepEqual(names(window), ['known.ts']);
    }
    await drafts.add(conversation, added, 'x');
    assert.deepEqual(names(drafts), ['known.ts', 'added.ts']);
    const damaged = (await readdir(ofDraft)).find((name) => name.endsWith('.damaged'));
    assert.equal(await readFile(join(ofDraft, damaged ?? ''), 'utf8'), text);
    assert.equal(await anotherWindow().load(conversation), undefined);
    assert.deepEqual(errors, []);
  });

  it('accepts no more than a message can contain', async () => {
    const drafts = anotherWindow();
    for (let count = 0; count < maxAttachments; count += 1) await drafts.add(conversation, file(`${count}.ts`), 'x');
    const problem = await drafts.add(conversation, file('more.ts'), 'x');
    assert.match(problem?.title ?? '', /Too many attachments/);
    assert.equal(drafts.of(conversation).length, maxAttachments);
  });

  it("reports that content can't be stored, and adds nothing", async () => {
    const drafts = anotherWindow();
    await writeFile(join(folder, 'attachments'), 'in the way');
    const problem = await drafts.add(conversation, file('a.ts'), 'x');
    assert.match(problem?.title ?? '', /Couldn't save "a\.ts"/);
    assert.deepEqual(names(drafts), []);
    assert.equal(errors.length, 1);
  });
});
