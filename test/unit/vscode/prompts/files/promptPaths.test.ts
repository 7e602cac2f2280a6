import assert from 'node:assert/strict';
import { type PromptFolder, promptLimits, promptPaths } from '../../../../../src/vscode/prompts/files/promptPaths.ts';

/** Lists made-up folders, and counts the calls. */
class Folders {
  readonly #of: (folder: string) => PromptFolder;
  listed = 0;
  atOnce = 0;
  most = 0;

  constructor(of: (folder: string) => PromptFolder) {
    this.#of = of;
  }

  readonly list = async (folder: string): Promise<PromptFolder> => {
    this.listed += 1;
    this.atOnce += 1;
    this.most = Math.max(this.most, this.atOnce);
    await new Promise((resolve) => setImmediate(resolve));
    this.atOnce -= 1;
    return this.#of(folder);
  };
}

const names = (count: number, start: string) => Array.from({ length: count }, (_each, index) => `${start}${index}`);

describe('The prompt files of a folder', () => {
  it('are those of the folder and its subfolders, nearest first, and all of them', async () => {
    const tree: Readonly<Record<string, PromptFolder>> = {
      '': { prompts: ['b', 'a'], folders: ['two', 'one'] },
      one: { prompts: ['c'], folders: ['deep'] },
      two: { prompts: ['d'], folders: [] },
      'one/deep': { prompts: ['e'], folders: [] },
    };
    const folders = new Folders((folder) => tree[folder] ?? { prompts: [], folders: [] });
    const { paths, isWhole } = await promptPaths(folders.list);
    assert.deepEqual(paths, ['a', 'b', 'one/c', 'two/d', 'one/deep/e']);
    assert.equal(isWhole, true);
  });

  it('are limited if there are 10,000, which is reported', async () => {
    const folders = new Folders(() => ({ prompts: names(10_000, 'p'), folders: [] }));
    const { paths, isWhole } = await promptPaths(folders.list);
    assert.deepEqual([paths.length, isWhole, folders.listed], [promptLimits.files, false, 1]);
  });

  it('are looked for in at most 500 folders, a few at a time, and more folders are reported', async () => {
    const folders = new Folders((folder) => ({ prompts: ['a'], folders: folder === '' ? names(500, 'f') : [] }));
    const { paths, isWhole } = await promptPaths(folders.list);
    assert.deepEqual([folders.listed, folders.most], [promptLimits.folders, 16]);
    assert.deepEqual([paths.length, isWhole], [promptLimits.folders, false]);
  });

  it("aren't looked for below the deepest level, which is reported", async () => {
    const folders = new Folders(() => ({ prompts: ['a'], folders: ['f'] }));
    const { paths, isWhole } = await promptPaths(folders.list);
    assert.deepEqual([folders.listed, paths.length, isWhole], [promptLimits.depth, promptLimits.depth, false]);
  });

  it("are none if a folder can't be read", async () => {
    assert.deepEqual(await promptPaths(() => Promise.reject(new Error('no'))), { paths: [], isWhole: true });
  });
});
