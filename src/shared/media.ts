/** What Parlance makes and keeps in its gallery. */
export type MediaKind = 'video' | 'image';

/** What a form may hold, in characters: more is said to be wrong there. */
export const longestPrompt = 100_000;
export const longestWord = 256;
/** A `data:` address that was typed; files are kept apart and may be larger. */
export const longestAddress = 1024 * 1024;

/** A file that guides a generation. */
export type MediaInput =
  /** `https:`, `http:` or `data:`, sent as it is. */
  | { readonly kind: 'address'; readonly url: string }
  /** A copy of a file of this machine, kept by Parlance under `id`; sent as a `data:` URL. */
  | {
      readonly kind: 'file';
      readonly id: string;
      readonly name: string;
      readonly mediaType: string;
      readonly sizeBytes: number;
    };

/** What a person set for a video. Absent fields are not sent. */
export interface VideoParameters {
  readonly kind: 'video';
  readonly model: string;
  readonly prompt?: string;
  /** Seconds. */
  readonly duration?: number;
  readonly resolution?: string;
  readonly fps?: number;
  readonly aspectRatio?: string;
  readonly image?: MediaInput;
  readonly audio?: MediaInput;
  readonly draft?: boolean;
  readonly saveAudio?: boolean;
  readonly promptUpsampling?: boolean;
}

/** What a person set for an image. Absent fields are not sent. */
export interface ImageParameters {
  readonly kind: 'image';
  readonly model: string;
  readonly prompt: string;
  /** Pixels. */
  readonly width?: number;
  /** Pixels. */
  readonly height?: number;
  readonly steps?: number;
  readonly cfg?: number;
  readonly seed?: number;
  readonly format?: string;
}

export type MediaParameters = VideoParameters | ImageParameters;

/** The fields of the form that are text in the page, choices included. */
export const textFields = {
  video: ['prompt', 'model', 'duration', 'resolution', 'fps', 'aspectRatio', 'draft', 'saveAudio', 'promptUpsampling'],
  image: ['prompt', 'model', 'size', 'steps', 'cfg', 'seed', 'format'],
} as const;

export type TextField = (typeof textFields)[MediaKind][number];
export type InputField = 'image' | 'audio';

/** A form as it stands, half-typed values included. */
export interface FormValues {
  readonly texts: Readonly<Partial<Record<TextField, string>>>;
  /** Address fields hold text until a file is chosen. */
  readonly inputs: Readonly<Partial<Record<InputField, MediaInput>>>;
}

/**
 * `unknown`: nobody knows how it ended; it may have been made and charged. `elsewhere`: another
 * window waits for it.
 */
export type MediaState = 'running' | 'elsewhere' | 'done' | 'stopped' | 'failed' | 'unknown';
