import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { saveChart } from '../../src/vscode/measure/saveMeasurement.ts';

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

  it("isn't saved if the user cancels", async () => {
    saveTo(undefined);
    await saveChart({ type: 'savePng', name: 'speed', bytes: new Uint8Array([1]) });
    await assert.rejects(async () => vscode.workspace.fs.stat(target()));
  });
});
