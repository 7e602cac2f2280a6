import type { Problem } from '../problem.ts';
import type { ModelRef } from '../modelRef.ts';
import type { Attachment, AttachmentsView } from '../attachment.ts';
import type { ChatOptions, Figure, ReplyMetrics, ReplyView } from '../chat.ts';
import type { NoteView, ToHost, ToPage } from './chatProtocol.ts';

/** More don't fit side by side, and a race with more is hard to follow. */
export const maxColumns = 6;

/** One notch on the bars of the race for this many tokens. */
export const tokensPerMark = 100;

export const compareOrders = ['allAtOnce', 'oneAfterAnother'] as const;
export type CompareOrder = (typeof compareOrders)[number];

export interface CompareColumnView {
  readonly id: string;
  readonly model: ModelRef;
  /** Instead of the model there's a placeholder, `Reply A`. */
  readonly isBlind?: true;
  /** `inference.example · 0.10 in / 0.40 out per 1M tokens`, as far as known. */
  readonly place: string;
  /** The median of earlier requests. */
  readonly tokensPerSecond?: Figure;
  /** The column's own parameters. */
  readonly options: ChatOptions;
  /** Used for each field that those leave out. */
  readonly defaults: ChatOptions;
  /** The same in words: `Temperature 0.9 · System prompt`; absent for none. */
  readonly own?: string;
}

export interface CompareTurnView {
  readonly id: string;
  readonly text: string;
  readonly attachments: readonly Attachment[];
  readonly order: CompareOrder;
  /** IDs of the columns that it was sent to. */
  readonly columns: readonly string[];
}

/** The content of a column for one turn. A later message for the same column and turn replaces it. */
export interface CompareReplyView extends ReplyView {
  readonly columnId: string;
  readonly turnId: string;
  /** Sent once the previous one has ended. */
  readonly isQueued?: true;
  /** The service refused it for now. It's sent again then, at the earliest, as Unix time in milliseconds. */
  readonly waitsUntil?: number;
  /** A blind reply that can be voted for. */
  readonly canWin?: true;
  /** As src/words writes it: `0.00016`, `≈ 0.0034`. Absent if a price or the tokens are unknown. */
  readonly cost?: string;
  /** Says that a stopped reply whose cost isn't known might have been charged. */
  readonly chargeNote?: string;
  /** Measured here alone, if the service sent figures of its own, for comparisons with services that send none. */
  readonly metricsHere?: ReplyMetrics;
  /** When each hundredth token arrived, in seconds after the request was sent. */
  readonly marks?: readonly number[];
}

/** How the next question is sent. */
export interface CompareSetup {
  /** For all columns. */
  readonly options: ChatOptions;
  readonly order: CompareOrder;
  /** Hides which model answers until the vote. */
  readonly isBlind: boolean;
  /** The only column that it's sent to; all of them if absent. */
  readonly to?: string;
}

/** What it costs to send the text in the composer. */
export interface CompareEstimate {
  /** Tokens of the longest conversation; absent if nothing would be sent. */
  readonly promptTokens?: number;
  /** `at most 0.0044`, `at least 0.0012`; absent if no price is known. */
  readonly cost?: string;
}

/** What a blind question shows. `off` for other questions, and after the vote. */
export type BlindStageView = 'off' | 'writing' | 'voting';

export const voteWords = ['equal', 'none'] as const;

/** A model in the ranking by blind votes. */
export interface RankingRowView {
  readonly model: ModelRef;
  /** `1`, `1–2`; empty if there aren't enough votes to tell. */
  readonly rank: string;
  readonly wins: number;
  readonly duels: number;
  /** Share of duels won against an average opponent, from 0 to 1, with its confidence interval. */
  readonly share: number;
  readonly low: number;
  readonly high: number;
  /** Speed and list price of the model's requests, as far as known. */
  readonly facts: string;
}

/** Which votes count in a ranking: all, those with a tag, or those on one prompt. */
export interface RankingFilter {
  readonly tag?: string;
  readonly prompt?: string;
}

export interface CompareRankingView {
  readonly votes: number;
  readonly rows: readonly RankingRowView[];
  readonly filter: RankingFilter;
  /** Tags and prompts to select from, most votes first. */
  readonly tags: readonly CountedVotes[];
  readonly prompts: readonly CountedVotes[];
}

/** A tag or a prompt, and its number of votes. */
export interface CountedVotes {
  readonly name: string;
  readonly votes: number;
}

/** The last vote on this page. */
export interface GivenVote {
  readonly turnId: string;
  /** A sentence: columns change places once their models are shown. */
  readonly words: string;
}

/** Tags of votes. */
export interface VoteTags {
  /** The last one of this comparison; empty for none. */
  readonly last: string;
  /** All tags that have been used. */
  readonly known: readonly string[];
}

