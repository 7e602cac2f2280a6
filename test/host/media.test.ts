import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { problemOf } from '../../src/core/problems/problemOf.ts';
import { modelRef } from '../../src/shared/modelRef.ts';
import { ApiError } from '../../src/api/apiError.ts';
import type { NotifyButton } from '../../src/vscode/platform/notify.ts';
import { InsertPlace } from '../../src/vscode/media/insertPlace.ts';
import { chooseInput } from '../../src/vscode/media/chooseInput.ts';
import { MediaActs } from '../../src/vscode/media/mediaActs.ts';
import { MediaFolder } from '../../src/vscode/media/mediaFolder.ts';
import { MediaGallery } from '../../src/vscode/media/mediaGallery.ts';
import { endNotice } from '../../src/vscode/media/endNotice.ts';
import { transcribeAudio, type TranscribeDeps } from '../../src/vscode/media/transcribeAudio.ts';
import { type InferenceService, startInferenceService } from '../service/inferenceService.ts';
import { testClient, type TestClient } from '../unit/api/testClient.ts';
import { wavFile } from '../unit/service/sampleFiles.ts';
import { withFaults } from '../unit/vscode/disk/faultyDisk.ts';
import { answering } from './answering.ts';
import { eventually } from './eventually.ts';
import { setSelection } from './setSelection.ts';

/** The messages shown, in order. */
function listener() {
  const told: string[] = [];
  const tell = (text: string) => void told.push(text);
  return {
    told,
    notifier: {
      info: tell,
      warning: tell,
      error: tell,
      problem: ({ title, detail }: { readonly title: string; readonly detail: string }) => tell(`${title}. ${detail}`),
    },
  };
}

const openTexts = () => vscode.workspace.textDocuments.filter(({ isUntitled, isClosed }) => isUntitled && !isClosed);
const closeAll = () => vscode.commands.executeCommand('workbench.action.closeAllEditors');

