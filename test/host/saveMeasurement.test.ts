import assert from 'node:assert/strict';
import { chmod, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { saveChart } from '../../src/vscode/measure/saveMeasurement.ts';
import { withFaults } from '../unit/vscode/disk/faultyDisk.ts';

describe('A chart of Measure Models', () => {
  const { showSaveDialog } = vscode.window;
  const target = () => {
    const [first] = vscode.workspace.workspaceFolders ?? [];
    assert.ok(first);
    return vscode.Uri.joinPath(first.uri, 'saved.bin');
  };
  let asked: vscode.SaveDialogOptions | undefined;
  const saveTo = (uri: vscode.Uri | undefined) =>
    Object.assign(vscode.window, {
      showSaveDialog: (options: vscode.SaveDialogOptions) => {
        asked = options;
        return Promise.resolve(uri);
      },
    });
  afterEach(async () => {
    Object.assign(vscode.window, { showSaveDialog });
    await vscode.workspace.fs.delete(target()).then(undefined, () => undefined);
  });

  it('is saved as a PNG byte for byte, where the user says', async () => {
    saveTo(target());
    const bytes = new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0, 255]);
    await saveChart({ type: 'savePng', name: 'speed', bytes });
    assert.match(asked?.defaultUri?.path ?? '', /\/parlance-speed\.png$/);
    assert.deepEqual(asked?.filters, { PNG: ['png'] });
    assert.deepEqual([...(await vscode.workspace.fs.readFile(target()))], [...bytes]);
  });

  it('is saved as an SVG', async () => {
    saveTo(target());
    await saveChart({ type: 'saveSvg', name: 'speed', text: '<svg>é</svg>' });
    assert.deepEqual(asked?.filters, { SVG: ['svg'] });
    assert.equal(new TextDecoder().decode(await vscode.workspace.fs.readFile(target())), '<svg>é</svg>');
  });

  it('leaves the file that it should replace as it was if there is no room for it', async () => {
    await vscode.workspace.fs.writeFile(target(), Buffer.from('<svg>old</svg>'));
    saveTo(target());
    await withFaults({ datasync: () => 'ENOSPC' }, () =>
      assert.rejects(saveChart({ type: 'saveSvg', name: 'speed', text: '<svg>new</svg>' }), /ENOSPC/),
    );
    assert.equal(new TextDecoder().decode(await vscode.workspace.fs.readFile(target())), '<svg>old</svg>');
    const names = await readdir(join(target().fsPath, '..'));
    assert.deepEqual(
      names.filter((name) => name.startsWith('saved.bin')),
      ['saved.bin'],
    );
  });

  it('replaces the file that a link leads to, and not the link', async () => {
    const real = await mkdtemp(join(tmpdir(), 'parlance-linked-'));
    await writeFile(join(real, 'chart.svg'), 'old');
    await symlink(join(real, 'chart.svg'), target().fsPath);
    saveTo(target());
    await saveChart({ type: 'saveSvg', name: 'speed', text: 'new' });
    assert.equal(await readFile(join(real, 'chart.svg'), 'utf8'), 'new');
    await rm(real, { recursive: true });
  });

  it('keeps the permissions of the file that it replaces', async () => {
    await writeFile(target().fsPath, 'old');
    await chmod(target().fsPath, 0o600);
    saveTo(target());
    await saveChart({ type: 'saveSvg', name: 'speed', text: 'new' });
    assert.equal(await readFile(target().fsPath, 'utf8'), 'new');
    assert.equal((await stat(target().fsPath)).mode & 0o777, 0o600);
  });

  it('is saved in one piece where files are not on a disk', async () => {
    const written: string[] = [];
    const none = () => assert.fail();
    using _ = disposable(
      vscode.workspace.registerFileSystemProvider('parlance-saved', {
        onDidChangeFile: () => new vscode.Disposable(() => undefined),
        watch: () => new vscode.Disposable(() => undefined),
        stat: (uri) => {
          if (uri.path === '/') return { type: vscode.FileType.Directory, ctime: 0, mtime: 0, size: 0 };
          throw vscode.FileSystemError.FileNotFound(uri);
        },
        writeFile: ({ path }, bytes) => void written.push(`${path}: ${Buffer.from(bytes).toString()}`),
        readDirectory: none,
        createDirectory: none,
        readFile: none,
        delete: none,
        rename: none,
      }),
    );
    saveTo(vscode.Uri.parse('parlance-saved:/chart.svg'));
    await saveChart({ type: 'saveSvg', name: 'speed', text: '<svg>é</svg>' });
    assert.deepEqual(written, ['/chart.svg: <svg>é</svg>']);
  });

  it("isn't saved if the user cancels", async () => {
    saveTo(undefined);
    await saveChart({ type: 'savePng', name: 'speed', bytes: new Uint8Array([1]) });
    await assert.rejects(async () => vscode.workspace.fs.stat(target()));
  });
});

function disposable(value: vscode.Disposable): Disposable {
  return { [Symbol.dispose]: () => value.dispose() };
}
