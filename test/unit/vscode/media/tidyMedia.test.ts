import assert from 'node:assert/strict';
import { appendFile, mkdtemp, readdir, rm, utimes } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { MediaRecord } from '../../../../src/core/media/mediaRecord.ts';
import { MediaFolder } from '../../../../src/vscode/media/mediaFolder.ts';
import { MediaStore } from '../../../../src/vscode/media/mediaStore.ts';
import { tidyMedia } from '../../../../src/vscode/media/tidyMedia.ts';

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

  beforeEach(async () => {
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
    await tidyMedia({ store, folder, inputsInForms: async () => [], onUnexpected: assert.ifError });
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

  it('all stay if a newer version of Parlance wrote something: it might use one of them', async () => {
    const all = ['inputs/unused', 'inputs/used', 'results/gone-0.mp4', 'results/here-0.mp4'];
    assert.deepEqual(await tidied(...lines, '{"type":"reframed","id":"gone","writer":"w0","at":2}'), all);
  });
});
