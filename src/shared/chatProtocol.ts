import type { AttachmentsView, CompletionView, PictureType } from './attachment.ts';
import type { ChatOptions, MessageView, ReplyMetrics, ReplyState, RetryView } from './chat.ts';
import type { Problem, ProblemActionKind } from './problem.ts';

/** Where the chat stands with the service, for the empty state and the composer. Never the key. */
export interface ConnectionView {
  /** What is still to do before a message can be sent. */
  readonly state: 'ready' | 'needsBaseUrl' | 'needsApiKey' | 'needsModel';
  /** Set where something was given that does not fit, such as a key for another host: shown in place of the invitation. */
  readonly problem?: Problem;
  /** Host of the base address, empty when none is set. */
  readonly host: string;
}

/** A thing to do that fits where the person is; the host knows what each id means. */
export interface SuggestionView {
  readonly id: string;
  readonly label: string;
}

/** A message that has what was looked for. */
export interface FoundMessage {
  readonly id: string;
  readonly count: number;
}

/** A conversation whose summary another one began with. */
export interface ContinuedConversation {
  readonly id: string;
  readonly title: string;
}

/** A summary that a new chat may begin with. */
export interface SummaryView {
  readonly state: 'writing' | 'ready' | 'failed';
  readonly text: string;
  readonly problem?: Problem;
}

/** Everything a page needs to draw itself. */
export interface ChatSnapshot {
  readonly conversationId: string;
  readonly title: string;
  /** The newest messages, oldest first. */
  readonly messages: readonly MessageView[];
  /** True when older messages can be loaded with `loadOlder`. */
  readonly hasOlder: boolean;
  /** Set for this conversation. */
  readonly options: ChatOptions;
  /** From the settings; used where `options` leaves a field open. */
  readonly defaults: ChatOptions;
  readonly draft: string;
  readonly connection: ConnectionView;
  readonly suggestions: readonly SuggestionView[];
  readonly attachments: AttachmentsView;
  readonly continues?: ContinuedConversation;
  readonly summary?: SummaryView;
  /** What is to be said while something of the conversation isn't on disk. */
  readonly unsaved?: Problem;
}

