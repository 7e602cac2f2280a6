import type { Bounds } from './numberKinds.ts';

/** What each request of a measurement asks. */
export const workloads = ['shortQuestion', 'longInput', 'longOutput', 'ownText', 'promptFile', 'request'] as const;
export type Workload = (typeof workloads)[number];
/** Those whose messages come from somewhere else. */
export const takenWorkloads = ['promptFile', 'request'] as const satisfies readonly Workload[];
export type TakenWorkload = (typeof takenWorkloads)[number];

export const measureOrders = ['oneAfterAnother', 'interleaved', 'allAtOnce'] as const;
export type MeasureOrder = (typeof measureOrders)[number];

/** What is typed into the form, and what each number must be. `concurrency` is a list of such numbers. */
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
  readonly id: string;
  /** Names a service that the user added; absent for the one in the settings. */
  readonly service?: string;
}

/** The form as it was filled in, valid or not. */
export interface MeasureForm {
  readonly models: readonly ModelChoice[];
  readonly workload: Workload;
  readonly ownText: string;
  /** Starts each request with text that no other has. */
  readonly usesUniquePrefix: boolean;
  readonly order: MeasureOrder;
  readonly fields: Readonly<Record<MeasureField, string>>;
}

/** Longest text that the form takes, in UTF-16 units. */
export const longestOwnText = 1024 * 1024;

/** What's wrong with the form, in words. */
export interface MeasureFault {
  /** What it's about. */
  readonly at: MeasureField | 'models' | 'prompt';
  readonly text: string;
}

/** What a run would send. Absent figures can't be told beforehand. */
export interface MeasureEstimate {
  readonly requests: number;
  /** Of prompts and replies together, for replies as long as they can get or usually are. */
  readonly tokens: number;
  /** Currency units. */
  readonly cost: number;
  readonly isCostAtLeast: boolean;
}

/** How figures are spread. Milliseconds, or tokens per second. */
export interface SpreadView {
  readonly count: number;
  readonly median: number;
  readonly p90: number;
  readonly p95: number;
  readonly p99: number;
  readonly iqr: number;
  /** 95% interval of the median, from 5 figures on. */
  readonly interval?: { readonly low: number; readonly high: number };
}

export const spreadNames = ['firstMs', 'tokensPerSecond', 'endToEndMs', 'perTokenMs', 'gapMs'] as const;
export type SpreadName = (typeof spreadNames)[number];
/** Those that each request has one of, so that it can be a dot. */
export const dotNames = ['firstMs', 'tokensPerSecond', 'endToEndMs'] as const satisfies readonly SpreadName[];
export type DotName = (typeof dotNames)[number];

/** One request of a chart. */
export type DotView = {
  /** Of the experiment; the request history has it too. */
  readonly attempt: string;
  /** Why there are no figures, or not all: in words. */
  readonly failure?: string;
} & { readonly [Name in DotName]?: number };

/** What the service says of the same replies: medians, in milliseconds and tokens per second. */
export interface ServiceSays {
  readonly firstMs?: number;
  readonly endToEndMs?: number;
  readonly tokensPerSecond?: number;
  /** One of them is further from what was measured than the network explains. */
  readonly isOff: boolean;
}

/** One model at one load. */
export interface MeasuredGroup {
  /** Its place in `models`. */
  readonly model: number;
  /** Requests at once. */
  readonly load: number;
  readonly done: number;
  readonly incomplete: number;
  readonly stopped: number;
  readonly failed: number;
  /** Titles of what went wrong, with how often. */
  readonly failures: readonly { readonly title: string; readonly count: number }[];
  readonly spreads: { readonly [Name in SpreadName]?: SpreadView };
  readonly requestsPerSecond?: number;
  readonly overallTokensPerSecond?: number;
  readonly goodRequestsPerSecond?: number;
  /** Currency units for 1,000 requests like these. */
  readonly costPer1000?: number;
  /** Some tokens were counted from the text. */
  readonly isEstimate: boolean;
  readonly service?: ServiceSays;
  readonly dots: readonly DotView[];
}

/** A run as it stands, finished or not. Times are Unix times in milliseconds. */
export interface MeasuredResult {
  readonly id: string;
  readonly at: number;
  readonly endedAt?: number;
  /** Of the service. */
  readonly host?: string;
  readonly models: readonly ModelChoice[];
  readonly loads: readonly number[];
  readonly repeats: number;
  readonly workload: Workload;
  /** Of a prompt file or request. */
  readonly promptName?: string;
  /** Medians; absent where unknown. */
  readonly promptTokens?: number;
  readonly maxTokens?: number;
  readonly hasTarget: boolean;
  readonly order: MeasureOrder;
  /** Measured requests that have ended, warm-ups left out, and how many were planned. */
  readonly ended: number;
  readonly planned: number;
  /** Requests that weren't sent and can still be. */
  readonly open: number;
  readonly mightBeCharged: number;
  /** Currency units, warm-ups included. */
  readonly cost: number;
  readonly isCostAtLeast: boolean;
  /** How it ended, where that needs saying: in words. */
  readonly notes: readonly string[];
  /** Milliseconds that events waited here; set where that spoils the figures. */
  readonly heldUpMs?: number;
  readonly groups: readonly MeasuredGroup[];
}

/** What has become of one figure since a former run. Changes are shares: 0.38 for 38% more. */
export interface ChangeVerdict {
  readonly kind: 'slower' | 'faster' | 'unclear' | 'tooFew';
  readonly change: number;
}

export interface ComparedModel {
  /** Its place in the models of today's run, and of the former. */
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
