import type { Attachment, AttachmentsView } from './attachment.ts';
import type { ChatOptions, Figure, ReplyView } from './chat.ts';
import type { ToHost, ToPage } from './chatProtocol.ts';

/** More don't fit beside each other, and a race of more is hard to follow. */
export const maxColumns = 6;

/** Notches on the bars of the race: one for so many tokens. */
export const tokensPerMark = 100;

export const compareOrders = ['allAtOnce', 'oneAfterAnother'] as const;
export type CompareOrder = (typeof compareOrders)[number];

export interface CompareColumnView {
  readonly id: string;
  readonly model: string;
  /** `inference.example · 0.10 in / 0.40 out per 1M tokens`, as far as it's known. */
  readonly place: string;
  /** The median of earlier requests. */
  readonly tokensPerSecond?: Figure;
}

export interface CompareTurnView {
  readonly id: string;
  readonly text: string;
  readonly attachments: readonly Attachment[];
  readonly order: CompareOrder;
  /** IDs of the columns it went to. */
  readonly columns: readonly string[];
}

/** What a column has to say to a turn. A later one of the same two takes its place. */
export interface CompareReplyView extends ReplyView {
  readonly columnId: string;
  readonly turnId: string;
  /** Sent once the one before has ended. */
  readonly isQueued?: true;
  /** In the words of src/words: `0.00016`, `≈ 0.0034`. Absent where a price or the tokens aren't known. */
  readonly cost?: string;
  /** When every hundredth token was there, in seconds after the request was sent. */
  readonly marks?: readonly number[];
}

/** What sending the text in the composer takes. */
export interface CompareEstimate {
  /** Of the longest; absent where nothing is to be sent. */
  readonly promptTokens?: number;
  /** `at most 0.0044`, `at least 0.0012`; absent where nothing is known. */
  readonly cost?: string;
}

/** What a blind question shows. `off` for others, and after the vote. */
export type BlindStageView = 'off' | 'writing' | 'voting';

export const voteWords = ['equal', 'none'] as const;

/** A model in the ranking, by blind votes. */
export interface RankingRowView {
  readonly model: string;
  /** `1`, `1–2`; empty where there aren't enough votes to tell. */
  readonly rank: string;
  readonly wins: number;
  readonly duels: number;
  /** Shares of duels against an average opponent, from 0 to 1, with their 95% interval. */
  readonly share: number;
  readonly low: number;
  readonly high: number;
  /** Of the model's requests: its speed and list price, as far as they're known. */
  readonly facts: string;
}

export interface CompareRankingView {
  readonly votes: number;
  readonly rows: readonly RankingRowView[];
}

export interface CompareSnapshot {
  readonly comparisonId: string;
  readonly title: string;
  readonly columns: readonly CompareColumnView[];
  readonly turns: readonly CompareTurnView[];
  readonly replies: readonly CompareReplyView[];
  readonly options: ChatOptions;
  /** From the settings; used where `options` leaves a field open. */
  readonly defaults: ChatOptions;
  readonly order: CompareOrder;
  /** The next question hides who answers it until the vote. */
  readonly isBlind: boolean;
  readonly blindStage: BlindStageView;
  readonly draft: string;
  readonly estimate: CompareEstimate;
  readonly attachments: AttachmentsView;
}

/** Facts, from the host to the page. Those about the composer are the chat's. */
export type ToComparePage =
  | Extract<
      ToPage,
      {
        type:
          | 'replyGrew'
          | 'attachmentsChanged'
          | 'notAdded'
          | 'pictureRead'
          | 'completions'
          | 'composerFocused'
          | 'copied'
          | 'askRefused';
      }
    >
  | { readonly type: 'snapshot'; readonly seq: number; readonly snapshot: CompareSnapshot }
  | { readonly type: 'columnsChanged'; readonly seq: number; readonly columns: readonly CompareColumnView[] }
  /** A new one, or one that went to more columns. */
  | { readonly type: 'turnChanged'; readonly seq: number; readonly turn: CompareTurnView }
  | { readonly type: 'replyShown'; readonly seq: number; readonly reply: CompareReplyView }
  | { readonly type: 'rankingShown'; readonly seq: number; readonly ranking: CompareRankingView }
  | { readonly type: 'estimated'; readonly seq: number; readonly estimate: CompareEstimate }
  | {
      readonly type: 'setupChanged';
      readonly seq: number;
      readonly options: ChatOptions;
      readonly order: CompareOrder;
      readonly isBlind: boolean;
    };

/** What the composer and the text of replies send: the same as in the chat. */
export const composerMessages = [
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
  'copyText',
  'insertCode',
  'compareCode',
  'openCode',
  'openLink',
  'retry',
  'runAction',
] as const;

export type ComposerMessage = Extract<ToHost, { type: (typeof composerMessages)[number] }>;

export const replyActs = ['copy', 'insert', 'compareText', 'continueInChat'] as const;
/** What can be done with a finished reply. */
export type ReplyAct = (typeof replyActs)[number];

/** Intentions, from the page to the host. */
export type ToCompareHost =
  | ComposerMessage
  | { readonly type: 'ready' }
  /** `to`: a follow-up to this column alone. */
  | {
      readonly type: 'compare';
      readonly text: string;
      readonly attachments: readonly string[];
      readonly to?: string;
    }
  /** Sends the last question to a column that hasn't been asked it. */
  | { readonly type: 'askColumn'; readonly columnId: string }
  | { readonly type: 'stopColumn'; readonly columnId: string }
  /** Without a column, adds one. */
  | { readonly type: 'chooseModel'; readonly columnId?: string }
  | { readonly type: 'closeColumn'; readonly columnId: string }
  | { readonly type: 'setBlind'; readonly isBlind: boolean }
  /** The column whose reply is better, or what is said of all. */
  | { readonly type: 'vote'; readonly choice: { readonly columnId: string } | (typeof voteWords)[number] }
  | { readonly type: 'showRanking' }
  | { readonly type: 'openComparison' }
  | { readonly type: 'newComparison' }
  | { readonly type: 'exportComparison' }
  | { readonly type: 'setOrder'; readonly order: CompareOrder }
  | { readonly type: 'actOnReply'; readonly replyId: string; readonly act: ReplyAct };

export type ToComparePageHandlers = {
  readonly [T in ToComparePage['type']]: (message: Extract<ToComparePage, { type: T }>) => void;
};
