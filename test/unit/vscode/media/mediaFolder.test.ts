import assert from 'node:assert/strict';
import { mkdtemp, readdir, readFile, rename, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MediaFolder } from '../../../../src/vscode/media/mediaFolder.ts';
import { MediaStore } from '../../../../src/vscode/media/mediaStore.ts';
import { processMark } from '../../../../src/vscode/disk/processMark.ts';
import { about, hurried, withFaults } from '../disk/faultyDisk.ts';

describe('The folder for media', () => {
  let root: string;
  let folder: MediaFolder;

  beforeEach(async () => {
    root = await mkdtemp(join(tmpdir(), 'parlance-folder-'));
    folder = new MediaFolder(root, 'w1');
  });
  afterEach(() => rm(root, { recursive: true, force: true }));

  it('deletes the files of deleted runs, including incomplete ones, and no others', async () => {
    const [one, other] = ['11111111-a', '11111111-ab'];
    await folder.write(one, 0, 'image/png', new Uint8Array([1]));
    await folder.write(one, 1, 'image/webp', new Uint8Array([1]));
    await folder.write(other, 0, 'image/png', new Uint8Array([1]));
    const part = await folder.openPart(one, 2);
    await part.setTag('"x"');
    await part.close();
    await folder.remove([one, 'never-there']);
    assert.deepEqual(await readdir(folder.results), [`${other}-0.png`]);
  });

  it('keeps copies that are used or recent, and deletes the others', async () => {
    const inputs = join(root, 'inputs');
    for (const id of ['used', 'old', 'young']) await folder.keepInput(id, new Uint8Array([1, 2]));
    await writeFile(join(inputs, 'torn.w0.tmp'), 'x');
    for (const name of ['used', 'old', 'torn.w0.tmp']) await utimes(join(inputs, name), 0, 0);
    await folder.sweepInputs(new Set(['used']));
    assert.deepEqual((await readdir(inputs)).toSorted(), ['used', 'young']);
    // A copy that is selected again counts as recent, and so does one in a form that another window has open.
    for (const use of [
      () => folder.keepInput('used', new Uint8Array([1, 2])),
      () => folder.useInputs(['used', 'gone']),
    ]) {
      await utimes(join(inputs, 'used'), 0, 0);
      await use();
      await folder.sweepInputs(new Set());
      assert.deepEqual((await readdir(inputs)).toSorted(), ['used', 'young']);
    }
  });

  it('gives a file of an unknown type an extension that nothing opens', async () => {
    assert.equal(await folder.write('run', 0, 'text/html', new Uint8Array()), 'run-0.bin');
  });

  it("continues a dead process's download at once, and another window's only once it's abandoned", async () => {
    const run = crypto.randomUUID();
    const part = await new MediaFolder(root, 'w0').openPart(run, 0);
    await part.setTag('"x"');
    await part.append(new Uint8Array([1, 2, 3]));
    await part.close();
    const sizeIn = async (writer: string) => {
      const own = await new MediaFolder(root, writer).openPart(run, 0);
      await own.close();
      return own.size;
    };
    assert.equal(await sizeIn('w2'), 0);
    const mark = processMark();
    const dead = mark.replace(/^\d+/, String(2 ** 22 + 1));
    for (const name of await readdir(folder.results)) {
      if (name.includes('.w0.')) await rename(folder.path(name), folder.path(name.replace(mark, dead)));
    }
    assert.equal(await sizeIn('w3'), 3);
  });

  it('deletes the part of a download that a window with a usual ID left', async () => {
    const run = crypto.randomUUID();
    const part = await new MediaFolder(root, crypto.randomUUID()).openPart(run, 0);
    await part.setTag('"x"');
    await part.close();
    await folder.remove([run]);
    assert.deepEqual(await readdir(folder.results), []);
  });

  it("deletes what killed windows left of a download once it's complete, but not what another one is writing", async () => {
    for (const writer of ['dead', 'busy']) {
      const part = await new MediaFolder(root, writer).openPart('run', 0);
      await part.setTag('"x"');
      await part.append(new Uint8Array([1]));
      await part.close();
    }
    const mine = await folder.openPart('run', 0);
    await mine.append(new Uint8Array([1, 2]));
    await mine.close();
    for (const name of await readdir(folder.results)) {
      if (name.includes('.dead.')) await utimes(join(folder.results, name), 0, 0);
    }
    await folder.keepPart('run', 0, 'video/webm');
    assert.deepEqual((await readdir(folder.results)).toSorted(), [
      `run-0.${processMark()}.busy.part`,
      `run-0.${processMark()}.busy.part.tag`,
      'run-0.webm',
    ]);
  });

  it('continues to delete after a locked file, and reports that at the end', async () => {
    for (const output of [0, 1, 2]) await folder.write('one', output, 'image/png', new Uint8Array([1]));
    await hurried(() =>
      withFaults({ rm: about('one-1.png', 'EBUSY') }, () => assert.rejects(folder.remove(['one']), /EBUSY/)),
    );
    assert.deepEqual(await readdir(folder.results), ['one-1.png']);
    const inputs = join(root, 'inputs');
    for (const id of ['a', 'b', 'c']) {
      await folder.keepInput(id, new Uint8Array([1]));
      await utimes(join(inputs, id), 0, 0);
    }
    await hurried(() =>
      withFaults({ rm: about('/a', 'EPERM') }, () => assert.rejects(folder.sweepInputs(new Set()), /EPERM/)),
    );
    assert.deepEqual(await readdir(inputs), ['a']);
  });

  it("keeps what was downloaded if its tag can't be read right now", async () => {
    const part = await folder.openPart('run', 0);
    await part.setTag('"x"');
    await part.append(new Uint8Array([1, 2, 3]));
    await part.close();
    await withFaults({ readFile: about('.tag', 'EIO') }, () => assert.rejects(folder.openPart('run', 0), /EIO/));
    const again = await folder.openPart('run', 0);
    assert.deepEqual([again.tag, again.size], ['"x"', 3]);
    await again.close();
  });

  it("keeps a result beside one that is being shown, because Windows doesn't let anyone replace that", async () => {
    const first = await folder.write('run', 0, 'video/mp4', new Uint8Array([1]));
    // The first one can't be replaced while it plays.
    await hurried(() =>
      withFaults({ rename: about(`/${first}`, 'EPERM') }, async () => {
        const part = await folder.openPart('run', 0);
        await part.append(new Uint8Array([2]));
        await part.close();
        const second = await folder.keepPart('run', 0, 'video/mp4');
        assert.notEqual(second, first);
        assert.deepEqual([...(await readFile(folder.path(second)))], [2]);
      }),
    );
    await folder.remove(['run']);
    assert.deepEqual(await readdir(folder.results), []);
  });

  it('gives a second file of the same output a name that the next session can read from the records', async () => {
    const run = crypto.randomUUID();
    const open = (writer: string): MediaStore =>
      new MediaStore({ path: join(root, 'runs.jsonl'), writer, onError: assert.ifError, onChange: () => undefined });
    const store = open('w1');
    const parameters = { kind: 'video', model: 'm', prompt: 'A boat' } as const;
    await store.append({ type: 'started', id: run, pid: 1, parameters });
    await store.append({ type: 'made', id: run, outputs: [{ url: 'https://cdn.example/1.mp4' }] });
    // A window was killed before it could record the first file.
    await folder.write(run, 0, 'video/mp4', new Uint8Array([1]));
    const file = await folder.write(run, 0, 'video/mp4', new Uint8Array([2]));
    await store.append({ type: 'saved', id: run, output: 0, file, mediaType: 'video/mp4', sizeBytes: 1 });
    const next = open('w2');
    await next.load();
    assert.deepEqual([next.library.get(run)?.outputs[0]?.file, next.hasNewerLines], [file, false]);
    for (const each of [store, next]) each.dispose();
  });
});
