import assert from 'node:assert/strict';
import { EventEmitter } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type BoundaryRecord, BoundaryRecorder } from '../../workbench/boundaryRecorder.ts';
import { answer, call } from './rpcFrames.ts';

describe('What is sent between the window and the extension host', () => {
  let folder: string;
  let recorder: BoundaryRecorder;
  let window: (frame: Buffer) => void;
  let host: (frame: Buffer) => void;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'parlance-boundaries-'));
    recorder = new BoundaryRecorder();
    const page = new EventEmitter();
    const socket = new EventEmitter();
    recorder.listen(page);
    page.emit('websocket', socket);
    window = (payload) => void socket.emit('framesent', { payload });
    host = (payload) => void socket.emit('framereceived', { payload });
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  async function record(): Promise<BoundaryRecord> {
    await recorder.save('a file', folder);
    return JSON.parse(await readFile(join(folder, 'boundaries', 'a-file.json'), 'utf8'));
  }

  it('is recorded: our commands, and the messages of our pages both ways', async () => {
    window(call(1, '$executeContributedCommand', ['parlance.newChat']));
    window(call(2, '$executeContributedCommand', ['git.stage']));
    window(call(3, '$resolveWebviewView', ['h', 'parlance.chat', 'Chat', null]));
    window(call(4, '$onMessage', ['h', '{"type":"ready"}', {}]));
    host(call(1, '$postMessage', ['h', '{"type":"snapshot"}']));
    host(call(2, '$postMessage', ['of another', '{"type":"snapshot"}']));
    host(call(3, '$createWebviewPanel', ['extension', 'p', 'parlance.mediaStudio', {}]));
    window(call(5, '$onMessage', ['p', '{"type":"run"}', {}]));
    assert.deepEqual((await record()).crossed, [
      'command parlance.newChat',
      'message of chat to the host ready',
      'message of chat to the page snapshot',
      'message of media to the host run',
    ]);
  });

  it('names the button of a card if several send the same message', async () => {
    host(call(1, '$createWebviewPanel', ['extension', 'p', 'parlance.mediaStudio', {}]));
    window(call(1, '$onMessage', ['p', '{"type":"act","id":"1","output":0,"act":"copyLink"}', {}]));
    window(call(2, '$onMessage', ['p', '{"type":"runAction","action":"showLog"}', {}]));
    assert.deepEqual((await record()).crossed, [
      'act of media copyLink',
      'action of a card showLog',
      'message of media to the host act',
      'message of media to the host runAction',
    ]);
  });

  it('counts the buttons of messages in the chat as those of notifications', async () => {
    const notes = [{ id: 'n1', buttons: ['Test Connection', 'Show Log'] }];
    window(call(3, '$resolveWebviewView', ['h', 'parlance.chat', 'Chat', null]));
    host(call(1, '$postMessage', ['h', JSON.stringify({ type: 'notesChanged', notes })]));
    host(
      call(2, '$postMessage', [
        'h',
        JSON.stringify({ type: 'snapshot', snapshot: { notes: [{ buttons: ['Undo'] }] } }),
      ]),
    );
    window(call(4, '$onMessage', ['h', '{"type":"endNote","id":"n1","button":"Show Log"}', {}]));
    window(call(5, '$onMessage', ['h', '{"type":"endNote","id":"n2"}', {}]));
    const { crossed, offered } = await record();
    assert.deepEqual(offered, ['button Show Log', 'button Test Connection', 'button Undo']);
    assert.deepEqual(
      crossed.filter((each) => each.startsWith('button')),
      ['button Show Log'],
    );
  });

  it('distinguishes buttons and choices that were offered from those that were selected', async () => {
    const buttons = [
      { title: 'Undo', handle: 0 },
      { title: 'Show Log', handle: 1 },
    ];
    host(call(1, '$showMessage', [1, 'Deleted', {}, buttons]));
    window(answer(1, 1));
    host(
      call(2, '$setItems', [
        5,
        [
          { label: '$(trash) Delete', handle: 0 },
          { type: 'separator', label: 'More' },
        ],
      ]),
    );
    host(call(3, '$show', [5, {}]));
    window(answer(3, 0));
    host(
      call(4, '$createOrUpdate', [
        {
          id: 9,
          items: [
            { label: 'Rename', handle: 3 },
            { label: 'Keep', handle: 4 },
          ],
        },
      ]),
    );
    window(call(8, '$onDidChangeSelection', [9, [3]]));
    window(call(8, '$onDidChangeActive', [9, [4]]));
    window(call(9, '$onDidAccept', [9]));
    host(call(5, '$createOrUpdate', [{ id: 10, items: [{ label: 'Left', handle: 0 }] }]));
    window(call(10, '$onDidChangeActive', [10, [0]]));
    assert.deepEqual(await record(), {
      crossed: ['button Show Log', 'choice Delete', 'choice Rename'],
      offered: ['button Show Log', 'button Undo', 'choice Delete', 'choice Keep', 'choice Left', 'choice Rename'],
    });
  });

  it('names the pickers that were opened, by their titles or placeholders', async () => {
    host(call(1, '$createOrUpdate', [{ id: 9, type: 'quickPick', title: 'Add a File', placeholder: 'Search' }]));
    host(call(2, '$createOrUpdate', [{ id: 9, items: [] }]));
    host(call(3, '$show', [5, { title: 'Add a Symbol from tasks.ts' }]));
    host(call(4, '$show', [6, { title: 'Explain', placeHolder: 'Where should the reply go?' }]));
    host(call(5, '$show', [7, { title: "Another extension's" }]));
    assert.deepEqual((await record()).crossed, [
      'picker Add a File',
      'picker Add a Symbol from {0}',
      'picker Where should the reply go?',
    ]);
  });

  it('counts a file dialog as a route only if a file was selected', async () => {
    host(call(1, '$showOpenDialog', [{}]));
    window(answer(1, null));
    host(call(2, '$showSaveDialog', [{}]));
    window(answer(2, { path: '/a' }));
    assert.deepEqual((await record()).crossed, ['route save dialog']);
  });

  it('returns each error of the extension host once', () => {
    host(call(1, '$onUnexpectedError', [{ $isError: true, message: 'broken', stack: 'Error: broken\n at x' }]));
    assert.deepEqual(recorder.takeFaults(), ['extension host: Error: broken\n at x']);
    assert.deepEqual(recorder.takeFaults(), []);
  });
});
