import type { FormValues, InputName, MediaInput, MediaKind, MediaParameters, MediaState, TextField } from '../media.ts';
import type { ModelRef } from '../modelRef.ts';
import type { Problem, ProblemActionKind } from '../problem.ts';

/** One file of a result, as a page draws it. */
export interface OutputView {
  readonly state: 'waiting' | 'downloading' | 'saved' | 'failed';
  /** URL of our own copy that this page may load; set once the copy is saved. */
  readonly src?: string;
  readonly mediaType?: string;
  readonly sizeBytes?: number;
  /** Bytes so far, and in total if the file's host reports it. */
  readonly receivedBytes?: number;
  readonly totalBytes?: number;
  readonly hasLink: boolean;
  /** Why there's no file. */
  readonly problem?: Problem;
}

/** One row of a card's details. */
export interface ParameterView {
  readonly name: string;
  readonly value: string;
}

/** A form field whose value the service rejected. */
export interface RejectedField {
  readonly field: TextField;
  /** Its value in the form. */
  readonly value: string;
  /** What's wrong with it. */
  readonly words: string;
}

/** A card of the gallery. Times are Unix times in milliseconds. */
export interface MediaItemView {
  readonly id: string;
  readonly kind: MediaKind;
  readonly state: MediaState;
  /** The prompt; empty without one. */
  readonly prompt: string;
  readonly model: ModelRef;
  /** `5 s`, `720p` …: the settings in one line, for the card. */
  readonly facts: readonly string[];
  readonly parameters: readonly ParameterView[];
  readonly startedAt: number;
  readonly endedAt?: number;
  /** How long this model took recently, in seconds. */
  readonly usualSeconds?: number;
  /** When the next attempt starts; set while waiting for it. */
  readonly waitingUntil?: number;
  readonly outputs: readonly OutputView[];
  readonly problem?: Problem;
  readonly isDraft: boolean;
  /** Set if it failed because of a field. */
  readonly rejected?: RejectedField;
}

export interface FormView {
  readonly kind: MediaKind;
  readonly values: FormValues;
  /** Names, sorted. */
  readonly presets: readonly string[];
  /** What the model costs according to the model list, in words. */
  readonly prices?: string;
  /** That the model's service is known not to support this. */
  readonly lack?: string;
  /** Name of the document that the image will be inserted into. */
  readonly insertInto?: string;
  /** A field to mark, scroll to, and change. */
  readonly rejected?: RejectedField;
  /** What was in the form before, if these values replace that. */
  readonly replaced?: FormValues;
  /** What the model uses for a field that is left empty, in words: `5 s`. */
  readonly defaults?: FieldDefaults;
}

/** By field, as far as the model list has them. */
export type FieldDefaults = Readonly<Partial<Record<TextField, string>>>;

export interface MediaSnapshot {
  /** Absent in the gallery. */
  readonly form?: FormView;
  /** Newest first. */
  readonly items: readonly MediaItemView[];
}

/** Facts from the host. After a gap in `seq` the page has to send `ready` again. */
export type ToMediaPage = { readonly seq: number } & (
  | { readonly type: 'snapshot'; readonly snapshot: MediaSnapshot }
  /** Adds the card if it's new. */
  | { readonly type: 'itemChanged'; readonly item: MediaItemView }
  | { readonly type: 'itemRemoved'; readonly id: string; readonly canRestore: boolean }
  | { readonly type: 'formSet'; readonly form: FormView }
  /** The user opened the form. Without it, a page that loads takes no focus: the user might be typing elsewhere. */
  | { readonly type: 'formFocused' }
  /** Name of the document that the next image will be inserted into; absent if it won't be inserted. */
  | { readonly type: 'placeChanged'; readonly insertInto?: string }
  /** The saved presets, after another window changed them. */
  | { readonly type: 'presetsChanged'; readonly names: readonly string[] }
  /** What is known about the model that this text in the form names. */
  | {
      readonly type: 'modelKnown';
      readonly text: string;
      readonly prices?: string;
      readonly lack?: string;
      readonly defaults: FieldDefaults;
    }
  /** Selected by the user. If it's the only one, it's filled in automatically, but only into an empty field. */
  | { readonly type: 'modelChosen'; readonly text: string; readonly isOnlyOne?: true }
  | { readonly type: 'inputChosen'; readonly field: InputName; readonly input: MediaInput }
  | { readonly type: 'runAccepted'; readonly id: string }
  | { readonly type: 'runRefused'; readonly problem: Problem }
);

/** What a card's buttons can ask for. */
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

/** Intentions from a page. */
export type ToMediaHost =
  | { readonly type: 'ready' }
  /** The model is named as in the form. */
  | { readonly type: 'run'; readonly parameters: MediaParameters }
  | { readonly type: 'formChanged'; readonly values: FormValues }
  | { readonly type: 'chooseModel'; readonly current: string }
  | { readonly type: 'chooseInput'; readonly field: InputName }
  | { readonly type: 'savePreset'; readonly values: FormValues }
  | { readonly type: 'usePreset'; readonly name: string }
  | { readonly type: 'deletePreset'; readonly name: string }
  | { readonly type: 'openForm'; readonly kind: MediaKind }
  /** The image won't be inserted after all. */
  | { readonly type: 'endInsert' }
  | { readonly type: 'act'; readonly id: string; readonly output: number; readonly act: ItemAct }
  | { readonly type: 'restore'; readonly id: string }
  | { readonly type: 'copyText'; readonly text: string }
  | {
      readonly type: 'runAction';
      readonly action: ProblemActionKind;
      /** The run of the card that asks; absent if a form asks. */
      readonly id?: string;
      /** For `useModel`: one that a problem offered. */
      readonly model?: ModelRef;
    };
