import type { ModelRef } from '../modelRef.ts';
import type { AttachmentsView, CompletionView, PictureType } from '../attachment.ts';
import type { ChatOptions, MessageView, ReplyMetrics, ReplyState, RetryView } from '../chat.ts';
import type { ModelQuestion, ModelRowsView } from '../modelRow.ts';
import type { Handlers } from './pageMessage.ts';
import type { Problem, ProblemActionKind } from '../problem.ts';

/** What the empty state and the composer need to know about the service. Never the key. */
export interface ConnectionView {
  /** What has to be set up before a message can be sent. */
  readonly state: 'ready' | 'needsBaseUrl' | 'needsApiKey' | 'needsModel';
  /** Set if something doesn't fit, for example a key for another host. Shown instead of the invitation. */
  readonly problem?: Problem;
  /** Set if the service is known not to support chat. It can still be asked. */
  readonly lack?: Problem;
  /** Host of the base URL; empty if none is set. */
  readonly host: string;
  /** The host is this computer, whose services usually need no key. */
  readonly isLocal?: true;
}

/** A suggested action. Only the host knows what each ID means. */
export interface SuggestionView {
  readonly id: string;
  readonly label: string;
}

/** A message that contains the search text. */
export interface FoundMessage {
  readonly id: string;
  readonly count: number;
}

/** A conversation that continues from the summary of another one. */
export interface ContinuedConversation {
  readonly id: string;
  readonly title: string;
}

/** A summary that a new chat can start with. */
export interface SummaryView {
  readonly state: 'writing' | 'ready' | 'failed';
  readonly text: string;
  /** Why it might not be complete. */
  readonly ending?: string;
  /** The last message was too long for the model, and isn't part of it. */
  readonly lacksLast?: boolean;
  readonly problem?: Problem;
}

/** A message above the message box, instead of a notification that would cover it. */
export interface NoteView {
  readonly id: string;
  /** `busy` while something is in progress that ends on its own; `undo` for a deletion, whose button restores it. */
  readonly severity: 'info' | 'warning' | 'error' | 'busy' | 'undo';
  readonly text: string;
  /** Labels, the most useful one first. */
  readonly buttons: readonly string[];
}