/** Facts, from the host to the page. */
export type ToPage =
  | { readonly type: 'snapshot'; readonly seq: number; readonly snapshot: ChatSnapshot }
  | {
      readonly type: 'olderMessages';
      readonly seq: number;
      readonly messages: readonly MessageView[];
      readonly hasOlder: boolean;
    }
  /** How often each message before those that are loaded has what was looked for; those without it are left out. */
  | {
      readonly type: 'found';
      readonly seq: number;
      readonly request: number;
      readonly older: readonly FoundMessage[];
    }
  | { readonly type: 'messageAdded'; readonly seq: number; readonly message: MessageView }
  | {
      readonly type: 'replyGrew';
      readonly seq: number;
      readonly replyId: string;
      readonly part: 'text' | 'reasoning';
      /** Length, in UTF-16 units, of this part before `text` was added. */
      readonly offset: number;
      readonly text: string;
      /** How many pieces of the stream `text` came in; 1 where it isn't given. */
      readonly pieces?: number;
    }
  | { readonly type: 'replyChanged'; readonly seq: number; readonly replyId: string; readonly change: ReplyChange }
  | {
      readonly type: 'messagesRemoved';
      readonly seq: number;
      readonly ids: readonly string[];
      readonly canRestore: boolean;
    }
  | { readonly type: 'titleChanged'; readonly seq: number; readonly title: string }
  | {
      readonly type: 'optionsChanged';
      readonly seq: number;
      readonly options: ChatOptions;
      readonly defaults: ChatOptions;
    }
  /** Without a summary, none is being written any more. */
  | { readonly type: 'summaryChanged'; readonly seq: number; readonly summary?: SummaryView }
  | { readonly type: 'connectionChanged'; readonly seq: number; readonly connection: ConnectionView }
  /** A text to go below what is in the composer. */
  | { readonly type: 'draftAdded'; readonly seq: number; readonly text: string }
  /** The host has this version of the draft. */
  | {
      readonly type: 'draftSaved';
      readonly seq: number;
      readonly conversationId: string;
      readonly version: number;
    }
  | { readonly type: 'attachmentsChanged'; readonly seq: number; readonly attachments: AttachmentsView }
  /** What the page wanted to add under this id does not come; `problem` says why, where the person did not choose so. */
  | { readonly type: 'notAdded'; readonly seq: number; readonly id: string; readonly problem?: Problem }
  /** A picture's file, for the page to make smaller and send back with `addPicture`. */
  | {
      readonly type: 'pictureRead';
      readonly seq: number;
      /** The page's own where it asked with `addDropped`. */
      readonly id: string;
      readonly name: string;
      readonly mediaType: PictureType;
      readonly bytes: Uint8Array;
    }
  | {
      readonly type: 'completions';
      readonly seq: number;
      readonly request: number;
      readonly items: readonly CompletionView[];
    }
  /** The models to offer for a retry of this reply, those used last first. */
  | {
      readonly type: 'retryOffers';
      readonly seq: number;
      readonly replyId: string;
      readonly models: readonly RetryModel[];
    }
  | {
      readonly type: 'promptRows';
      readonly seq: number;
      readonly request: number;
      readonly rows: readonly PromptRow[];
    }
  | { readonly type: 'composerFocused'; readonly seq: number }
  /** A conversation was deleted, perhaps the one that was shown. It can be brought back. */
  | { readonly type: 'conversationDeleted'; readonly seq: number; readonly id: string; readonly title: string }
  /** What the page last asked for is on the clipboard. It isn't sent when the person decided against it. */
  | { readonly type: 'copied'; readonly seq: number }
  | { readonly type: 'parametersOpened'; readonly seq: number }
  /** Something of the conversation isn't on disk; without a problem, all of it is there again. */
  | { readonly type: 'unsavedChanged'; readonly seq: number; readonly unsaved?: Problem }
  /** The host could not do what the page asked for: the text goes back to the composer. */
  | { readonly type: 'askRefused'; readonly seq: number; readonly text: string; readonly problem: Problem };

/** A row of the list that `/` opens. */
export interface PromptRow {
  /** Means something to the host alone. */
  readonly id: string;
  /** The heading that it stands under; empty for none. */
  readonly group: string;
  /** With its `/`. */
  readonly label: string;
  readonly detail: string;
}

/** A model to ask again with. */
export interface RetryModel {
  readonly id: string;
  /** As it was measured here, in words; empty where it wasn't. */
  readonly speed: string;
}

/** All of a reply but its text: replaces what the page knew. */
export interface ReplyChange {
  readonly state: ReplyState;
  readonly metrics: ReplyMetrics;
  readonly thoughtSeconds?: number;
  readonly finishReason?: string;
  readonly answeredBy?: string;
  readonly requestId?: string;
  readonly problem?: Problem;
  readonly retry?: RetryView;
}

