import assert from 'node:assert/strict';
import { appendFile, mkdtemp, readdir, readFile, rm, utimes } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { MediaRecord } from '../../../../src/core/media/mediaRecord.ts';
import { MediaFolder } from '../../../../src/vscode/media/mediaFolder.ts';
import { MediaStore } from '../../../../src/vscode/media/mediaStore.ts';
import { tidyMedia } from '../../../../src/vscode/media/tidyMedia.ts';
import { about, hurried, withFaults } from '../disk/faultyDisk.ts';

const old = { writer: 'w0', at: 1 };
const started = (id: string, input: string): MediaRecord => ({
  type: 'started',
  id,
  pid: 1,
  parameters: {
    kind: 'video',
    model: 'm',
    prompt: 'A boat',
    image: { kind: 'file', id: input, name: 'a.png', mediaType: 'image/png', sizeBytes: 1 },
  },
  ...old,
});

describe('The files of the gallery', () => {
  let root: string;
  let folder: MediaFolder;
  let onUnexpected: (error: unknown) => void;

  beforeEach(async () => {
    onUnexpected = assert.ifError;
    root = await mkdtemp(join(tmpdir(), 'parlance-tidy-'));
    folder = new MediaFolder(root, 'w1');
    for (const input of ['used', 'unused']) {
      await folder.keepInput(input, new Uint8Array([1]));
      await utimes(join(root, 'inputs', input), 0, 0);
    }
    for (const run of ['here', 'gone']) await folder.write(run, 0, 'video/mp4', new Uint8Array([1]));
  });
  afterEach(() => rm(root, { recursive: true, force: true }));

  async function tidied(...lines: readonly string[]): Promise<readonly string[]> {
    const path = join(root, 'runs.jsonl');
    await appendFile(path, lines.map((line) => `\n${line}\n`).join(''));
    const store = new MediaStore({ path, writer: 'w1', onError: assert.ifError, onChange: () => undefined });
    await store.refresh();
    await tidyMedia({ store, folder, inputsInForms: async () => [], onUnexpected: (error) => onUnexpected(error) });
    const inputs = (await readdir(root, { recursive: true })).filter((name) => /inputs.+|\.mp4$/.test(name));
    return inputs.map((name) => name.replaceAll('\\', '/')).toSorted();
  }

  const lines = [started('here', 'used'), started('gone', 'unused'), { type: 'deleted', id: 'gone', ...old }].map(
    (record) => JSON.stringify(record),
  );

  it('are deleted when nothing needs them anymore', async () => {
    assert.deepEqual(await tidied(...lines), ['inputs/used', 'results/here-0.mp4']);
  });

  it('are deleted even if a killed window left half a line', async () => {
    const cut = JSON.stringify(started('cut', 'unused')).slice(0, -9);
    assert.deepEqual(await tidied(...lines, cut), ['inputs/used', 'results/here-0.mp4']);
  });

  it('leave nothing behind on disk, not even in the records', async () => {
    await tidied(...lines, '{"type":"restored","id":"here","writer":"w0","at":2}');
    const text = await readFile(join(root, 'runs.jsonl'), 'utf8');
    assert.deepEqual([text.includes('gone'), text.includes('here')], [false, true]);
    // The next session reads the others as before.
    assert.deepEqual(await tidied(), ['inputs/used', 'results/here-0.mp4']);
  });

  it('leave no records behind even if a window was killed while it erased them', async () => {
    const made = '{"type":"made","id":"gone","outputs":[{"url":"https://cdn.example/1.mp4"}],"writer":"w0","at":1}';
    const [here = '', , deleted = ''] = lines;
    await tidied(here, '{"type":"started","id":"gone"'.padEnd(90), made, deleted);
    assert.doesNotMatch(await readFile(join(root, 'runs.jsonl'), 'utf8'), /gone/);
  });

  it("keep their records while they can't be deleted: the next session tries again", async () => {
    await hurried(() =>
      withFaults({ rm: about('gone-0.mp4', 'EBUSY') }, async () => {
        const errors: unknown[] = [];
        onUnexpected = (error) => void errors.push(error);
        await tidied(...lines);
        assert.match(String(errors), /EBUSY/);
      }),
    );
    onUnexpected = assert.ifError;
    assert.deepEqual(await tidied(), ['inputs/used', 'results/here-0.mp4']);
  });

  it('all stay if a newer version of Parlance wrote something: it might use one of them', async () => {
    const all = ['inputs/unused', 'inputs/used', 'results/gone-0.mp4', 'results/here-0.mp4'];
    assert.deepEqual(await tidied(...lines, '{"type":"reframed","id":"gone","writer":"w0","at":2}'), all);
  });
});
