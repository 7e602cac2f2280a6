import type { ModelRef } from './modelRef.ts';

/** Plain data of the checks page. */

/** `none`: not run yet. `unlisted`: the case isn't sent to this model. */
export type CheckState = 'passed' | 'flaky' | 'failed' | 'undecided' | 'running' | 'none' | 'unlisted';

/** One case with one model. */
export interface CheckCellView {
  readonly state: CheckState;
  readonly passed: number;
  readonly counted: number;
}

export interface CheckRowView {
  readonly id: string;
  readonly name: string;
  /** One for each column, in column order. */
  readonly cells: readonly CheckCellView[];
  /** Why it isn't run. */
  readonly notRun?: string;
}

export interface CheckFileView {
  readonly uri: string;
  readonly name: string;
  readonly rows: readonly CheckRowView[];
}

/** A model. Unknown figures are absent. */
export interface CheckColumnView {
  readonly key: string;
  readonly model: ModelRef;
  readonly passed: number;
  readonly counted: number;
  /** Runs that couldn't be run or judged. */
  readonly undecided: number;
  readonly passesAll: boolean;
  /** Whether each of its cases has passed or failed. */
  readonly isFinished: boolean;
  readonly firstMs?: number;
  readonly totalMs?: number;
  readonly costPerThousand?: number;
  /** Some of the tokens behind the cost were estimated. */
  readonly isEstimate: boolean;
}

export const checksOrders = ['cheapest', 'fastest', 'name'] as const;
export type ChecksOrder = (typeof checksOrders)[number];

export interface ChecksView {
  readonly files: readonly CheckFileView[];
  readonly columns: readonly CheckColumnView[];
  readonly order: ChecksOrder;
  readonly isRunning: boolean;
  /** When the next request to a service that is busy is sent, as Unix time in milliseconds. */
  readonly waitsUntil?: number;
  /** Run All was pressed, and nothing is running yet: lists are being fetched, or the user is asked something. */
  readonly isStarting?: true;
  /** Sum over all results shown, with their judges. */
  readonly cost: number;
  readonly isCostAtLeast: boolean;
  readonly isCostEstimate: boolean;
  /** How often each case is sent: the lowest and the highest number in any file. */
  readonly repeat: readonly [least: number, most: number];
  /** The name of the only file to show, if it no longer exists. */
  readonly gone?: string;
}

export interface ChangedLine {
  readonly text: string;
  readonly isChanged: boolean;
}

/** What one run of a case took. */
export interface CheckRunFigures {
  /** Until the end of the response, measured here. */
  readonly totalMs?: number;
  /** Of the prompt and the reply. */
  readonly tokens?: number;
  /** In currency units, without judges. */
  readonly cost?: number;
  /** The reply's tokens were estimated from its text, and so was the cost. */
  readonly isEstimate?: boolean;
}

/** One run of a cell. */
export interface CheckRunView extends CheckRunFigures {
  readonly state: 'passed' | 'failed' | 'undecided';
  readonly isEstimate: boolean;
  /** What it failed on. `line` is the line of the expectation, from 1. */
  readonly faults: readonly { readonly text: string; readonly line: number }[];
  readonly reply?: string;
  /** Only if an exact text was expected. */
  readonly diff?: { readonly expected: readonly ChangedLine[]; readonly actual: readonly ChangedLine[] };
  /** Absent if nothing was sent. */
  readonly attempt?: string;
}

export interface CheckDetailView {
  readonly uri: string;
  readonly caseId: string;
  readonly key: string;
  readonly file: string;
  readonly name: string;
  readonly model: ModelRef;
  readonly runs: readonly CheckRunView[];
}

export const checksExportForms = ['markdown', 'csv', 'junit', 'promptfoo'] as const;
export type ChecksExportForm = (typeof checksExportForms)[number];
