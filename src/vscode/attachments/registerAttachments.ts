import * as vscode from 'vscode';
import type { AttachmentSource } from '../../core/chat/sessionSurroundings.ts';
import type { Setting } from '../settings/setting.ts';
import { AttachmentStore } from './attachmentStore.ts';
import { ContextDocuments } from './contextDocuments.ts';
import { droppedRulesLog } from './droppedRulesLog.ts';
import { DraftAttachments } from './draftAttachments.ts';
import { ComposerModels, type ComposerModelsDeps } from './composerModels.ts';
import { WorkspaceFiles, workspaceFiles } from './workspaceFiles.ts';

export interface AttachmentsDeps extends ComposerModelsDeps {
  readonly storageUri: vscode.Uri;
  /** The text editor that the user was in last. */
  readonly editor: () => vscode.TextEditor | undefined;
  readonly maxPictureEdge: Setting<number | null>;
  readonly includeSurroundingCode: Setting<boolean>;
  readonly onError: (error: unknown) => void;
  readonly warn: (text: string) => void;
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

export function registerAttachments(deps: AttachmentsDeps): Attachments {
  const folder = vscode.Uri.joinPath(deps.storageUri, 'attachments').fsPath;
  const store = new AttachmentStore(folder);
  const drafts = new DraftAttachments({ store, onError: deps.onError });
  const onDropped = droppedRulesLog(deps.warn);
  const models = new ComposerModels(deps);
  return {
    store,
    drafts,
    models,
    files: new WorkspaceFiles(() => workspaceFiles(onDropped)),
    documents: new ContextDocuments(store),
    maxPictureEdge: deps.maxPictureEdge,
    includeSurroundingCode: deps.includeSurroundingCode,
    editor: deps.editor,
    source: (conversationId) => ({
      read: (attachment) => store.read(conversationId, attachment),
      seesPictures: (model) => models.seesPictures(model),
    }),
  };
}
