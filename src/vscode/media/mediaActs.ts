import { homedir } from 'node:os';
import * as vscode from 'vscode';
import type { MediaRun } from '../../core/media/mediaLibrary.ts';
import { mediaTag, nameFromPrompt } from '../../core/media/mediaNames.ts';
import { madeTypeOf, madeTypes, type MediaKind } from '../../shared/media.ts';
import type { Notifier, NotifyButton } from '../platform/notify.ts';
import { fileParts, saveTo } from '../disk/uriFile.ts';
import { InsertPlace } from './insertPlace.ts';
import { endingOf } from './mediaEndings.ts';
import type { MediaGallery } from './mediaGallery.ts';
import { refusedTagText, unsavedCopyText } from '../../core/problems/fileTexts.ts';
import { plainWindow } from '../platform/plainWindow.ts';
import { showDocument } from '../platform/documents/notebookOf.ts';

interface ResultFile {
  readonly kind: MediaKind;
  readonly uri: vscode.Uri;
  readonly mediaType: string;
  /** Without an extension. */
  readonly name: string;
  readonly prompt: string;
}

interface InsertedTag {
  /** The position behind it. */
  readonly behind: vscode.Position;
  /** Editors whose cursor was where it was inserted. */
  readonly waiting: readonly vscode.TextEditor[];
}

interface MediaActsDeps {
  readonly gallery: MediaGallery;
  readonly notifier: Pick<Notifier, 'info' | 'warning' | 'error'>;
  /** Relative to the document; empty for the document's own folder. */
  readonly insertFolder: () => string;
  /** The text editor that has or last had the focus. */
  readonly lastEditor: () => vscode.TextEditor | undefined;
  /** Whether the user's own programs can open files of this machine. */
  readonly isBesideWindow?: () => boolean;
}

/** What can be done with a result besides looking at it. */
export class MediaActs {
  readonly #deps: MediaActsDeps;
  readonly #isBesideWindow: () => boolean;

  constructor(deps: MediaActsDeps) {
    this.#deps = deps;
    this.#isBesideWindow = deps.isBesideWindow ?? isBesideWindow;
  }

  async open(run: MediaRun, output: number): Promise<void> {
    const file = await this.#file(run, output);
    if (file === undefined) return;
    if (this.#isBesideWindow()) {
      if (await vscode.env.openExternal(file.uri)) return;
      return this.#deps.notifier.warning(
        vscode.l10n.t("No program opened the file. It's still in the Media view; save a copy and open that."),
        [this.#saveButton(run, output)],
      );
    }
    this.#deps.notifier.info(
      vscode.l10n.t(
        "This file is on the remote machine, where your own programs can't open it. Save a copy in the workspace, then right-click it in the Explorer and select Download….",
      ),
      [this.#saveButton(run, output)],
    );
  }

