import type { PromptOptions } from '../prompts/promptDefinition.ts';
import type { Expectation } from './expectation.ts';
import type { Place } from './locatedYaml.ts';

/** A remark for the author of a file of checks. */
export interface ChecksRemark extends Place {
  readonly severity: 'error' | 'warning' | 'info';
  readonly message: string;
}

/** The models in a file: an ID, a pattern with `*`, or the favorites. */
export interface WantedModels extends Place {
  readonly pattern: string;
  /** Identifies a service that the user added; absent for the one in the settings. */
  readonly service?: string;
}

export interface CheckMessage {
  readonly role: 'system' | 'user' | 'assistant';
  readonly content: string;
}

/** The question of a case. */
export type CheckInput =
  /** The prompt's text with these values. */
  | {
      readonly kind: 'prompt';
      /** Relative to the file of checks. Absent for a `template`. */
      readonly promptFile?: string;
      /** Text from a `promptfooconfig.yaml` in which `{{name}}` stands for a value. */
      readonly template?: string;
      readonly selection?: string;
      /** Relative to the file of checks. */
      readonly file?: string;
      readonly language?: string;
    }
  | { readonly kind: 'messages'; readonly messages: readonly CheckMessage[] };

export interface CheckCase extends Place {
  /** Unique in its file; identifies its test and its results. Moving the case keeps it, renaming doesn't. */
  readonly id: string;
  readonly name: string;
  readonly input: CheckInput;
  readonly vars: Readonly<Record<string, string>>;
  readonly expectations: readonly Expectation[];
  /** The weighted share of points that's enough; absent if every expectation must be met. */
  readonly threshold?: number;
  /** Its own parameters, which win over those of the file. */
  readonly options?: PromptOptions;
  /** Why it can't be run. Such a case never passes. */
  readonly notRun?: string;
  /** Where it names these files, if it does. */
  readonly named?: { readonly promptFile?: Place; readonly file?: Place };
}

/** A file of checks, as far as it's readable. */
export interface ChecksFile {
  readonly models: readonly WantedModels[];
  /** How often each case is sent to each model. */
  readonly repeat: number;
  readonly options: PromptOptions;
  readonly cases: readonly CheckCase[];
  readonly remarks: readonly ChecksRemark[];
}

/** In UTF-16 units. */
export const maxChecksSize = 1024 * 1024;
/** What's sent for a case, or expected once, with its variables filled in; in UTF-16 units. */
export const maxFilled = 4 * 1024 * 1024;
/** What's sent for all cases of a file, in UTF-16 units. */
export const maxSent = 64 * 1024 * 1024;
export const maxCases = 2000;
/** In promptfoo's files, each test is a case for each prompt. */
export const maxPromptedCases = 10_000;
export const maxModels = 500;
/** The files that a file of checks refers to. */
export const maxCheckFiles = 500;
export const maxRepeat = 100;
