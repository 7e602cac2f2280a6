import type { FormValues, InputName, MediaInput, MediaKind, MediaParameters, MediaState, TextField } from './media.ts';
import type { Problem, ProblemActionKind } from './problem.ts';

/** One file of a result, as a page draws it. */
export interface OutputView {
  readonly state: 'waiting' | 'downloading' | 'saved' | 'failed';
  /** Address of our own copy that this page may load; set when it is saved. */
  readonly src?: string;
  readonly mediaType?: string;
  readonly sizeBytes?: number;
  /** Bytes so far, and in all where the host of the file says so. */
  readonly receivedBytes?: number;
  readonly totalBytes?: number;
  readonly hasLink: boolean;
  /** Why there is no file here. */
  readonly problem?: Problem;
}

/** One row of a card's details. */
export interface ParameterView {
  readonly name: string;
  readonly value: string;
}

/** A field of a form whose value the service did not take. */
export interface RejectedField {
  readonly field: TextField;
  /** As it stood in the form. */
  readonly value: string;
  /** What is wrong with it. */
  readonly words: string;
}

/** A card of the gallery. Times are Unix times in milliseconds. */
export interface MediaItemView {
  readonly id: string;
  readonly kind: MediaKind;
  readonly state: MediaState;
  /** The prompt; empty when there is none. */
  readonly prompt: string;
  readonly model: string;
  /** `5 s`, `720p` …: what the card says in one line. */
  readonly facts: readonly string[];
  readonly parameters: readonly ParameterView[];
  readonly startedAt: number;
  readonly endedAt?: number;
  /** What this model took lately, in seconds. */
  readonly usualSeconds?: number;
  /** When it is asked for again; set while it waits for that. */
  readonly waitingUntil?: number;
  readonly outputs: readonly OutputView[];
  readonly problem?: Problem;
  readonly isDraft: boolean;
  /** Why it failed, where that was a field. */
  readonly rejected?: RejectedField;
}

export interface FormView {
  readonly kind: MediaKind;
  readonly values: FormValues;
  /** Names, in order. */
  readonly presets: readonly string[];
  /** What the catalog says that the model costs, in its own words. */
  readonly prices?: string;
  /** Name of the document that the image is to be inserted into. */
  readonly insertInto?: string;
  /** To be marked, shown, and changed. */
  readonly rejected?: RejectedField;
  /** What the model does where a field is left empty, in words: `5 s`. */
  readonly defaults?: FieldDefaults;
}

/** By field; those that the model list tells. */
export type FieldDefaults = Readonly<Partial<Record<TextField, string>>>;

export interface MediaSnapshot {
  /** Absent in the gallery. */
  readonly form?: FormView;
  /** Newest first. */
  readonly items: readonly MediaItemView[];
}

/** Facts from the host. A gap in `seq` means that the page has to say `ready` again. */
export type ToMediaPage = { readonly seq: number } & (
  | { readonly type: 'snapshot'; readonly snapshot: MediaSnapshot }
  /** New, where it was not there before. */
  | { readonly type: 'itemChanged'; readonly item: MediaItemView }
  | { readonly type: 'itemRemoved'; readonly id: string; readonly canRestore: boolean }
  | { readonly type: 'formSet'; readonly form: FormView }
  /** The saved presets, where another window changed them. */
  | { readonly type: 'presetsChanged'; readonly names: readonly string[] }
  /** What the model list says of this model. */
  | {
      readonly type: 'modelKnown';
      readonly model: string;
      readonly prices: string;
      readonly defaults: FieldDefaults;
    }
  | { readonly type: 'modelChosen'; readonly model: string }
  | { readonly type: 'inputChosen'; readonly field: InputName; readonly input: MediaInput }
  | { readonly type: 'runAccepted'; readonly id: string }
  | { readonly type: 'runRefused'; readonly problem: Problem }
);

/** What a card's buttons ask for. */
export const itemActs = [
  'stop',
  'open',
  'save',
  'copyLink',
  'insert',
  'runAgain',
  'vary',
  'makeFinal',
  'download',
  'delete',
] as const;
export type ItemAct = (typeof itemActs)[number];

/** Intentions of a page. */
export type ToMediaHost =
  | { readonly type: 'ready' }
  | { readonly type: 'run'; readonly parameters: MediaParameters }
  | { readonly type: 'formChanged'; readonly values: FormValues }
  | { readonly type: 'chooseModel'; readonly current: string }
  | { readonly type: 'chooseInput'; readonly field: InputName }
  | { readonly type: 'savePreset'; readonly values: FormValues }
  | { readonly type: 'usePreset'; readonly name: string }
  | { readonly type: 'deletePreset'; readonly name: string }
  | { readonly type: 'openForm'; readonly kind: MediaKind }
  /** The image is not to be inserted after all. */
  | { readonly type: 'endInsert' }
  | { readonly type: 'act'; readonly id: string; readonly output: number; readonly act: ItemAct }
  | { readonly type: 'restore'; readonly id: string }
  | { readonly type: 'copyText'; readonly text: string }
  | {
      readonly type: 'runAction';
      readonly action: ProblemActionKind;
      /** The run whose card asks; absent where a form does. */
      readonly id?: string;
      /** Of `useModel`: one that a problem offered. */
      readonly model?: string;
    };