/** Intentions, from the page to the host. */
export type ToHost =
  /** The page is loaded, or missed something, and wants a snapshot. */
  | { readonly type: 'ready' }
  /**
   * `conversationId`: the one that the person saw; absent before any is shown. `attachments`: ids of what goes
   * with it, as the person saw them; absent where there is nothing.
   */
  | {
      readonly type: 'ask';
      readonly conversationId?: string;
      readonly text: string;
      readonly attachments?: readonly string[];
    }
  | { readonly type: 'stop' }
  /** `model`: one that the host offered; the conversation's own where it's absent. */
  | { readonly type: 'retry'; readonly replyId: string; readonly model?: string }
  /** With a model that the person is asked for. */
  | { readonly type: 'retryWithOther'; readonly replyId: string }
  /** Asks several models what this reply answers, side by side. */
  | { readonly type: 'compareReply'; readonly replyId: string }
  /** The person opens the menu of Retry. */
  | { readonly type: 'offerRetry'; readonly replyId: string }
  /** Shows another version of a reply, and what was said after that. */
  | { readonly type: 'showVersion'; readonly messageId: string }
  /** Replaces a user message and everything after it, then asks again. */
  | { readonly type: 'resend'; readonly messageId: string; readonly text: string }
  | { readonly type: 'deleteMessage'; readonly messageId: string }
  | { readonly type: 'restoreMessages'; readonly ids: readonly string[] }
  | { readonly type: 'restoreConversation'; readonly conversationId: string }
  /** With `throughId`, all from that message on. */
  | { readonly type: 'loadOlder'; readonly beforeId: string; readonly throughId?: string }
  /** Sends the conversation from this question on; null for all of it. */
  | { readonly type: 'sendFrom'; readonly messageId: string | null }
  /** Moves the line above which nothing is sent by one question. */
  | { readonly type: 'moveSentFrom'; readonly step: -1 | 1 }
  /** Leaves out as many of the earliest messages as it takes for the conversation to fit well. */
  | { readonly type: 'leaveOutEarliest' }
  /** Comes back as `summaryChanged`. */
  | { readonly type: 'summarize' }
  | { readonly type: 'stopSummary' }
  /** Begins a new chat with a summary, as the person left it. */
  | { readonly type: 'useSummary'; readonly text: string }
  | { readonly type: 'openContinued' }
  /** Comes back as `found`. */
  | { readonly type: 'find'; readonly request: number; readonly query: string; readonly beforeId: string }
  /** The composer got the focus: a message is likely to come. */
  | { readonly type: 'composing' }
  /** Not after `ask`: the host forgets a draft when it has become a message. */
  | {
      readonly type: 'draftChanged';
      readonly conversationId: string;
      readonly text: string;
      /** Comes back with `draftSaved`. */
      readonly version: number;
    }
  | { readonly type: 'optionsChanged'; readonly conversationId: string; readonly options: ChatOptions }
  /** The person wants to choose what to add to the message. */
  | { readonly type: 'addContext' }
  | { readonly type: 'removeAttachment'; readonly conversationId: string; readonly id: string }
  | { readonly type: 'openAttachment'; readonly id: string }
  | {
      readonly type: 'addPicture';
      readonly conversationId: string;
      readonly id: string;
      readonly name: string;
      readonly width: number;
      readonly height: number;
      readonly bytes: Uint8Array;
    }
  /** A text file from outside VS Code that was dropped on the page. What comes of it has this id. */
  | {
      readonly type: 'addText';
      readonly conversationId: string;
      readonly id: string;
      readonly name: string;
      readonly text: string;
    }
  /** A file that was dropped on the page: the host takes those of the workspace and no others. */
  | { readonly type: 'addDropped'; readonly conversationId: string; readonly id: string; readonly uri: string }
  /** What `#` and these characters may stand for. */
  | { readonly type: 'complete'; readonly request: number; readonly typed: string }
  | { readonly type: 'addCompletion'; readonly conversationId: string; readonly id: string; readonly row: string }
  /** Adds what is suggested. `detail`: what the person saw of it, so that nothing else is added. */
  | {
      readonly type: 'addSuggested';
      readonly conversationId: string;
      readonly id: string;
      readonly detail: string;
    }
  /** Which prompts `/` and these characters may stand for. */
  | { readonly type: 'completePrompt'; readonly request: number; readonly typed: string }
  | { readonly type: 'runPrompt'; readonly row: string }
  | { readonly type: 'selectModel' }
  | { readonly type: 'copyText'; readonly text: string }
  | { readonly type: 'copyMessage'; readonly messageId: string }
  | { readonly type: 'insertCode'; readonly text: string }
  | { readonly type: 'compareCode'; readonly text: string }
  | { readonly type: 'openCode'; readonly text: string; readonly language: string }
  | { readonly type: 'openLink'; readonly href: string }
  | { readonly type: 'runSuggestion'; readonly id: string }
  | {
      readonly type: 'runAction';
      readonly action: ProblemActionKind;
      readonly replyId?: string;
      /** Of `useModel`: one that a problem offered. */
      readonly model?: string;
    };

export type ToPageHandlers = { readonly [T in ToPage['type']]: (message: Extract<ToPage, { type: T }>) => void };
export type ToHostHandlers = {
  readonly [T in ToHost['type']]: (message: Extract<ToHost, { type: T }>) => Promise<void> | undefined | void;
};
