import * as vscode from 'vscode';
import type { AttachmentSource } from '../../core/chat/sessionSurroundings.ts';
import type { Log } from '../platform/log.ts';
import type { Setting } from '../settings/setting.ts';
import type { Settings } from '../settings/settings.ts';
import { AttachmentStore } from './attachmentStore.ts';
import { ContextDocuments } from './contextDocuments.ts';
import { droppedRulesLog } from './droppedRulesLog.ts';
import { DraftAttachments } from './draftAttachments.ts';
import type { LastEditor } from './lastEditor.ts';
import { ComposerModels, type ComposerModelsDeps } from './composerModels.ts';
import { WorkspaceFiles, workspaceFiles } from './workspaceFiles.ts';

export interface AttachmentsDeps {
  readonly models: Pick<ComposerModelsDeps, 'catalog' | 'marks'>;
  readonly support: ComposerModelsDeps['support'];
  readonly lastEditor: Pick<LastEditor, 'value'>;
  readonly settings: Pick<Settings, 'maxImageSize' | 'promptSurroundingCode'>;
  readonly log: Pick<Log, 'warn'>;
}

/** Attachments, for all pages of this window. */
export interface Attachments {
  readonly store: AttachmentStore;
  readonly drafts: DraftAttachments;
  readonly documents: ContextDocuments;
  readonly models: ComposerModels;
  /** What can be added by name. */
  readonly files: WorkspaceFiles;
  /** Longest side of an image, in pixels; null leaves images as they are. */
  readonly maxPictureEdge: Setting<number | null>;
  /** Whether the code around a selection can be sent with it. */
  readonly includeSurroundingCode: Setting<boolean>;
  /** The text editor that the user was in last. */
  readonly editor: () => vscode.TextEditor | undefined;
  /** What the requests of a conversation need. */
  readonly source: (conversationId: string) => AttachmentSource;
}

/** @param storageUri where they're stored */
export function registerAttachments(
  storageUri: vscode.Uri,
  { models: { catalog, marks }, support, lastEditor, settings, log }: AttachmentsDeps,
  onError: (error: unknown) => void,
): Attachments {
  const folder = vscode.Uri.joinPath(storageUri, 'attachments').fsPath;
  const store = new AttachmentStore(folder);
  const drafts = new DraftAttachments({ store, onError });
  const onDropped = droppedRulesLog((text) => log.warn(text));
  const models = new ComposerModels({ catalog, marks, support });
  return {
    store,
    drafts,
    models,
    files: new WorkspaceFiles(() => workspaceFiles(onDropped)),
    documents: new ContextDocuments(store),
    maxPictureEdge: settings.maxImageSize,
    includeSurroundingCode: settings.promptSurroundingCode,
    editor: () => lastEditor.value,
    source: (conversationId) => ({
      read: (attachment) => store.read(conversationId, attachment),
      seesPictures: (model) => models.seesPictures(model),
    }),
  };
}
