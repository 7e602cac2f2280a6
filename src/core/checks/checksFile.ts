import type { PromptOptions } from '../prompts/promptDefinition.ts';
import type { Expectation } from './expectation.ts';
import type { Place } from './locatedYaml.ts';

/** Something about a file of checks that its author should know. */
export interface ChecksRemark extends Place {
  readonly severity: 'error' | 'warning' | 'info';
  readonly message: string;
}

/** Models that a file names: an ID, a pattern with `*`, or the favorites. */
export interface WantedModels extends Place {
  readonly pattern: string;
  /** Names a service that the user added; absent for the one in the settings. */
  readonly service?: string;
}

export interface CheckMessage {
  readonly role: 'system' | 'user' | 'assistant';
  readonly content: string;
}

/** What a case asks the model. */
export type CheckInput =
  /** The prompt's text with these values. */
  | {
      readonly kind: 'prompt';
      /** Relative to the file of checks. Absent for a `template`. */
      readonly promptFile?: string;
      /** Text in which `{{name}}` stands for a value, from a `promptfooconfig.yaml`. */
      readonly template?: string;
      readonly selection?: string;
      /** Relative to the file of checks. */
      readonly file?: string;
      readonly language?: string;
    }
  | { readonly kind: 'messages'; readonly messages: readonly CheckMessage[] };

export interface CheckCase extends Place {
  /** Of all cases of its file, for its tests and its results. Survives moving it, not renaming it. */
  readonly id: string;
  readonly name: string;
  readonly input: CheckInput;
  readonly vars: Readonly<Record<string, string>>;
  readonly expectations: readonly Expectation[];
  /** The weighted share of points that's enough; absent if each expectation must be met. */
  readonly threshold?: number;
  /** Why it can't be run; such a case never passes. */
  readonly notRun?: string;
}

/** A file of checks, as far as it can be read. */
export interface ChecksFile {
  readonly models: readonly WantedModels[];
  /** How often each model gets each case. */
  readonly repeat: number;
  readonly options: PromptOptions;
  readonly cases: readonly CheckCase[];
  readonly remarks: readonly ChecksRemark[];
}

/** In UTF-16 units. */
export const maxChecksSize = 1024 * 1024;
export const maxCases = 2000;
/** That a file of checks refers to. */
export const maxCheckFiles = 500;
export const maxRepeat = 100;
