import type { Bounds } from './numberKinds.ts';
import type { ModelRef } from './modelRef.ts';

/** The question of each request of a measurement. */
export const workloads = ['shortQuestion', 'longInput', 'longOutput', 'ownText', 'promptFile', 'request'] as const;
export type Workload = (typeof workloads)[number];
/** The workloads whose messages come from elsewhere. */
export const takenWorkloads = ['promptFile', 'request'] as const satisfies readonly Workload[];
export type TakenWorkload = (typeof takenWorkloads)[number];

export const measureOrders = ['oneAfterAnother', 'interleaved', 'allAtOnce'] as const;
export type MeasureOrder = (typeof measureOrders)[number];

/** The text fields of the form, and what each number must be. `concurrency` is a list of such numbers. */
export const measureFields = {
  repeats: { integer: true, min: 1, max: 10_000 },
  warmUp: { integer: true, min: 0, max: 1000 },
  concurrency: { integer: true, min: 1, max: 256 },
  maxTokens: { integer: true, min: 1 },
  goodFirstSeconds: { above: 0 },
  goodPerTokenMs: { above: 0 },
  goodTotalSeconds: { above: 0 },
  limitRequests: { integer: true, min: 1 },
  limitTokens: { integer: true, min: 1 },
  limitCost: { above: 0 },
  limitMinutes: { above: 0 },
} as const satisfies Readonly<Record<string, Bounds>>;
export type MeasureField = keyof typeof measureFields;

export interface ModelChoice {
  readonly id: ModelRef;
}

/** The form as it's filled in, valid or not. */
export interface MeasureForm {
  readonly models: readonly ModelChoice[];
  readonly workload: Workload;
  readonly ownText: string;
  /** Starts each request with unique text. */
  readonly usesUniquePrefix: boolean;
  readonly order: MeasureOrder;
  readonly fields: Readonly<Record<MeasureField, string>>;
}

/** Maximum length of a text in the form, in UTF-16 units. */
export const longestOwnText = 1024 * 1024;

/** What's wrong with the form, in words. */
export interface MeasureFault {
  /** The field or limit it's about. */
  readonly at: MeasureField | 'models' | 'prompt';
  readonly text: string;
}

/** What a run would send. Figures that can't be known in advance are absent. */
export interface MeasureEstimate {
  readonly requests: number;
  /** Tokens of prompts and replies together, for replies of the maximum and of the usual length. */
  readonly tokens: number;
  /** In currency units. */
  readonly cost: number;
  readonly isCostAtLeast: boolean;
}

/** The spread of a figure, in milliseconds or tokens per second. */
export interface SpreadView {
  readonly count: number;
  readonly median: number;
  readonly p90: number;
  readonly p95: number;
  readonly p99: number;
  /** Interquartile range: the distance between the first and third quartiles. */
  readonly iqr: number;
  /** 95% interval of the median, for 5 figures or more. */
  readonly interval?: { readonly low: number; readonly high: number };
}

export const spreadNames = ['firstMs', 'tokensPerSecond', 'endToEndMs', 'perTokenMs', 'gapMs'] as const;
export type SpreadName = (typeof spreadNames)[number];
/** The figures that every request has, so that each request can be drawn as a dot. */
export const dotNames = ['firstMs', 'tokensPerSecond', 'endToEndMs'] as const satisfies readonly SpreadName[];
export type DotName = (typeof dotNames)[number];

/** One request in a chart. */
export type DotView = {
  /** ID in the experiment and in the request history. */
  readonly attempt: string;
  /** Why some or all figures are missing, in words. */
  readonly failure?: string;
} & { readonly [Name in DotName]?: number };

/** What the service reports about the same replies: medians, in milliseconds and tokens per second. */
export interface ServiceSays {
  readonly firstMs?: number;
  readonly endToEndMs?: number;
  readonly tokensPerSecond?: number;
  /** One of them differs from the measured value by more than the network explains. */
  readonly isOff: boolean;
}

/** One model at one level of concurrency. */
export interface MeasuredGroup {
  /** Index in `models`. */
  readonly model: number;
  /** Number of requests at once. */
  readonly load: number;
  readonly done: number;
  readonly incomplete: number;
  readonly stopped: number;
  readonly failed: number;
  /** Error titles, with how often each occurred. */
  readonly failures: readonly { readonly title: string; readonly count: number }[];
  readonly spreads: { readonly [Name in SpreadName]?: SpreadView };
  readonly requestsPerSecond?: number;
  readonly overallTokensPerSecond?: number;
  readonly goodRequestsPerSecond?: number;
  /** Currency units per 1,000 requests like these. */
  readonly costPer1000?: number;
  /** Some tokens were estimated from the text. */
  readonly isEstimate: boolean;
  readonly service?: ServiceSays;
  readonly dots: readonly DotView[];
}

/** The current state of a run, finished or not. Times are Unix times in milliseconds. */
export interface MeasuredResult {
  readonly id: string;
  readonly at: number;
  readonly endedAt?: number;
  /** How long its runs took together, without the time between them. Absent while it's running. */
  readonly tookMs?: number;
  /** Name of the service. */
  readonly host?: string;
  readonly models: readonly ModelChoice[];
  readonly loads: readonly number[];
  readonly repeats: number;
  readonly workload: Workload;
  /** Name of the prompt file or request. */
  readonly promptName?: string;
  /** Medians; absent if unknown. */
  readonly promptTokens?: number;
  readonly maxTokens?: number;
  readonly hasTarget: boolean;
  readonly order: MeasureOrder;
  /** Measured requests that have ended, without warm-ups, and how many were planned. */
  readonly ended: number;
  readonly planned: number;
  /** Requests that weren't sent and still can be. */
  readonly open: number;
  readonly mightBeCharged: number;
  /** Currency units, including warm-ups. */
  readonly cost: number;
  readonly isCostAtLeast: boolean;
  /** Some of the tokens behind the cost were estimated from the text. */
  readonly isCostEstimate: boolean;
  /** How it ended, in words, if that needs saying. */
  readonly notes: readonly string[];
  /** How long events waited here, in milliseconds (p95 of the worst load); set if that makes the figures unreliable. */
  readonly heldUpMs?: number;
  readonly groups: readonly MeasuredGroup[];
}

/** The change of one figure since an earlier run. Changes are shares: 0.38 for 38% more. */
export interface ChangeVerdict {
  readonly kind: 'slower' | 'faster' | 'unclear' | 'tooFew';
  readonly change: number;
}

export interface ComparedModel {
  /** Index in the models of this run, and of the earlier one. */
  readonly model: number;
  readonly former: number;
  readonly load: number;
  readonly verdicts: { readonly [Name in DotName]?: ChangeVerdict };
}

export interface MeasuredComparison {
  readonly former: MeasuredResult;
  /** Why they can't be compared, in words. */
  readonly notComparable?: string;
  readonly models: readonly ComparedModel[];
}
