import type { ModelRef, WireModel } from './modelRef.ts';
import { keysOf } from './mapTable.ts';
import type { NumberKind } from './numberKinds.ts';

/** Maximum number of characters in a form field. Longer input is reported as an error in that field. */
export const longestPrompt = 100_000;
export const longestWord = 256;
/** A `data:` URL that was typed. Files are stored separately and can be larger. */
export const longestAddress = 1024 * 1024;

/** A file that guides a generation. */
export type MediaInput =
  /** `https:`, `http:`, or `data:`, sent unchanged. */
  | { readonly kind: 'address'; readonly url: string }
  /** A copy of a local file, which Parlance keeps under `id`; sent as a `data:` URL. */
  | {
      readonly kind: 'file';
      readonly id: string;
      readonly name: string;
      readonly mediaType: string;
      readonly sizeBytes: number;
    };

/** What a user can set for one kind of media: a field of the form, and its name in a request. */
export type MediaField =
  /** Text of several lines. */
  | { readonly type: 'prompt'; readonly wire: string; readonly isNeeded: boolean }
  | { readonly type: 'word'; readonly wire: string; readonly suggestions: readonly string[] }
  | {
      readonly type: 'number';
      readonly wire: string;
      readonly kind: NumberKind;
      readonly suggestions: readonly string[];
    }
  /** In pixels, as `width` and `height`. */
  | { readonly type: 'size'; readonly suggestions: readonly string[] }
  | { readonly type: 'input'; readonly wire: string }
  /** `isOnByDefault`: what the service does if nothing is sent. */
  | { readonly type: 'choice'; readonly wire: string; readonly isOnByDefault: boolean };

/**
 * What Parlance generates and keeps in the Media view, and what a user can set for it besides the model, in the order
 * of the form. Everything else is derived from this table: what is stored on disk, the form, the card, and what is
 * sent. A field that isn't set isn't sent.
 */
export const mediaFields = {
  video: {
    prompt: { type: 'prompt', wire: 'prompt', isNeeded: false },
    // In seconds. The service ignores it if an audio file is given.
    duration: { type: 'number', wire: 'duration', kind: 'count', suggestions: ['5', '8', '10', '15'] },
    resolution: { type: 'word', wire: 'resolution', suggestions: ['480p', '720p', '1080p'] },
    fps: { type: 'number', wire: 'fps', kind: 'count', suggestions: ['24', '25', '30', '60'] },
    // The service ignores it if an image is given.
    aspectRatio: { type: 'word', wire: 'aspect_ratio', suggestions: ['16:9', '9:16', '1:1', '4:3', '21:9'] },
    image: { type: 'input', wire: 'image' },
    audio: { type: 'input', wire: 'audio' },
    draft: { type: 'choice', wire: 'draft', isOnByDefault: false },
    saveAudio: { type: 'choice', wire: 'save_audio', isOnByDefault: true },
    promptUpsampling: { type: 'choice', wire: 'prompt_upsampling', isOnByDefault: true },
  },
  image: {
    prompt: { type: 'prompt', wire: 'positive_prompt', isNeeded: true },
    size: { type: 'size', suggestions: ['512x512', '1024x1024', '1024x768', '768x1024'] },
    format: { type: 'word', wire: 'output_format', suggestions: ['png', 'jpeg', 'webp'] },
    steps: { type: 'number', wire: 'steps', kind: 'count', suggestions: ['20', '30', '50'] },
    cfg: { type: 'number', wire: 'cfg', kind: 'fromZero', suggestions: ['5', '7', '9'] },
    seed: { type: 'number', wire: 'seed', kind: 'whole', suggestions: [] },
  },
} as const satisfies Readonly<Record<string, Readonly<Record<string, MediaField>>>>;

type Table = typeof mediaFields;
export type MediaKind = keyof Table;
export const mediaKinds = keysOf(mediaFields);

/** Start of the media type of the results. */
export const madeTypes = { video: 'video', image: 'image' } as const satisfies Readonly<Record<MediaKind, string>>;
export type MadeType = (typeof madeTypes)[MediaKind];

export function madeTypeOf(mediaType = ''): MadeType | undefined {
  return Object.values(madeTypes).find((type) => mediaType.startsWith(`${type}/`));
}

type RowsOf<K extends MediaKind> = K extends MediaKind
  ? { readonly [N in keyof Table[K]]: { readonly name: N } & Table[K][N] }[keyof Table[K]]
  : never;
