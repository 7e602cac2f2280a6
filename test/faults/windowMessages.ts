import type { FaultPlan } from './faultPlan.ts';
import type { Outcome } from './storeUnderTest.ts';

/** What the suite asks of a window's process. */
export type ToWindow =
  | {
      readonly type: 'open';
      readonly store: string;
      readonly folder: string;
      readonly writer: string;
      readonly plan: FaultPlan;
      readonly seed: number;
    }
  /** Alone: the other window is idle, so nothing competes for time. */
  | { readonly type: 'run'; readonly op: unknown; readonly isAlone: boolean }
  | { readonly type: 'resume'; readonly isAlone: boolean }
  | { readonly type: 'settle' }
  | { readonly type: 'close' }
  | { readonly type: 'look'; readonly store: string; readonly folder: string };

/** What it returns. */
export type FromWindow =
  | { readonly type: 'opened' | 'closed' }
  | { readonly type: 'ready' }
  | { readonly type: 'paused'; readonly call: number }
  | { readonly type: 'ran'; readonly outcome: Outcome; readonly value?: unknown }
  | {
      readonly type: 'settled';
      readonly isSaved: boolean;
      readonly trace: readonly string[];
      readonly reports: readonly string[];
    }
  | { readonly type: 'seen'; readonly seen: unknown; readonly reports: readonly string[] }
  /** An error where none is allowed: an unhandled rejection, or an operation that rejects. */
  | { readonly type: 'broke'; readonly error: string };
