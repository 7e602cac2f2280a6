import assert from 'node:assert/strict';
import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, posix } from 'node:path';
import * as fc from 'fast-check';
import { looksSecret } from '../../../../src/core/safety/looksSecret.ts';
import { distinctEnd, folderName, namedPaths, withSlashes } from '../../../../src/vscode/attachments/filePaths.ts';
import { resolvedPath } from '../../../../src/vscode/disk/resolvedPath.ts';

const fileAddress = (fsPath: string) => ({ scheme: 'file', authority: '', path: fsPath, query: '', fsPath });

describe('The paths of a file', () => {
  let folder: string;
  before(async () => {
    folder = await realpath(await mkdtemp(join(tmpdir(), 'parlance-paths-')));
    for (const name of ['.ssh', 'work/inner']) await mkdir(join(folder, name), { recursive: true });
    for (const name of ['.ssh/config', '.env', 'work/a.txt']) await writeFile(join(folder, name), 'x');
  });
  after(() => rm(folder, { recursive: true, force: true }));

  it('follow any chain of links to the file that is read', async () => {
    let count = 0;
    const secrets = ['.ssh/config', '.env'];
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...secrets, 'work/a.txt'),
        fc.array(fc.boolean(), { minLength: 1, maxLength: 4 }),
        async (target, links) => {
          let at = join(folder, target);
          // A link to the file itself, or to its folder.
          for (const isFolder of links) {
            count += 1;
            const link = join(folder, 'work/inner', `n${count}`);
            await symlink(isFolder ? join(at, '..') : at, link);
            at = isFolder ? join(link, posix.basename(at)) : link;
          }
          const resolved = await resolvedPath(fileAddress(at));
          assert.equal(resolved, join(folder, target));
          assert.equal(looksSecret(resolved ?? ''), secrets.includes(target));
        },
      ),
      { numRuns: 60 },
    );
  });

  it("aren't resolved on another machine, or if nothing exists or links form a circle", async () => {
    const file = join(folder, 'work/a.txt');
    const elsewhere = { ...fileAddress(file), scheme: 'vscode-remote', authority: 'ssh-remote+host' };
    assert.equal(await resolvedPath(elsewhere), undefined);
    assert.equal(await resolvedPath(fileAddress(join(folder, 'gone'))), undefined);
    await symlink(join(folder, 'two'), join(folder, 'one'));
    await symlink(join(folder, 'one'), join(folder, 'two'));
    assert.equal(await resolvedPath(fileAddress(join(folder, 'one'))), undefined);
  });

  it('are those of the version that git shows', () => {
    const git = (path: string, query: string) => namedPaths({ ...fileAddress(path), scheme: 'git', query });
    assert.deepEqual(git('/a/id_rsa.git', '{"path":"/a/id_rsa","ref":"HEAD"}'), [
      '/a/id_rsa.git',
      '/a/id_rsa',
      '/a/id_rsa',
    ]);
    assert.deepEqual(git('/a/b.ts', 'no JSON'), ['/a/b.ts']);
  });

  it('are split at backslashes if the file is on Windows', () => {
    for (const [folderPath, isWindows, expected] of [
      ['/c:/work', false, 'a/../../x.mp3'],
      ['//server/share', false, 'a/../../x.mp3'],
      ['/work', true, 'a/../../x.mp3'],
      ['/work', false, 'a\\..\\..\\x.mp3'],
    ] as const) {
      assert.equal(withSlashes('a\\..\\..\\x.mp3', folderPath, isWindows), expected);
    }
  });
});

describe('The name of a folder', () => {
  const at = (path: string, name = path.slice(path.lastIndexOf('/') + 1)) => ({ name, uri: { path } });

  it('is its own, or the shortest end of its path that distinguishes it from others of that name', () => {
    const folders = [at('/w/one/app'), at('/w/two/app'), at('/w/three/web'), at('/w/three/app', 'web')];
    assert.deepEqual(
      folders.map((folder) => folderName(folder, folders)),
      ['one/app', 'two/app', 'web', '/w/three/app'],
    );
    assert.equal(folderName(at('/w/app'), [at('/w/app')]), 'app');
  });

  it('is never the same for two folders', () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.stringMatching(/^(\/[ab]{1,2}){1,4}$/), { minLength: 2 }), (paths) => {
        const uris = paths.map((path) => ({ path }));
        const ends = uris.map((uri) => distinctEnd(uri, uris));
        assert.equal(new Set(ends).size, ends.length);
      }),
    );
  });
});
