import type { ConversationLength } from './conversationLength.ts';

export const contextKinds = [
  'selection',
  'file',
  'openEditors',
  'folderTree',
  'problems',
  'terminal',
  'gitStaged',
  'gitWorking',
  'symbol',
  'clipboard',
  'summary',
] as const;

/** What a person can add to a message besides its words. `gitWorking` is what is not staged. */
export type ContextKind = (typeof contextKinds)[number];

/** The codicon of each. */
export const contextIcons: Readonly<Record<ContextKind, string>> = {
  selection: 'selection',
  file: 'file',
  openEditors: 'files',
  folderTree: 'list-tree',
  problems: 'warning',
  terminal: 'terminal',
  gitStaged: 'git-commit',
  gitWorking: 'diff',
  symbol: 'symbol-method',
  clipboard: 'clippy',
  summary: 'note',
};

export type PictureType = 'image/png' | 'image/jpeg' | 'image/webp' | 'image/gif';

interface AttachmentFacts {
  /** A UUID; names the file that holds the content. */
  readonly id: string;
  /** Short, for the chip. */
  readonly name: string;
  /** In full, for the tooltip: a path with its lines, what was left out. */
  readonly detail: string;
  /** Estimated from the content: no service has counted them. */
  readonly tokens: number;
  /** Unix time in milliseconds at which the content was taken. */
  readonly at: number;
}

/** Text of the workspace, as it was when it was added. */
export interface ContextAttachment extends AttachmentFacts {
  readonly kind: ContextKind;
}

export interface PictureAttachment extends AttachmentFacts {
  readonly kind: 'picture';
  readonly mediaType: PictureType;
  /** Pixels. */
  readonly width: number;
  readonly height: number;
  readonly bytes: number;
}

/** What goes with a message. Its content is a file of the conversation and is never changed. */
export type Attachment = ContextAttachment | PictureAttachment;

/** What the person is looking at: it can be added, and isn't sent unless it was. */
export interface SuggestedContext {
  readonly kind: 'selection' | 'file';
  /** As its chip would have them. */
  readonly name: string;
  readonly detail: string;
  /** Estimated. */
  readonly tokens: number;
}

/** What goes with the next message, and what the page needs to judge whether that fits. */
export interface AttachmentsView {
  readonly items: readonly Attachment[];
  /** Absent where there is nothing, or it's among the items. */
  readonly suggested?: SuggestedContext;
  /** Estimated tokens of the conversation so far, system prompt included. */
  readonly conversationTokens: number;
  /** Of the chosen model, in tokens; absent where the catalog does not say. */
  readonly contextWindow?: number;
  /** Absent where no conversation is open yet. */
  readonly length?: ConversationLength;
  /** Of the chosen model; absent where the catalog does not say. */
  readonly seesPictures?: boolean;
  /** A picture's longer side, in pixels: more is scaled down. 0 leaves pictures as they are. */
  readonly maxPictureEdge: number;
  /** Address, for this page, of the folder with the conversation's pictures; ends in a slash. */
  readonly folder: string;
}

/** A row of the list that `#` opens. */
export interface CompletionView {
  /** Means something to the host alone. */
  readonly id: string;
  readonly kind: ContextKind;
  readonly label: string;
  readonly detail: string;
}

/** Endings of the pictures' files. */
export const pictureEndings: Readonly<Record<PictureType, string>> = {
  'image/png': 'png',
  'image/jpeg': 'jpg',
  'image/webp': 'webp',
  'image/gif': 'gif',
};