/** Everything a page needs to draw itself. */
export interface ChatSnapshot {
  readonly conversationId: string;
  readonly title: string;
  /** The newest messages, oldest first. */
  readonly messages: readonly MessageView[];
  /** True when older messages can be loaded with `loadOlder`. */
  readonly hasOlder: boolean;
  /** What is set for this conversation. */
  readonly options: ChatOptions;
  /** From the settings. Used for each field that `options` leaves out. */
  readonly defaults: ChatOptions;
  readonly draft: string;
  /** The last version from this page that became the draft. What `draft` has now might be newer. */
  readonly draftVersion?: number;
  readonly connection: ConnectionView;
  readonly suggestions: readonly SuggestionView[];
  readonly attachments: AttachmentsView;
  readonly continues?: ContinuedConversation;
  readonly summary?: SummaryView;
  /** What to show the user while part of the conversation isn't on disk. */
  readonly unsaved?: Problem;
  /** Messages above the message box, oldest first. */
  readonly notes?: readonly NoteView[];
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
  /** How often each message before the loaded ones contains the search text. Messages without a match are left out. */
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
      /** Length of this part before `text` was added, in UTF-16 units. */
      readonly offset: number;
      readonly text: string;
      /** Number of pieces of the stream in `text`; 1 if absent. */
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
  /** Without a summary, none is being written anymore. */
  | { readonly type: 'summaryChanged'; readonly seq: number; readonly summary?: SummaryView }
  | { readonly type: 'connectionChanged'; readonly seq: number; readonly connection: ConnectionView }
  /** Text to add below the composer's text. */
  | { readonly type: 'draftAdded'; readonly seq: number; readonly text: string }
  /** The draft was changed or sent in another page of this window. */
  | {
      readonly type: 'draftReplaced';
      readonly seq: number;
      readonly conversationId: string;
      readonly text: string;
    }
  /** The host has saved this version of the draft. */
  | {
      readonly type: 'draftSaved';
      readonly seq: number;
      readonly conversationId: string;
      readonly version: number;
    }
  | { readonly type: 'attachmentsChanged'; readonly seq: number; readonly attachments: AttachmentsView }
  /**
   * The host adds something that the user selected there. It ends like an addition that the page requested.
   * `isOptional`: it comes with that, so if it fails, a message that waits is sent without it.
   */
  | {
      readonly type: 'adding';
      readonly seq: number;
      readonly conversationId: string;
      readonly id: string;
      readonly name: string;
      readonly isOptional?: true;
    }
  /** The addition under this ID failed. `problem` says why, unless that was the user's decision. */
  | { readonly type: 'notAdded'; readonly seq: number; readonly id: string; readonly problem?: Problem }
  /** An image file for the page to scale down and send back with `addPicture`. */
  | {
      readonly type: 'pictureRead';
      readonly seq: number;
      /** The one that it was selected for, which the page might not show anymore. */
      readonly conversationId: string;
      /** The ID of the addition. */
      readonly id: string;
      readonly name: string;
      readonly mediaType: PictureType;
      readonly bytes: Uint8Array;
    }
  /** A second one for the same request has the same items, then more. */
  | {
      readonly type: 'completions';
      readonly seq: number;
      readonly request: number;
      readonly items: readonly CompletionView[];
    }
  /** The models to offer for a retry of this reply, most recently used first. */
  | {
      readonly type: 'retryOffers';
      readonly seq: number;
      readonly replyId: string;
      /** The one that Retry uses, if another one wrote the reply. */
      readonly model?: ModelRef;
      readonly models: readonly RetryModel[];
    }
  | {
      readonly type: 'promptRows';
      readonly seq: number;
      readonly request: number;
      readonly rows: readonly PromptRow[];
    }
  /** Lets the user select a model: for the conversation, or for another version of this reply. */
  | {
      readonly type: 'modelPickerOpened';
      readonly seq: number;
      readonly replyId?: string;
      readonly view: ModelRowsView;
    }
  /** The model picker's last query. Sent again when its result changes. */
  | { readonly type: 'modelRows'; readonly seq: number; readonly request: number; readonly view: ModelRowsView }
  /** The user is now looking at something else. */
  | { readonly type: 'suggestionsChanged'; readonly seq: number; readonly suggestions: readonly SuggestionView[] }
  | { readonly type: 'composerFocused'; readonly seq: number }
  /** Scrolls to this message, and focuses the message box. */
  | { readonly type: 'messageRevealed'; readonly seq: number; readonly id: string }
  /** Text that the user entered in one of VS Code's input boxes, opened by a button on the page, is in effect. */
  | { readonly type: 'stepDone'; readonly seq: number }
  /** The last text that the page asked to copy is on the clipboard. Not sent if the user decided against it. */
  | { readonly type: 'copied'; readonly seq: number }
  | { readonly type: 'parametersOpened'; readonly seq: number }
  /** Part of the conversation isn't on disk. Without a problem, all of it is saved again. */
  | { readonly type: 'unsavedChanged'; readonly seq: number; readonly unsaved?: Problem }
  /** All messages above the message box, oldest first. */
  | { readonly type: 'notesChanged'; readonly seq: number; readonly notes: readonly NoteView[] }
  /**
   * The host couldn't do what the page asked for. The text goes back to where it was typed: to the composer, or to the
   * message of this ID, which was being edited.
   */
  | {
      readonly type: 'askRefused';
      readonly seq: number;
      readonly text: string;
      readonly editedId?: string;
      readonly problem: Problem;
    };

/** A row of the list that `/` opens. */
export interface PromptRow {
  /** Only the host knows what it means. */
  readonly id: string;
  /** The heading above it; empty for none. */
  readonly group: string;
  /** Includes the `/`. */
  readonly label: string;
  readonly detail: string;
}

/** A model to retry with. */
export interface RetryModel {
  readonly id: string;
  /** Its measured speed, in words; empty if unknown. */
  readonly speed: string;
}

/** Everything about a reply except its text. Replaces what the page had. */
export interface ReplyChange {
  readonly state: ReplyState;
  /** Only if some of what had arrived as text turned out to be reasoning. */
  readonly text?: string;
  readonly reasoning?: string;
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
  /** The page has loaded, or missed something, and needs a snapshot. */
  | { readonly type: 'ready' }
  /**
   * `conversationId`: the one on screen; absent before any is shown. `attachments`: IDs of the attachments as the user
   * saw them; absent without any. `version`: of the draft that remains, which counts as received with this message.
   */
  | {
      readonly type: 'ask';
      readonly conversationId?: string;
      readonly text: string;
      readonly attachments?: readonly string[];
      readonly version?: number;
    }
  | { readonly type: 'stop' }
  /** `model`: one that the host offered. If absent, the conversation's own. */
  | { readonly type: 'retry'; readonly replyId: string; readonly model?: ModelRef }
  /** With a model that the user selects. Answered with `modelPickerOpened`. */
  | { readonly type: 'retryWithOther'; readonly replyId: string }
  /** Sends the question behind this reply to several models, side by side. */
  | { readonly type: 'compareReply'; readonly replyId: string }
  /** The user opens the Retry menu. */
  | { readonly type: 'offerRetry'; readonly replyId: string }
  /** Shows another version of a reply, and what followed it. */
  | { readonly type: 'showVersion'; readonly messageId: string }
  /** Replaces a user message and everything after it, then asks again. */
  | { readonly type: 'resend'; readonly messageId: string; readonly text: string }
  | { readonly type: 'deleteMessage'; readonly messageId: string }
  /** With `throughId`, every message from that one on. */
  | { readonly type: 'loadOlder'; readonly beforeId: string; readonly throughId?: string }
  /** Sends the conversation from this question on. With null, all of it. */
  | { readonly type: 'sendFrom'; readonly messageId: string | null }
  /** Moves the line above which nothing is sent by one question. */
  | { readonly type: 'moveSentFrom'; readonly step: -1 | 1 }
  /** Leaves out enough of the earliest messages for the conversation to fit well. */
  | { readonly type: 'leaveOutEarliest' }
  /** Answered with `summaryChanged`. */
  | { readonly type: 'summarize' }
  | { readonly type: 'stopSummary' }
  /** Starts a new chat with the summary as the user edited it. */
  | { readonly type: 'useSummary'; readonly text: string }
  /** The current text of the box, for the page that replaces this one when it was hidden. */
  | { readonly type: 'summaryEdited'; readonly text: string }
  | { readonly type: 'openContinued' }
  /** Answered with `found`. */
  | { readonly type: 'find'; readonly request: number; readonly query: string; readonly beforeId: string }
  /** The composer got the focus, so a message is likely to follow. */
  | { readonly type: 'composing' }
  /** The focus entered the page, or left it. */
  | { readonly type: 'focusMoved'; readonly isHere: boolean }
  /** Not sent after `ask`: the host discards a draft when it becomes a message. */
  | {
      readonly type: 'draftChanged';
      readonly conversationId: string;
      readonly text: string;
      /** Answered with `draftSaved`. */
      readonly version: number;
    }
  | { readonly type: 'optionsChanged'; readonly conversationId: string; readonly options: ChatOptions }
  /** The user wants to select what to add to the message. */
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
  /** A text file from outside VS Code that was dropped on the page. The resulting attachment gets this ID. */
  | {
      readonly type: 'addText';
      readonly conversationId: string;
      readonly id: string;
      readonly name: string;
      readonly text: string;
    }
  /** A file that was dropped on the page. The host only accepts those in the workspace. */
  | { readonly type: 'addDropped'; readonly conversationId: string; readonly id: string; readonly uri: string }
  /** What `#` and these characters could stand for. */
  | { readonly type: 'complete'; readonly request: number; readonly typed: string }
  | { readonly type: 'addCompletion'; readonly conversationId: string; readonly id: string; readonly row: string }
  /** Adds the suggestion. `detail` is what the user saw of it, so that nothing else is added. */
  | {
      readonly type: 'addSuggested';
      readonly conversationId: string;
      readonly id: string;
      readonly detail: string;
    }
  /** Which prompts `/` and these characters could stand for. */
  | { readonly type: 'completePrompt'; readonly request: number; readonly typed: string }
  | { readonly type: 'runPrompt'; readonly row: string }
  /** Answered with `modelPickerOpened`. */
  | { readonly type: 'selectModel' }
  /** Answered with `modelRows`. `again`: fetches the lists once more, or only that of `service`. */
  | {
      readonly type: 'findModels';
      readonly request: number;
      readonly question: ModelQuestion;
      readonly again?: boolean;
      readonly service?: string;
    }
  /** Uses the model of a row, for the conversation or for another version of this reply. */
  | { readonly type: 'takeModel'; readonly row: string; readonly replyId?: string }
  | { readonly type: 'toggleFavorite'; readonly row: string }
  /** The model picker is closed, so its rows no longer have to be updated. */
  | { readonly type: 'closeModels' }
  /** Brings the Models view to the front. */
  | { readonly type: 'showModels' }
  | { readonly type: 'addService' }
  | { readonly type: 'copyText'; readonly text: string }
  | { readonly type: 'copyMessage'; readonly messageId: string }
  | { readonly type: 'insertCode'; readonly text: string }
  | { readonly type: 'compareCode'; readonly text: string }
  | { readonly type: 'openCode'; readonly text: string; readonly language: string }
  | { readonly type: 'openLink'; readonly href: string }
  | { readonly type: 'runSuggestion'; readonly id: string }
  /** Ends a message above the message box. `button`: the label of the one that was pressed; absent if it was dismissed. */
  | { readonly type: 'endNote'; readonly id: string; readonly button?: string }
  | {
      readonly type: 'runAction';
      readonly action: ProblemActionKind;
      readonly replyId?: string;
      /** ID of the service that a problem is about. If absent, that of the reply, or of the conversation's model. */
      readonly service?: string;
      /** For `useModel`: one that a problem offered. */
      readonly model?: ModelRef;
    };

export type ToHostHandlers = Handlers<ToHost, Promise<void> | void>;
