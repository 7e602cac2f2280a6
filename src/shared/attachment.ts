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

/** What a user can add to a message besides text. `gitWorking` is the unstaged changes. */
export type ContextKind = (typeof contextKinds)[number];

/** The codicon for each kind. */
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
  /** In full, for the tooltip: a path with its lines, and what was left out. */
  readonly detail: string;
  /** Estimated from the content, because no service has counted the tokens. */
  readonly tokens: number;
  /** When the content was read, as Unix time in milliseconds. */
  readonly at: number;
}

/** Text from the workspace, as it was when it was added. */
export interface ContextAttachment extends AttachmentFacts {
  readonly kind: ContextKind;
}

export interface PictureAttachment extends AttachmentFacts {
  readonly kind: 'picture';
  readonly mediaType: PictureType;
  /** In pixels. */
  readonly width: number;
  readonly height: number;
  readonly bytes: number;
}

/** What is sent with a message. The content is a file of the conversation and never changes. */
export type Attachment = ContextAttachment | PictureAttachment;

/** What the user is looking at. It's suggested, and only sent if the user adds it. */
export interface SuggestedContext {
  readonly kind: 'selection' | 'file';
  /** As on its chip. */
  readonly name: string;
  readonly detail: string;
  /** Estimated. */
  readonly tokens: number;
}

/** What is sent with the next message, and what the page needs to judge whether it fits. */
export interface AttachmentsView {
  readonly items: readonly Attachment[];
  /** Absent if there's nothing to suggest, or if it's already among the items. */
  readonly suggested?: SuggestedContext;
  /** Estimated tokens of the conversation so far, system prompt included. */
  readonly conversationTokens: number;
  /** Context window of the selected model, in tokens; absent if the model list doesn't have it. */
  readonly contextWindow?: number;
  /** The max tokens of the next request, which many services count too; absent if it sends none. */
  readonly maxTokens?: number;
  /** Absent until a conversation is open. */
  readonly length?: ConversationLength;
  /** Whether the selected model accepts images; absent if that's unknown. */
  readonly seesPictures?: boolean;
  /** The user is being asked something, which an addition in progress might wait for. */
  readonly isAsking?: boolean;
  /** Longest side of an image, in pixels: larger ones are scaled down. 0 leaves images as they are. */
  readonly maxPictureEdge: number;
  /** URL, for this page, of the folder with the conversation's images; ends with a slash. */
  readonly folder: string;
}

/** A row of the list that `#` opens. */
export interface CompletionView {
  /** Only the host knows what it means. */
  readonly id: string;
  readonly kind: ContextKind | 'picture';
  readonly label: string;
  readonly detail: string;
}

/** Extensions of the image files. */
export const pictureEndings: Readonly<Record<PictureType, string>> = {
  'image/png': 'png',
  'image/jpeg': 'jpg',
  'image/webp': 'webp',
  'image/gif': 'gif',
};