/** In characters. */
export const maxTagLength = 40;

export interface CompareSnapshot {
  readonly comparisonId: string;
  readonly title: string;
  readonly columns: readonly CompareColumnView[];
  readonly turns: readonly CompareTurnView[];
  readonly replies: readonly CompareReplyView[];
  readonly setup: CompareSetup;
  /** From the settings. Used for each field that the setup's options leave out. */
  readonly defaults: ChatOptions;
  readonly blindStage: BlindStageView;
  readonly tags: VoteTags;
  readonly given?: GivenVote;
  readonly draft: string;
  readonly estimate: CompareEstimate;
  readonly attachments: AttachmentsView;
  /** Messages above the message box, oldest first. */
  readonly notes: readonly NoteView[];
}

/** Facts, from the host to the page. Those about the composer are the same as the chat's. */
export type ToComparePage =
  | Extract<
      ToPage,
      {
        type:
          | 'replyGrew'
          | 'attachmentsChanged'
          | 'adding'
          | 'notAdded'
          | 'pictureRead'
          | 'completions'
          | 'promptRows'
          | 'composerFocused'
          | 'notesChanged'
          | 'copied';
      }
    >
  /** Nothing was sent. The problem is absent if that was the user's decision. */
  | { readonly type: 'askRefused'; readonly seq: number; readonly text: string; readonly problem: Problem | undefined }
  | { readonly type: 'snapshot'; readonly seq: number; readonly snapshot: CompareSnapshot }
  | { readonly type: 'columnsChanged'; readonly seq: number; readonly columns: readonly CompareColumnView[] }
  /** A new turn, or one that was sent to more columns. */
  | { readonly type: 'turnChanged'; readonly seq: number; readonly turn: CompareTurnView }
  | { readonly type: 'replyShown'; readonly seq: number; readonly reply: CompareReplyView }
  | { readonly type: 'rankingShown'; readonly seq: number; readonly ranking: CompareRankingView }
  | { readonly type: 'estimated'; readonly seq: number; readonly estimate: CompareEstimate }
  | {
      readonly type: 'setupChanged';
      readonly seq: number;
      readonly setup: CompareSetup;
      readonly defaults: ChatOptions;
    };

/** What the composer and the text of replies send, the same as in the chat. */
const composerMessages = [
  'stop',
  'composing',
  'draftChanged',
  'optionsChanged',
  'addContext',
  'removeAttachment',
  'openAttachment',
  'addPicture',
  'addText',
  'addDropped',
  'complete',
  'addCompletion',
  'completePrompt',
  'runPrompt',
  'endNote',
  'copyText',
  'insertCode',
  'compareCode',
  'openCode',
  'openLink',
  'retry',
  'runAction',
] as const;

export type ComposerMessage = Extract<ToHost, { type: (typeof composerMessages)[number] }>;

export function isComposerMessage(message: ToHost): message is ComposerMessage {
  return composerMessages.some((type) => type === message.type);
}

export const replyActs = ['copy', 'insert', 'apply', 'compareText', 'continueInChat'] as const;
/** What a user can do with a finished reply. */
export type ReplyAct = (typeof replyActs)[number];

/** Intentions, from the page to the host. */
export type ToCompareHost =
  | ComposerMessage
  | { readonly type: 'ready' }
  /** `to`: a follow-up to this column only. */
  | {
      readonly type: 'compare';
      readonly text: string;
      readonly attachments: readonly string[];
      readonly to?: string;
    }
  /** Sends the last question to a column that hasn't received it. */
  | { readonly type: 'askColumn'; readonly columnId: string }
  | { readonly type: 'stopColumn'; readonly columnId: string }
  /** A column's own parameters. */
  | { readonly type: 'columnOptionsChanged'; readonly columnId: string; readonly options: ChatOptions }
  /** Where the next message is sent: this column, or all. */
  | { readonly type: 'setTo'; readonly columnId?: string }
  /** Without a column, adds one. */
  | { readonly type: 'chooseModel'; readonly columnId?: string }
  | { readonly type: 'closeColumn'; readonly columnId: string }
  | { readonly type: 'setBlind'; readonly isBlind: boolean }
  /** The column whose reply is better, or a verdict on all of them. */
  | {
      readonly type: 'vote';
      readonly turnId: string;
      readonly choice: { readonly columnId: string } | (typeof voteWords)[number];
      readonly tag?: string;
    }
  | ({ readonly type: 'showRanking' } & RankingFilter)
  | { readonly type: 'openComparison' }
  | { readonly type: 'newComparison' }
  | { readonly type: 'exportComparison' }
  | { readonly type: 'deleteComparison' }
  | { readonly type: 'setOrder'; readonly order: CompareOrder }
  | { readonly type: 'actOnReply'; readonly replyId: string; readonly act: ReplyAct };
