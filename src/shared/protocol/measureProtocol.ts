import type { ModelRef } from '../modelRef.ts';
import type {
  MeasuredComparison,
  MeasuredResult,
  MeasureEstimate,
  MeasureFault,
  MeasureForm,
  TakenWorkload,
} from '../measuring.ts';
import type { Problem, ProblemActionKind } from '../problem.ts';

export interface MeasurePlanView {
  /** Absent while the form has faults. */
  readonly estimate?: MeasureEstimate;
  readonly faults: readonly MeasureFault[];
  /** The names of the prompt file and the request that were selected. */
  readonly taken: { readonly [Kind in TakenWorkload]?: string };
  /** Running it would pass the daily budget. */
  readonly isOverBudget: boolean;
}

/** What a run is doing. Unix times in milliseconds. */
export interface MeasureProgress {
  readonly ended: number;
  readonly planned: number;
  /** What was sent last. */
  readonly model: ModelRef;
  readonly load: number;
  readonly isWarmUp: boolean;
  readonly startedAt: number;
  readonly millisecondsLeft?: number;
  readonly cost: number;
  readonly isCostAtLeast: boolean;
  readonly isCostEstimate: boolean;
  readonly failed: number;
  /** The service asked to wait. */
  readonly pausedUntil?: number;
}

/** An earlier run, as the lists name it. */
export interface FormerRun {
  readonly id: string;
  readonly at: number;
  readonly models: readonly string[];
}

export interface MeasureSnapshot {
  readonly form: MeasureForm;
  readonly plan: MeasurePlanView;
  /** Set while this window runs it. */
  readonly progress?: MeasureProgress;
  readonly result?: MeasuredResult;
  readonly comparison?: MeasuredComparison;
  /** Newest first, including the one that is shown. */
  readonly runs: readonly FormerRun[];
}

/** Facts from the host. A gap in `seq` means that the page has to say `ready` again. */
export type ToMeasurePage = { readonly seq: number } & (
  | { readonly type: 'snapshot'; readonly snapshot: MeasureSnapshot }
  | { readonly type: 'formSet'; readonly form: MeasureForm }
  | { readonly type: 'planned'; readonly plan: MeasurePlanView }
  | { readonly type: 'progressed'; readonly progress: MeasureProgress; readonly result: MeasuredResult | undefined }
  | {
      readonly type: 'resultShown';
      readonly result: MeasuredResult;
      readonly comparison: MeasuredComparison | undefined;
      readonly runs: readonly FormerRun[];
      /** It has just ended. */
      readonly isNew: boolean;
    }
  /** The requested run wasn't started. Without a problem, the user canceled it. */
  | { readonly type: 'notStarted'; readonly problem: Problem | undefined }
);

export const measureFormats = ['csv', 'json', 'markdown'] as const;
export type MeasureFormat = (typeof measureFormats)[number];

/** Intentions of a page. */
export type ToMeasureHost =
  | { readonly type: 'ready' }
  | { readonly type: 'formChanged'; readonly form: MeasureForm }
  | { readonly type: 'addModel' }
  | { readonly type: 'takePrompt'; readonly from: TakenWorkload }
  | { readonly type: 'usePreset' }
  | { readonly type: 'run'; readonly form: MeasureForm }
  | { readonly type: 'stop' }
  | { readonly type: 'resume'; readonly id: string }
  | { readonly type: 'showRun'; readonly id: string }
  /** Empty for none. */
  | { readonly type: 'compareWith'; readonly id: string }
  | { readonly type: 'deleteRun'; readonly id: string }
  | { readonly type: 'exportRun'; readonly id: string; readonly format: MeasureFormat }
  | { readonly type: 'openRequest'; readonly attempt: string }
  | { readonly type: 'saveSvg'; readonly name: string; readonly text: string }
  | { readonly type: 'savePng'; readonly name: string; readonly bytes: Uint8Array }
  /** The service is the one that the problem is about. */
  | { readonly type: 'runAction'; readonly action: ProblemActionKind; readonly service?: string }
  | { readonly type: 'copyText'; readonly text: string };