/** A field with its name. */
export type FieldRow = RowsOf<MediaKind>;
export type FieldName = FieldRow['name'];
export type InputName = Extract<FieldRow, { readonly type: 'input' }>['name'];
/** The form fields that are text in the page, including choices. */
export type TextField = Exclude<FieldName, InputName> | 'model';

/** The fields of one kind, in the order of the form. */
export function fieldsOf(kind: MediaKind): readonly FieldRow[] {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- TypeScript loses which field a name has
  return Object.entries(mediaFields[kind]).map(([name, field]) => ({ name, ...field })) as FieldRow[];
}

/** The fields in the summary on a card, in this order. */
export const cardFields: Readonly<Record<MediaKind, readonly FieldName[]>> = {
  video: ['draft', 'duration', 'resolution', 'aspectRatio', 'fps'],
  image: ['size', 'steps', 'seed'],
};

/** The fields of all kinds. */
export const inputFields = [
  ...new Set(mediaKinds.flatMap(fieldsOf).flatMap((row) => (row.type === 'input' ? [row.name] : []))),
];
export const textFields: readonly TextField[] = [
  'model',
  ...new Set(mediaKinds.flatMap(fieldsOf).flatMap((row) => (row.type === 'input' ? [] : [row.name]))),
];

type Sent<F> = F extends { readonly type: 'number' }
  ? number
  : F extends { readonly type: 'choice' }
    ? boolean
    : string;
type Kept<F> = F extends { readonly type: 'input' } ? MediaInput : Sent<F>;
interface Pixels {
  readonly width?: number;
  readonly height?: number;
}
type PixelsOf<K extends MediaKind> = 'size' extends keyof Table[K] ? Pixels : unknown;
type Needed = { readonly isNeeded: true };
type Size = { readonly type: 'size' };

type Parameters<K extends MediaKind> = { readonly kind: K; readonly model: ModelRef } & {
  readonly [N in keyof Table[K] as Table[K][N] extends Needed ? N : never]: Kept<Table[K][N]>;
} & {
  readonly [N in keyof Table[K] as Table[K][N] extends Needed | Size ? never : N]?: Kept<Table[K][N]>;
} & PixelsOf<K>;

/** What a user set for one run. Absent fields aren't sent. */
export type MediaParameters = { readonly [K in MediaKind]: Parameters<K> }[MediaKind];
export type ParametersOf<K extends MediaKind> = Extract<MediaParameters, { readonly kind: K }>;

type Wire<F> = F extends { readonly wire: infer W extends string } ? W : never;
type Body<F> = F extends { readonly type: 'input' } ? string | null : Sent<F>;

/** Body of a generation request. Absent fields aren't sent. An input that is null is sent. */
export type MediaBody<K extends MediaKind> = { readonly model: WireModel } & {
  readonly [N in keyof Table[K] as Table[K][N] extends Needed ? Wire<Table[K][N]> : never]: Body<Table[K][N]>;
} & {
  readonly [N in keyof Table[K] as Table[K][N] extends Needed ? never : Wire<Table[K][N]>]?: Body<Table[K][N]>;
} & PixelsOf<K>;

export type FieldValue = string | number | boolean | MediaInput;

/** What was set, in the order of the form, with sizes as `1024x768`. */
export function setFields(
  parameters: MediaParameters,
): readonly { readonly row: FieldRow; readonly value: FieldValue }[] {
  const { width, height, ...rest }: { readonly [N in FieldName]?: FieldValue } & Pixels = parameters;
  const values = { ...rest, ...(width !== undefined && height !== undefined && { size: `${width}x${height}` }) };
  return fieldsOf(parameters.kind).flatMap((row) => {
    const value = values[row.name];
    return value === undefined ? [] : [{ row, value }];
  });
}

/** A form as it is now, including unfinished values. */
export interface FormValues {
  readonly texts: Readonly<Partial<Record<TextField, string>>>;
  /** URL fields hold text until a file is selected. */
  readonly inputs: Readonly<Partial<Record<InputName, MediaInput>>>;
}

/**
 * `unknown`: nobody knows how it ended, and it might have been generated and charged. `elsewhere`: another window is
 * waiting for it.
 */
export type MediaState = 'running' | 'elsewhere' | 'done' | 'stopped' | 'failed' | 'unknown';