  #saveButton(run: MediaRun, output: number): NotifyButton {
    return { label: vscode.l10n.t('Save a Copy…'), run: () => this.save(run, output) };
  }

  async save(run: MediaRun, output: number): Promise<void> {
    const file = await this.#file(run, output);
    if (file === undefined) return;
    const ending = endingOf(file.mediaType);
    const folder = vscode.workspace.workspaceFolders?.[0]?.uri ?? vscode.Uri.file(homedir());
    const target = await vscode.window.showSaveDialog({
      title: vscode.l10n.t('Save a Copy'),
      filters: { [ending.toUpperCase()]: [ending] },
      defaultUri: await freeName(folder, file),
    });
    if (target === undefined) return;
    // The dialog has already asked whether an existing file can be overwritten.
    if (!(await this.#isDone(() => saveTo(target, fileParts(file.uri.fsPath))))) return;
    this.#deps.notifier.info(vscode.l10n.t('Saved {0}.', vscode.workspace.asRelativePath(target)));
  }

  async copyLink(run: MediaRun, output: number): Promise<void> {
    const url = run.outputs[output]?.url;
    if (url === undefined) return;
    await vscode.env.clipboard.writeText(url);
    plainWindow.setStatusBarMessage(vscode.l10n.t('Link copied. It will expire.'), 4000);
  }

  /** Inserts at the cursor of the last used editor. */
  async insert(run: MediaRun, output: number): Promise<void> {
    const editor = this.#deps.lastEditor();
    if (editor === undefined) {
      this.#deps.notifier.info(vscode.l10n.t('Open a document and place the cursor where you want to insert it.'));
      return;
    }
    using place = disposable(new InsertPlace(editor.document, editor.selection.active));
    const { behind } = (await this.#insert(run.id, output, place.value)) ?? {};
    if (behind === undefined) return;
    await showDocument(place.value.document, new vscode.Range(behind, behind));
  }

  /**
   * Inserts a result that has just been generated. The user might be working elsewhere by now, so the focus stays, and
   * the cursor too unless it's still at that position.
   * @returns whether it was inserted. If not, the user was told why.
   */
  async insertAt(id: string, output: number, place: InsertPlace): Promise<boolean> {
    const inserted = await this.#insert(id, output, place);
    if (inserted === undefined) return false;
    const { behind, waiting } = inserted;
    for (const editor of waiting) editor.selection = new vscode.Selection(behind, behind);
    if (editorsOf(place.document).length > 0) return true;
    const shown = new InsertPlace(place.document, behind);
    const show = () => showDocument(shown.document, new vscode.Range(shown.position, shown.position));
    this.#deps.notifier.info(
      vscode.l10n.t('The image was inserted into {0}.', place.name),
      [{ label: vscode.l10n.t('Show'), run: show }],
      () => shown.dispose(),
    );
    return true;
  }

  /**
   * Writes the file next to the document, under a unique name, and a tag that shows it.
   * @returns undefined if none was inserted
   */
  async #insert(id: string, output: number, place: InsertPlace): Promise<InsertedTag | undefined> {
    const run = this.#deps.gallery.get(id);
    const file = run === undefined ? undefined : await this.#file(run, output);
    if (file === undefined) return undefined;
    if (!(await place.open())) {
      this.#deps.notifier.info(
        vscode.l10n.t("{0} was closed, so the image wasn't inserted. The image is in the Media view.", place.name),
      );
      return undefined;
    }
    const folder = folderOf(place.saved);
    if (folder === undefined) {
      this.#deps.notifier.info(vscode.l10n.t('Save the document first. The file is saved next to it.'));
      return undefined;
    }
    const steps = this.#deps
      .insertFolder()
      .split('/')
      .filter((step) => step !== '');
    const into = vscode.Uri.joinPath(folder, ...steps);
    const target = await freeName(into, file);
    const isCopied = await this.#isDone(async () => {
      await vscode.workspace.fs.createDirectory(into);
      await vscode.workspace.fs.copy(file.uri, target, { overwrite: false });
    });
    if (!isCopied) return undefined;
    const path = [...steps, target.path.split('/').at(-1) ?? ''].join('/');
    const { document, position } = place;
    const tag = mediaTag(languageOf(document), madeTypeOf(file.mediaType) ?? madeTypes[file.kind], path, file.prompt);
    const edit = new vscode.WorkspaceEdit();
    const before = document.lineAt(position).text.charAt(position.character - 1);
    const text = /\S/.test(before) ? ` ${tag}` : tag;
    edit.insert(document.uri, position, text);
    const waiting = editorsOf(document).filter(({ selection }) => selection.end.isEqual(position));
    if (await vscode.workspace.applyEdit(edit)) {
      // The position moves with text that is inserted at it, once that's known here.
      const behind = place.position.isEqual(position) ? position.translate(0, text.length) : place.position;
      return { behind, waiting };
    }
    await vscode.env.clipboard.writeText(tag);
    this.#deps.notifier.warning(refusedTagText(place.name, path));
    return undefined;
  }

  async #file(run: MediaRun, output: number): Promise<ResultFile | undefined> {
    const { file, mediaType } = run.outputs[output] ?? {};
    if (file === undefined || mediaType === undefined) return undefined;
    if (!(await this.#deps.gallery.folder.has(file))) {
      this.#deps.notifier.error(
        vscode.l10n.t('The file no longer exists. Download it again while its link still works.'),
      );
      return undefined;
    }
    const { kind, prompt = '' } = run.parameters;
    const name = nameFromPrompt(prompt, kind);
    return { kind, uri: vscode.Uri.file(this.#deps.gallery.folder.path(file)), mediaType, name, prompt };
  }

  /** Reports what the file system refused. */
  async #isDone(act: () => PromiseLike<void>): Promise<boolean> {
    try {
      await act();
      return true;
    } catch (error) {
      this.#deps.notifier.error(unsavedCopyText(error));
      return false;
    }
  }
}

function editorsOf(document: vscode.TextDocument): readonly vscode.TextEditor[] {
  return vscode.window.visibleTextEditors.filter((editor) => editor.document === document);
}

/** A name that no file in the folder has. */
async function freeName(folder: vscode.Uri, { name, mediaType }: ResultFile): Promise<vscode.Uri> {
  for (let number = 1; ; number += 1) {
    const uri = vscode.Uri.joinPath(folder, `${name}${number === 1 ? '' : `-${number}`}.${endingOf(mediaType)}`);
    try {
      await vscode.workspace.fs.stat(uri);
    } catch {
      return uri;
    }
  }
}

function folderOf({ uri, isUntitled }: InsertPlace['saved']): vscode.Uri | undefined {
  if (isUntitled) return vscode.workspace.workspaceFolders?.[0]?.uri;
  return vscode.Uri.joinPath(uri, '..');
}

function languageOf({ languageId }: vscode.TextDocument): 'markdown' | 'html' {
  return /^(html|vue|svelte|php|handlebars|razor|astro|javascriptreact|typescriptreact|xml|twig|blade)$/.test(
    languageId,
  )
    ? 'html'
    : 'markdown';
}

function disposable<T extends vscode.Disposable>(value: T): { readonly value: T } & Disposable {
  return { value, [Symbol.dispose]: () => value.dispose() };
}

/**
 * Whether this extension host runs on the user's own machine, so that their programs can open its files. In a browser,
 * and with Parlance in a remote workspace, it doesn't.
 */
function isBesideWindow(): boolean {
  if (vscode.env.uiKind === vscode.UIKind.Web) return false;
  const extension = vscode.extensions.getExtension('parlance.parlance');
  return vscode.env.remoteName === undefined || extension?.extensionKind === vscode.ExtensionKind.UI;
}
