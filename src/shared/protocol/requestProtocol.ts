import type { ModelRef } from '../modelRef.ts';
import type { ReplyMetrics } from '../chat.ts';
import type { Problem } from '../problem.ts';

/** `unknown`: its window was closed before the request ended. */
export type RequestPageState = 'running' | 'done' | 'incomplete' | 'stopped' | 'failed' | 'unknown';

/** The parts of a message. */
export interface SentTurn {
  readonly role: 'system' | 'user' | 'assistant' | 'tool';
  readonly words: string;
  /** The attachments, each under its heading: `Selection: tasks.ts, lines 6-12`. */
  readonly pieces: readonly { readonly heading: string; readonly text: string }[];
  readonly pictures: number;
}

export interface NamedValue {
  readonly name: string;
  readonly value: string;
}

export const requestActs = [
  'stop',
  'runAgain',
  'runWithModel',
  'copyAsCode',
  'compare',
  'openConversation',
  'showRequestJson',
  'showJson',
  'openContentSetting',
] as const;
/** What a page's buttons can ask for. */
export type RequestAct = (typeof requestActs)[number];

/** A request as a page draws it. */
export interface RequestView {
  readonly id: string;
  /** The model, or the operation if there's none. */
  readonly name: string;
  /** Unix time in milliseconds. */
  readonly at: number;
  /** Where it was sent, as far as known. */
  readonly host?: string;
  readonly state: RequestPageState;
  /** The outcome, in words: `succeeded (200)`. */
  readonly ending: string;
  /** As the service sent it. */
  readonly finishReason?: string;
  readonly metrics: ReplyMetrics;
  /** In words, at list price. */
  readonly cost?: string;
  /** The same as a number, for comparisons. */
  readonly costValue?: number;
  /** How fast that is for this model, in a sentence. */
  readonly usual?: string;
  /** Why there's no reply to show, in a sentence. */
  readonly note?: string;
  readonly isContentOff: boolean;
  readonly system?: SentTurn;
  readonly earlier: readonly SentTurn[];
  readonly question?: SentTurn;
  readonly reply: { readonly text: string; readonly reasoning: string; readonly calls: readonly NamedValue[] };
  readonly parameters: readonly NamedValue[];
  readonly service: readonly NamedValue[];
  readonly requestId?: string;
  readonly problem?: Problem;
  readonly acts: readonly RequestAct[];
}

export type RequestToPage =
  | { readonly type: 'request'; readonly request: RequestView }
  | { readonly type: 'comparison'; readonly left: RequestView; readonly right: RequestView }
  /** It was deleted while the page was open. */
  | { readonly type: 'gone' }
  | { readonly type: 'copied' };

/** What a page's code blocks can ask for. */
export type CodeToHost =
  | { readonly type: 'copyText'; readonly text: string }
  | { readonly type: 'insertCode'; readonly text: string }
  | { readonly type: 'compareCode'; readonly text: string }
  | { readonly type: 'openCode'; readonly text: string; readonly language: string }
  | { readonly type: 'openLink'; readonly href: string };

export type RequestToHost =
  | { readonly type: 'ready' }
  | { readonly type: 'act'; readonly id: string; readonly act: RequestAct }
  | { readonly type: 'swap' }
  | { readonly type: 'showDifferences' }
  | {
      readonly type: 'runAction';
      readonly id: string;
      readonly action: Problem['actions'][number]['kind'];
      readonly model?: ModelRef;
    }
  | CodeToHost;
