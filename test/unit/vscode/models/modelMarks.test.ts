import assert from 'node:assert/strict';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ModelMarks } from '../../../../src/core/models/modelMarks.ts';
import type { FileTrouble } from '../../../../src/vscode/disk/jsonFile.ts';
import { MarksFiles } from '../../../../src/vscode/models/marksFiles.ts';
import { inAnotherProcess } from '../disk/inAnotherProcess.ts';
import { about, hurried, withFaults } from '../disk/faultyDisk.ts';

describe('Favorite, hidden, and recent models', () => {
  let folder: string;
  let service: string | undefined;
  const troubles: FileTrouble[] = [];

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'parlance-marks-'));
    service = 'https://one.test/v1';
    troubles.length = 0;
  });
  afterEach(async () => {
    for (const files of opened.splice(0)) files.dispose();
    // Whoever followed the folder might be copying marks to the new base URL.
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  });

  const opened: MarksFiles[] = [];
  function openFiles(): MarksFiles {
    const files = new MarksFiles(folder, (trouble) => troubles.push(trouble));
    opened.push(files);
    return files;
  }
  const open = (store = openFiles()) => new ModelMarks({ store, service: () => service, onError: assert.ifError });

  it('are restored after a restart', async () => {
    const marks = open();
    await marks.setFavorite('b', true);
    await marks.setFavorite('a', true);
    await marks.setHidden('c', true);
    await marks.used('d');
    const later = open();
    await later.load();
    assert.deepEqual(later.view, { favorites: ['b', 'a'], hidden: new Set(['c']), recent: ['d'] });
  });

  it('can be undone, and report each change once', async () => {
    const marks = open();
    let changes = 0;
    marks.onDidChange(() => (changes += 1));
    await marks.setFavorite('a', true);
    await marks.setFavorite('a', true);
    await marks.setFavorite('a', false);
    await marks.setHidden('a', true);
    await marks.setHidden('a', false);
    assert.deepEqual(marks.view, { favorites: [], hidden: new Set(), recent: [] });
    assert.equal(changes, 4);
  });

  it('keep the five latest models, each once, newest first', async () => {
    const marks = open();
    for (const id of ['a', 'b', 'c', 'd', 'a', 'e', 'f', 'f']) await marks.used(id);
    assert.deepEqual(marks.view.recent, ['f', 'e', 'a', 'd', 'c']);
  });

  it('of two windows are merged', async () => {
    const [one, other] = [open(), open()];
    await one.load();
    await other.load();
    await one.setFavorite('a', true);
    await other.setFavorite('b', true);
    assert.deepEqual(other.view.favorites, ['a', 'b']);
    await one.load();
    assert.deepEqual(one.view.favorites, ['a', 'b']);
  });

  it('show what another window changes, without a change of their own', async () => {
    const marks = open();
    await marks.load();
    const told = new Promise<void>((resolve) => marks.onDidChange(resolve));
    const change = '(marks) => ({ ...marks, favorites: ["theirs"], hidden: ["gone"] })';
    await inAnotherProcess(
      ['MarksFiles from ../models/marksFiles'],
      `await new MarksFiles(${JSON.stringify(folder)}, console.log).change(${JSON.stringify(service)}, ${change});`,
    ).done;
    await told;
    assert.deepEqual(marks.view, { favorites: ['theirs'], hidden: new Set(['gone']), recent: [] });
  });

  it('lose none of many simultaneous changes', async () => {
    const marks = open();
    const ids = Array.from({ length: 50 }, (_, at) => `m${at}`);
    await Promise.all(ids.map((id) => marks.setFavorite(id, true)));
    assert.deepEqual(marks.view.favorites, ids);
  });

  it('belong to one service', async () => {
    await open().setFavorite('a', true);
    service = 'https://two.test/v1';
    const marks = open();
    await marks.load();
    assert.deepEqual(marks.view.favorites, []);
  });

  it('are kept when the base URL changes, unless there are some for the new one', async () => {
    const first = service;
    const marks = open();
    await marks.setFavorite('a', true);
    await marks.setHidden('b', true);
    await marks.used('c');
    // Another window of the same service, which has read nothing yet.
    const other = open();
    service = 'https://moved.test/v1';
    await Promise.all([marks.used('d'), marks.load(), other.load()]);
    const moved = { favorites: ['a'], hidden: new Set(['b']), recent: ['d', 'c'] };
    assert.deepEqual([marks.view, other.view], [moved, moved]);
    await marks.setFavorite('e', true);
    service = first;
    await marks.load();
    assert.deepEqual(marks.view, { favorites: ['a'], hidden: new Set(['b']), recent: ['c'] });
    service = 'https://moved.test/v1';
    await marks.load();
    assert.deepEqual(marks.view.favorites, ['a', 'e']);
  });

  it("aren't those of a service that was removed, even if the next one gets its ID", async () => {
    const marks = open();
    await marks.setFavorite('a', true);
    service = undefined;
    await marks.load();
    service = 'https://next.test/v1';
    await marks.load();
    assert.deepEqual(marks.view.favorites, []);
  });

  it('stay in a file that is damaged or newer, which is kept under another name', async () => {
    for (const [kind, text] of [
      ['damaged', '{"favorites":7,"hidden":["x"]'],
      ['newer', '{"version":2,"value":{"stars":["a"]}}'],
    ] as const) {
      service = `https://${kind}.test/v1`;
      const before = await readdir(folder);
      await open().setFavorite('a', true);
      const [name = ''] = (await readdir(folder)).filter((each) => !before.includes(each));
      await writeFile(join(folder, name), text);
      troubles.length = 0;
      const marks = open();
      await marks.load();
      assert.deepEqual(marks.view.favorites, []);
      await marks.setFavorite('b', true);
      assert.deepEqual(marks.view.favorites, ['b']);
      const kept = troubles.at(-1);
      assert.ok(kept?.kind === kind && kept.keptAs !== undefined);
      assert.equal(await readFile(kept.keptAs, 'utf8'), text);
      for (const files of opened.splice(0)) files.dispose();
    }
  });

  for (const code of ['EBUSY', 'EPERM', 'EACCES', 'EIO']) {
    it(`stay if their file can't be read for a while: ${code}`, async () => {
      const before = open();
      await before.setFavorite('old', true);
      await before.setHidden('gone', true);
      const files = openFiles();
      const marks = open(files);
      await hurried(() =>
        withFaults({ readFile: about('.marks.json', code) }, async () => {
          await marks.load();
          await marks.setFavorite('new', true);
        }),
      );
      assert.deepEqual(
        troubles.map(({ kind }) => kind),
        ['unreadable', 'unsaved'],
      );
      await files.settled();
      const later = open();
      await later.load();
      assert.deepEqual(later.view, { favorites: ['old', 'new'], hidden: new Set(['gone']), recent: [] });
    });
  }
});