describe('Media', () => {
  let service: InferenceService;
  let tested: TestClient;
  let folder: string;

  before(async () => {
    service = await startInferenceService({ videoSeconds: 0 });
    tested = testClient(service.origin, { apiKey: service.apiKey });
  });
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'parlance-media-'));
  });
  afterEach(async () => {
    for (const { uri } of openTexts()) {
      await vscode.window.showTextDocument(uri);
      await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
    }
    await closeAll();
    await rm(folder, { recursive: true, force: true });
  });
  after(async () => {
    tested.dispose();
    await service.close();
  });

  describe('that is transcribed', () => {
    function deps(model: string, facts: Partial<TranscribeDeps> = {}) {
      const { told, notifier } = listener();
      const context = () => ({ during: 'command', pages: {}, hasPartialText: false, now: Date.now() }) as const;
      const explain: TranscribeDeps['explainer']['problemOfError'] = (error) => {
        assert.ok(error instanceof ApiError, String(error));
        return problemOf(error.failure, context());
      };
      const all: TranscribeDeps = {
        serviceFor: () => tested.client,
        explainer: { problemOfError: explain, context },
        notifier,
        memory: { get: () => undefined, update: () => Promise.resolve() },
        startWith: (before) => Promise.resolve(before),
        pickModel: () => Promise.resolve(model),
        checkSetup: () => Promise.resolve(),
        hasSeveralServices: () => false,
        asksForTimes: () => false,
        ...facts,
      };
      return { told, all };
    }
    async function recording(name = 'note.wav', bytes: Uint8Array = wavFile({ seconds: 1.5 })): Promise<vscode.Uri> {
      await writeFile(join(folder, name), bytes);
      return vscode.Uri.file(join(folder, name));
    }
    const last = () => service.log().at(-1);

    it('opens as a document and offers subtitles if there are timestamps, whether requested or not', async () => {
      const uri = await recording();
      const plain = deps('local/transcriber');
      await transcribeAudio([uri], plain.all);
      assert.match(vscode.window.activeTextEditor?.document.getText() ?? '', /The audio lasts 1\.50 s/);
      assert.deepEqual(plain.told, ['The transcript of note.wav is open.']);
      assert.match(last()?.path ?? '', /audio\/transcribe$/);

      const verbose = deps('local/transcriber-verbose');
      await transcribeAudio([uri], verbose.all);
      assert.match(verbose.told.join(), /Save them as subtitles\?/);
      const compatible = testClient(service.origin, { apiKey: service.apiKey, mediaApi: 'compatible' });
      const asked = deps('local/transcriber', { asksForTimes: () => true, serviceFor: () => compatible.client });
      await transcribeAudio([uri], asked.all);
      compatible.dispose();
      assert.match(asked.told.join(), /Save them as subtitles\?/);
      assert.match(last()?.path ?? '', /audio\/transcriptions$/);
    });

    it('is transcribed by the model that is selected, even if the service of the one before was removed', async () => {
      const gone = modelRef('gone', 'local/transcriber');
      const { told, all } = deps('local/transcriber', {
        memory: { get: () => gone as never, update: () => Promise.resolve() },
        checkSetup: (model) =>
          model === gone
            ? Promise.reject(new ApiError({ kind: 'setup', missing: 'service', found: 'Gone' }))
            : Promise.resolve(),
      });
      await transcribeAudio([await recording()], all);
      assert.deepEqual(told, ['The transcript of note.wav is open.']);
      assert.match(vscode.window.activeTextEditor?.document.getText() ?? '', /The audio lasts 1\.50 s/);
    });

    it('is transcribed by another service while the first one, or the one before, has no key', async () => {
      const [home, missing] = [modelRef('home', 'local/transcriber'), modelRef('missing', 'local/transcriber')];
      const uri = await recording();
      for (const before of ['', 'local/transcriber', missing]) {
        const { told, all } = deps(home, {
          memory: { get: () => before as never, update: () => Promise.resolve() },
          hasSeveralServices: () => true,
          checkSetup: (model) =>
            model === home ? Promise.resolve() : Promise.reject(new ApiError({ kind: 'setup', missing: 'apiKey' })),
        });
        await transcribeAudio([uri], all);
        assert.deepEqual(told, ['The transcript of note.wav is open.'], before);
        told.length = 0;
        const sent = service.log().length;
        await transcribeAudio([uri], { ...all, pickModel: () => Promise.resolve(missing) });
        assert.deepEqual([told.length, service.log().length], [1, sent]);
      }
    });

    it("stays behind what the user has moved on to, and is shown by the notification's button", async () => {
      const tabs = () => vscode.window.tabGroups.all.flatMap((group) => group.tabs);
      const [first, second] = [await recording('first.wav'), await recording('second.wav')];
      await writeFile(join(folder, 'code.ts'), 'typed');
      const code = await vscode.workspace.openTextDocument(join(folder, 'code.ts'));
      const user = await vscode.window.showTextDocument(code, { preview: false });
      const buttons: NotifyButton[] = [];
      let typed = 0;
      const { told, all } = deps('local/transcriber', {
        serviceFor: () => ({
          ask: async (...asked) => {
            const transcript = await tested.client.ask(...asked);
            // It's still the same editor.
            typed += 1;
            await setSelection(user, new vscode.Selection(0, typed, 0, typed));
            await eventually('the cursor has moved', () => user.selection.active.character === typed);
            return transcript;
          },
        }),
      });
      const info = (text: string, offered: readonly NotifyButton[] = []) => {
        all.notifier.info(text);
        buttons.push(...offered);
      };
      await transcribeAudio([first, second], { ...all, notifier: { ...all.notifier, info } });
      assert.deepEqual(told, ['The transcript of first.wav is open.', 'The transcript of second.wav is open.']);
      await eventually('both have a tab', () => tabs().length === 3);
      assert.equal(vscode.window.activeTextEditor?.document, code);
      assert.equal(vscode.window.tabGroups.activeTabGroup.activeTab?.label, 'code.ts');
      assert.deepEqual(
        buttons.map(({ label }) => label),
        ['Show', 'Show'],
      );
      await buttons[0]?.run();
      assert.match(vscode.window.activeTextEditor.document.getText(), /The audio lasts 1\.50 s/);
      await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
      await buttons[0]?.run();
      assert.match(vscode.window.activeTextEditor.document.getText(), /The audio lasts 1\.50 s/);
    });

    it('sends nothing for a file that is missing, empty, or a folder, and says which it is', async () => {
      const before = service.log().length;
      for (const [uri, words] of [
        [vscode.Uri.file(join(folder, 'gone.wav')), /Couldn't read gone\.wav/],
        [await recording('empty.wav', new Uint8Array()), /empty\.wav is empty/],
        [vscode.Uri.file(folder), /Couldn't read /],
      ] as const) {
        const { told, all } = deps('local/transcriber');
        await transcribeAudio([uri], all);
        assert.match(told.join(), words);
      }
      assert.equal(service.log().length, before);
      assert.deepEqual(openTexts(), []);
    });

    it('asks first if the file might contain secrets, by its name or through a link', async () => {
      await mkdir(join(folder, '.ssh'));
      await writeFile(join(folder, '.ssh', 'config'), wavFile({ seconds: 1.5 }));
      await symlink(join(folder, '.ssh', 'config'), join(folder, 'linked.wav'));
      for (const uri of [await recording('.ENV'), vscode.Uri.file(join(folder, 'linked.wav'))]) {
        const before = service.log().length;
        const { all } = deps('local/transcriber');
        const { asked } = await answering(undefined, () => transcribeAudio([uri], all));
        assert.match(asked.join(), /might contain passwords or keys/);
        assert.equal(service.log().length, before);
        await answering('Send Anyway', () => transcribeAudio([uri], all));
        assert.equal(service.log().length, before + 1);
      }
    });

    it("isn't charged by a service on this computer, whatever the main one is", async () => {
      const local = modelRef('local', 'local/fault-reset');
      for (const [model, isCharged] of [
        ['local/fault-reset', true],
        [local, false],
      ] as const) {
        const { told, all } = deps(model);
        const context: TranscribeDeps['explainer']['context'] = (circumstances) => ({
          ...all.explainer.context(circumstances),
          host: circumstances.model === local ? '127.0.0.1:8080' : 'service.example',
        });
        const problemOfError: TranscribeDeps['explainer']['problemOfError'] = (error, circumstances) => {
          assert.ok(error instanceof ApiError, String(error));
          return problemOf(error.failure, context(circumstances ?? {}));
        };
        await transcribeAudio([await recording()], { ...all, explainer: { problemOfError, context } });
        assert.equal(told[0]?.includes('might have been charged'), isCharged, told[0]);
        const parameters = { kind: 'image', model, prompt: 'A kite' } as const;
        const run = { id: 'r', parameters, writer: 'w', pid: 1, startedAt: 0, outputs: [], isDeleted: false };
        const ended = listener();
        endNotice(
          run,
          'unknown',
          (of) => context({ model: of }),
          ended.notifier,
          () => Promise.resolve(),
        );
        assert.equal(ended.told[0]?.includes('and charged'), isCharged, ended.told[0]);
      }
    });

    it('shows what went wrong, and whether it might have been charged', async () => {
      const uri = await recording();
      for (const [model, words, isCharged] of [
        ['local/error-402', /credit/i, false],
        ['local/error-404', /model/i, false],
        ['local/fault-reset', /connection/i, true],
        ['local/fault-html-502', /./, true],
        ['local/fault-empty-200', /./, true],
      ] as const) {
        const { told, all } = deps(model);
        await transcribeAudio([uri], all);
        assert.equal(told.length, 1, model);
        assert.match(told[0] ?? '', words, model);
        assert.equal(told[0]?.includes('might have been charged'), isCharged, `${model}: ${told[0]}`);
      }
      assert.deepEqual(openTexts(), []);
    });
  });

  it('accepts a file that might contain secrets only after a confirmation', async () => {
    await mkdir(join(folder, '.ssh'));
    await writeFile(join(folder, '.ssh', 'key'), 'secret');
    const chosen = join(folder, 'face.png');
    await symlink(join(folder, '.ssh', 'key'), chosen);
    const kept = new MediaFolder(join(folder, 'gallery'), 'w1');
    const { told, notifier } = listener();
    const show = vscode.window.showOpenDialog;
    Object.assign(vscode.window, { showOpenDialog: () => Promise.resolve([vscode.Uri.file(chosen)]) });
    try {
      const choose = () => chooseInput('image', { folder: kept, notifier });
      const no = await answering(undefined, choose);
      assert.match(no.asked.join(), /might contain passwords or keys/);
      assert.equal(no.result, undefined);
      assert.deepEqual(await readdir(folder), ['.ssh', 'face.png']);
      const yes = await answering('Send Anyway', choose);
      assert.equal(yes.result?.kind === 'file' && yes.result.name, 'face.png');
      assert.deepEqual(told, []);
    } finally {
      Object.assign(vscode.window, { showOpenDialog: show });
    }
  });

  describe('that are inserted', () => {
    let gallery: MediaGallery;
    let insertFolder = '';
    let told: string[];
    let acts: MediaActs;
    let image: string;

    beforeEach(async () => {
      const { told: words, notifier } = listener();
      told = words;
      insertFolder = '';
      gallery = new MediaGallery({
        folder: join(folder, 'storage'),
        clientFor: () => tested.client,
        downloadsFor: () => tested.client,
        estimate: () => undefined,
        inputsInForms: () => Promise.resolve([]),
        redact: (failure) => failure,
        onUnwritten: (error) => assert.fail(String(error)),
        onUnexpected: (error) => assert.fail(String(error)),
      });
      acts = new MediaActs({
        gallery,
        notifier,
        insertFolder: () => insertFolder,
        lastEditor: () => vscode.window.activeTextEditor,
      });
      const { id, over } = await gallery.start({
        kind: 'image',
        model: 'local/image-bytes',
        prompt: 'A <b>red</b> kite',
        width: 32,
        height: 32,
      });
      await over;
      image = id;
      await mkdir(join(folder, 'docs'));
    });
    afterEach(() => gallery.dispose());

    async function openPage(name: string, content: string): Promise<vscode.TextEditor> {
      const path = join(folder, 'docs', name);
      await writeFile(path, content);
      return vscode.window.showTextDocument(await vscode.workspace.openTextDocument(path));
    }

    it('are stored next to the document under a free name, with a tag in its language', async () => {
      const page = await openPage('page.md', 'word');
      await writeFile(join(folder, 'docs', 'a-b-red-b-kite.png'), 'another');
      const place = new InsertPlace(page.document, new vscode.Position(0, 4));
      await setSelection(page, new vscode.Selection(0, 4, 0, 4));
      // Text that is typed before it moves the position.
      await page.edit((edit) => edit.insert(new vscode.Position(0, 0), 'first\n'));
      await acts.insertAt(image, 0, place);
      place.dispose();
      assert.equal(
        page.document.getText(),
        String.raw`first
word ![A \<b\>red\</b\> kite](a-b-red-b-kite-2.png)`,
      );
      const caret = vscode.window.activeTextEditor?.selection;
      assert.ok(caret?.isEmpty === true && caret.active.line === 1);
      assert.equal(caret.active.character, page.document.lineAt(1).text.length);
      assert.equal(await readFile(join(folder, 'docs', 'a-b-red-b-kite.png'), 'utf8'), 'another');

      insertFolder = 'images/new';
      const html = await openPage('page.html', '\n');
      await setSelection(html, new vscode.Selection(0, 0, 0, 0));
      await acts.insert(gallery.get(image) ?? assert.fail(), 0);
      assert.equal(
        html.document.getText(),
        '<img src="images/new/a-b-red-b-kite.png" alt="A &lt;b&gt;red&lt;/b&gt; kite">\n',
      );
      assert.deepEqual(await readdir(join(folder, 'docs', 'images', 'new')), ['a-b-red-b-kite.png']);
      assert.deepEqual(told, []);
    });

    it('in a cell of a notebook are stored next to the notebook, which stays in front', async () => {
      const path = join(folder, 'docs', 'page.ipynb');
      const cells = [{ cell_type: 'markdown', metadata: {}, source: ['above'] }];
      await writeFile(path, JSON.stringify({ cells, metadata: {}, nbformat: 4, nbformat_minor: 5 }));
      const notebook = await vscode.workspace.openNotebookDocument(vscode.Uri.file(path));
      await vscode.window.showNotebookDocument(notebook);
      const { document } = notebook.cellAt(0);
      const isEditing = () => vscode.window.activeTextEditor?.document === document;
      await eventually('the cell is edited', async () => {
        if (!isEditing()) await vscode.commands.executeCommand('notebook.cell.edit');
        return isEditing();
      });
      const place = new InsertPlace(document, new vscode.Position(0, 5));
      assert.match(place.name, /page\.ipynb$/);
      await acts.insertAt(image, 0, place);
      place.dispose();
      assert.match(document.getText(), /^above !\[.*\]\(a-b-red-b-kite\.png\)$/);
      // From its card in the Media view.
      await acts.insert(gallery.get(image) ?? assert.fail(), 0);
      assert.match(document.getText(), /a-b-red-b-kite-2\.png/);
      assert.deepEqual((await readdir(join(folder, 'docs'))).toSorted(), [
        'a-b-red-b-kite-2.png',
        'a-b-red-b-kite.png',
        'page.ipynb',
      ]);
      assert.deepEqual(told, []);
      assert.equal(vscode.window.activeNotebookEditor?.notebook, notebook);
      await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
    });

    it('are inserted into the file that an untitled document is saved as, but not into one that was closed', async () => {
      const typed = async (uri: vscode.Uri) => {
        const document = await vscode.workspace.openTextDocument(uri);
        const editor = await vscode.window.showTextDocument(document);
        await editor.edit((edit) => edit.insert(new vscode.Position(0, 0), 'above\nhere\n'));
        return { document, place: new InsertPlace(document, new vscode.Position(1, 4)) };
      };
      const path = join(folder, 'docs', 'new.md');
      const { document, place } = await typed(vscode.Uri.file(path).with({ scheme: 'untitled' }));
      await document.save();
      await eventually('it is closed', () => document.isClosed);
      assert.equal(await acts.insertAt(image, 0, place), true);
      assert.equal(place.document.uri.fsPath, path);
      assert.match(place.document.getText(), /^above\nhere !\[.*\]\(a-b-red-b-kite\.png\)\n$/);
      assert.deepEqual((await readdir(join(folder, 'docs'))).toSorted(), ['a-b-red-b-kite.png', 'new.md']);
      assert.deepEqual(openTexts(), []);
      assert.match(told.join(), /^The image was inserted into .*new\.md\.$/);
      place.dispose();
      await place.document.save();

      const unsaved = await typed(vscode.Uri.file(join(folder, 'docs', 'gone.md')).with({ scheme: 'untitled' }));
      await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
      await eventually('it is closed', () => unsaved.document.isClosed);
      assert.equal(await acts.insertAt(image, 0, unsaved.place), false);
      assert.match(told.at(-1) ?? '', /gone\.md was closed, so the image wasn't inserted/);
      assert.deepEqual(openTexts(), []);
      unsaved.place.dispose();
    });

    it('are inserted where the user meant if the document was closed, renamed, or got other line breaks', async () => {
      const apply = async (uri: vscode.Uri, change: (edit: vscode.WorkspaceEdit) => void) => {
        const edit = new vscode.WorkspaceEdit();
        change(edit);
        assert.equal(await vscode.workspace.applyEdit(edit), true, uri.path);
      };
      const above = (uri: vscode.Uri) =>
        apply(uri, (edit) => edit.insert(uri, new vscode.Position(0, 0), 'a new and longer first line\n'));
      /** As from the Explorer: a document that an extension has opened isn't closed with its tab. */
      const opened = async (uri: vscode.Uri) => {
        await vscode.commands.executeCommand('vscode.open', uri);
        await eventually('the file', () => vscode.window.activeTextEditor?.document.uri.path === uri.path);
        return vscode.window.activeTextEditor?.document ?? assert.fail();
      };
      const begun = async (name: string) => {
        const uri = vscode.Uri.file(join(folder, 'docs', name));
        await writeFile(uri.fsPath, 'above\nhere\nbelow\n');
        return { uri, place: new InsertPlace(await opened(uri), new vscode.Position(1, 4)) };
      };
      const insertedIn = async (uri: vscode.Uri, place: InsertPlace) => {
        assert.equal(await acts.insertAt(image, 0, place), true);
        place.dispose();
        return (await vscode.workspace.openTextDocument(uri)).getText().replaceAll('\r\n', '\n');
      };
      const wanted = /^(a new and longer first line\n)?above\nhere !\[.*\]\(.*\.png\)\nbelow\n$/;

      const closed = await begun('closed.md');
      await closeAll();
      await eventually('it is closed', () => closed.place.document.isClosed);
      await opened(closed.uri);
      await above(closed.uri);
      assert.match(await insertedIn(closed.uri, closed.place), wanted);

      const breaks = await begun('breaks.md');
      await vscode.window.activeTextEditor?.edit((edit) => edit.setEndOfLine(vscode.EndOfLine.CRLF));
      await above(breaks.uri);
      assert.match(await insertedIn(breaks.uri, breaks.place), wanted);

      const renamed = await begun('renamed.md');
      const to = vscode.Uri.joinPath(renamed.uri, '../now.md');
      await apply(to, (edit) => edit.renameFile(renamed.uri, to));
      assert.match(await insertedIn(to, renamed.place), wanted);
      assert.deepEqual(
        told.filter((text) => !text.startsWith('The image was inserted into')),
        [],
      );

      const other = await begun('other.md');
      await closeAll();
      await eventually('it is closed', () => other.place.document.isClosed);
      await writeFile(other.uri.fsPath, 'another text\n');
      assert.equal(await acts.insertAt(image, 0, other.place), false);
      assert.match(told.at(-1) ?? '', /other\.md was closed, so the image wasn't inserted/);
      assert.equal(await readFile(other.uri.fsPath, 'utf8'), 'another text\n');
      other.place.dispose();
      for (const document of vscode.workspace.textDocuments.filter(({ isDirty }) => isDirty)) await document.save();
    });

    it('leave the focus and the cursor where the user is working, with a way there', async () => {
      const offered: { text: string; show: (() => Promise<void>) | undefined }[] = [];
      const info = (text: string, buttons: readonly { readonly run: () => Promise<void> }[] = []) =>
        void offered.push({ text, show: buttons[0]?.run });
      acts = new MediaActs({
        gallery,
        notifier: { info, warning: info, error: info },
        insertFolder: () => '',
        lastEditor: () => undefined,
      });
      const { document } = await openPage('page.md', 'above\nhere \nbelow\n');
      const [other, beside] = [await openPage('other.md', 'one\ntwo\n'), vscode.ViewColumn.Beside];
      await setSelection(other, new vscode.Selection(1, 3, 1, 3));
      const place = () => new InsertPlace(document, new vscode.Position(1, 5));

      // Covered by another document.
      await acts.insertAt(image, 0, place());
      assert.equal(vscode.window.activeTextEditor?.document, other.document);
      assert.ok(other.selection.isEqual(new vscode.Selection(1, 3, 1, 3)));
      const tag = document.lineAt(1).text;
      assert.match(tag, /^here !\[.*\]\(a-b-red-b-kite\.png\)$/);
      assert.match(offered[0]?.text ?? '', /^The image was inserted into .*page\.md\.$/);
      const edit = new vscode.WorkspaceEdit();
      edit.insert(document.uri, new vscode.Position(0, 0), 'first\n');
      await vscode.workspace.applyEdit(edit);
      await offered[0]?.show?.();
      const shown = vscode.window.activeTextEditor;
      assert.equal(shown?.document, document);
      assert.ok(shown.selection.isEqual(new vscode.Selection(2, tag.length, 2, tag.length)));

      // Beside it, with the cursor on another line.
      const inView = await vscode.window.showTextDocument(document, { viewColumn: beside, preserveFocus: true });
      await setSelection(inView, new vscode.Selection(3, 2, 3, 2));
      await vscode.window.showTextDocument(other.document, vscode.ViewColumn.One);
      await acts.insertAt(image, 0, place());
      assert.equal(vscode.window.activeTextEditor?.document, other.document);
      assert.equal(inView.selection.active.line, 3);
      assert.match(document.lineAt(1).text, /a-b-red-b-kite-2\.png/);
      assert.equal(offered.length, 1);
    });

    it("open in another program only on the window's own machine; elsewhere a copy is offered", async () => {
      const offered: string[] = [];
      const info = (text: string, buttons: readonly { readonly label: string }[] = []) =>
        void offered.push(text, ...buttons.map(({ label }) => label));
      // This host runs on a server, with its window in a browser.
      const run = gallery.get(image);
      assert.ok(run);
      await new MediaActs({
        gallery,
        notifier: { info, warning: info, error: info },
        insertFolder: () => '',
        lastEditor: () => undefined,
      }).open(run, 0);
      assert.match(offered[0] ?? '', /on the remote machine/);
      assert.deepEqual(offered.slice(1), ['Save a Copy…']);
    });

    it("show why they couldn't be written, and stay in Media", async () => {
      const page = await openPage('page.md', '');
      const run = gallery.get(image) ?? assert.fail();
      // There's a file where the folder should be.
      await writeFile(join(folder, 'docs', 'taken'), '');
      insertFolder = 'taken/deeper';
      await acts.insert(run, 0);
      assert.match(told.at(-1) ?? '', /Couldn't save the copy\. The file is still in the Media view/);
      insertFolder = '';
      await rm(gallery.folder.path(run.outputs[0]?.file ?? ''));
      await acts.insert(run, 0);
      assert.match(told.at(-1) ?? '', /no longer exists/);
      assert.equal(page.document.getText(), '');
      assert.deepEqual((await readdir(join(folder, 'docs'))).toSorted(), ['page.md', 'taken']);
    });

    it('replace a file that the user selects for a copy as a whole, or leave it as it was', async () => {
      const run = gallery.get(image) ?? assert.fail();
      const target = join(folder, 'docs', 'kite.png');
      await writeFile(target, 'mine');
      const { showSaveDialog } = vscode.window;
      Object.assign(vscode.window, { showSaveDialog: () => Promise.resolve(vscode.Uri.file(target)) });
      try {
        await withFaults({ datasync: () => 'ENOSPC' }, () => acts.save(run, 0));
        assert.match(told.at(-1) ?? '', /Couldn't save the copy.*ENOSPC/);
        assert.equal(await readFile(target, 'utf8'), 'mine');
        await acts.save(run, 0);
        assert.match(told.at(-1) ?? '', /Saved/);
        assert.deepEqual(await readFile(target), await readFile(gallery.folder.path(run.outputs[0]?.file ?? '')));
        assert.deepEqual(await readdir(join(folder, 'docs')), ['kite.png']);
      } finally {
        Object.assign(vscode.window, { showSaveDialog });
      }
    });

    it("aren't lost if the document can't be changed", async () => {
      const provider = vscode.workspace.registerTextDocumentContentProvider('parlance-test', {
        provideTextDocumentContent: () => 'fixed',
      });
      const page = await vscode.workspace.openTextDocument(vscode.Uri.parse('parlance-test:/docs/fixed.md'));
      await vscode.window.showTextDocument(page);
      await acts.insert(gallery.get(image) ?? assert.fail(), 0);
      assert.equal(told.length, 1);
      assert.equal(page.getText(), 'fixed');
      provider.dispose();
    });
  });

  it('from another window are announced when they end, and when that window is killed', async () => {
    const deps = {
      folder: join(folder, 'storage'),
      clientFor: () => tested.client,
      downloadsFor: () => tested.client,
      estimate: () => undefined,
      inputsInForms: () => Promise.resolve([]),
      redact: <T>(failure: T) => failure,
      onUnwritten: (error: unknown) => assert.fail(String(error)),
      onUnexpected: (error: unknown) => assert.fail(String(error)),
    };
    await mkdir(deps.folder, { recursive: true });
    const record = (fact: object) =>
      writeFile(
        join(deps.folder, 'runs.jsonl'),
        `\n${JSON.stringify({ writer: 'other', at: Date.now(), ...fact })}\n`,
        {
          flag: 'a',
        },
      );
    const started = (id: string, pid: number) =>
      record({ type: 'started', id, pid, parameters: { kind: 'video', model: 'local/video' } });
    await started('theirs', process.ppid);
    await started('killed', 2 ** 22 + 1);
    const gallery = new MediaGallery(deps);
    await gallery.load();
    const stateOf = (id: string) => gallery.stateOf(gallery.get(id) ?? assert.fail());
    assert.equal(stateOf('theirs'), 'elsewhere');
    assert.equal(stateOf('killed'), 'unknown');
    const changed: string[] = [];
    gallery.onDidChange(({ id }) => changed.push(id));
    await record({ type: 'ended', id: 'theirs', outcome: 'failed' });
    // Its state is known a moment before that's announced.
    await eventually('news of the other window’s run', () => changed.includes('theirs'));
    assert.equal(stateOf('theirs'), 'failed');
    assert.deepEqual([...new Set(changed)], ['theirs']);
    gallery.dispose();
  });

  /** A gallery whose downloads fail. @param loaded is filled with their URLs */
  const galleryOffline = (storage: string, loaded: string[]): MediaGallery =>
    new MediaGallery({
      folder: storage,
      clientFor: () => tested.client,
      downloadsFor: () => ({
        downloadMedia: (url: string) => {
          loaded.push(url);
          return Promise.reject(new Error('not here'));
        },
      }),
      estimate: () => undefined,
      inputsInForms: () => Promise.resolve([]),
      redact: <T>(failure: T) => failure,
      onUnwritten: (error: unknown) => assert.fail(String(error)),
      onUnexpected: () => undefined,
    });

  it('are downloaded soon after the window that was downloading them has closed', async () => {
    const storage = join(folder, 'storage');
    const loaded: string[] = [];
    await mkdir(storage, { recursive: true });
    const other = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], {
      env: { ...process.env, ELECTRON_RUN_AS_NODE: '1' },
      stdio: 'ignore',
    });
    const facts = [
      { type: 'started', id: 'theirs', pid: other.pid, parameters: { kind: 'video', model: 'local/video' } },
      { type: 'made', id: 'theirs', outputs: [{ url: 'https://media.example/theirs.mp4' }] },
    ];
    await writeFile(
      join(storage, 'runs.jsonl'),
      facts.map((fact) => `\n${JSON.stringify({ writer: 'other', at: Date.now(), ...fact })}\n`).join(''),
    );
    const gallery = galleryOffline(storage, loaded);
    try {
      await gallery.load();
      assert.deepEqual(loaded, []);
      other.kill();
      await once(other, 'exit');
      await eventually('the download', () => loaded.length > 0);
      assert.deepEqual(loaded, ['https://media.example/theirs.mp4']);
    } finally {
      other.kill();
      gallery.dispose();
    }
  });

  it("are downloaded if a killed window didn't finish that, even if another program has its process ID by now", async () => {
    const storage = join(folder, 'storage');
    const loaded: string[] = [];
    await mkdir(storage, { recursive: true });
    const old = Date.now() - 3_600_000;
    const made = (id: string, at: number) =>
      [
        { type: 'started', id, pid: process.ppid, parameters: { kind: 'video', model: 'local/video' } },
        { type: 'made', id, outputs: [{ url: `https://media.example/${id}.mp4` }] },
      ].map((fact) => `\n${JSON.stringify({ writer: 'other', at, ...fact })}\n`);
    await writeFile(join(storage, 'runs.jsonl'), [...made('old', old), ...made('new', Date.now())].join(''));
    const gallery = galleryOffline(storage, loaded);
    try {
      await gallery.load();
      await eventually('the download', () => loaded.length > 0);
      assert.deepEqual(loaded, ['https://media.example/old.mp4']);
    } finally {
      gallery.dispose();
    }
  });

  it("whose download failed offline aren't called ready, and are downloaded when the user is back", async () => {
    let isOffline = true;
    const failure = {
      kind: 'network',
      reason: 'dns',
      host: 'media.example',
      code: 'ENOTFOUND',
      mayHaveBeenSent: false,
    } as const;
    const gallery = new MediaGallery({
      folder: join(folder, 'storage'),
      clientFor: () => tested.client,
      downloadsFor: () => ({
        downloadMedia: (...given) =>
          isOffline ? Promise.reject(new ApiError(failure)) : tested.client.downloadMedia(...given),
      }),
      estimate: () => undefined,
      inputsInForms: () => Promise.resolve([]),
      redact: <T>(failed: T) => failed,
      onUnwritten: (error: unknown) => assert.fail(String(error)),
      onUnexpected: (error: unknown) => assert.fail(String(error)),
    });
    try {
      const { id, over } = await gallery.start({ kind: 'video', model: 'local/video', prompt: 'A kite', duration: 1 });
      await over;
      const run = () => gallery.get(id) ?? assert.fail();
      const { told, notifier } = listener();
      const notice = () =>
        endNotice(
          run(),
          gallery.stateOf(run()),
          () => ({ host: 'service.example' }),
          notifier,
          () => Promise.resolve(),
        );
      notice();
      assert.deepEqual(told, ["The video was generated but couldn't be saved: A kite"]);
      isOffline = false;
      await gallery.load();
      await eventually('the file', () => run().outputs[0]?.file !== undefined);
      notice();
      assert.deepEqual(told.slice(1), ['The video is ready: A kite']);
    } finally {
      gallery.dispose();
    }
  });

  it('have a form in one tab per kind, opened by commands', async () => {
    const tabs = () => vscode.window.tabGroups.all.flatMap(({ tabs: all }) => all.map(({ label }) => label)).toSorted();
    await closeAll();
    await vscode.commands.executeCommand('parlance.generateVideo');
    await vscode.commands.executeCommand('parlance.generateImage');
    await vscode.commands.executeCommand('parlance.generateVideo');
    await eventually('the two tabs', () => tabs().join() === 'Generate Image,Generate Video');
  });
});
