import { readWav } from '../audio/readWav.ts';
import { readInputFile } from '../inputFile.ts';
import { readPicture } from '../pictures/readPictures.ts';
import {
  invalid,
  type JsonObject,
  readBodyObject,
  readBoolean,
  readInteger,
  readModelName,
  readRequiredText,
  readText,
} from '../requestFields.ts';

/** The parts of a checked request body that the service needs (spec, VideoGenerationRequest). */
export interface VideoRequest {
  readonly model: string;
  readonly prompt: string;
  /** Seconds. */
  readonly duration: number;
  /** URL of the image to start from. */
  readonly image: string | null;
  /** URL of the audio that determines the video's length. */
  readonly audio: string | null;
  readonly draft: boolean;
}

const longestSeconds = 60;

/** @throws {ServiceError} 400 with the name of the first offending field. Unknown fields are ignored. */
export function parseVideoRequest(body: unknown): VideoRequest {
  const fields = readBodyObject(body);
  const request = {
    model: readModelName(fields['model']),
    prompt: readText('prompt', fields['prompt'], ''),
    duration: readInteger('duration', fields['duration'], { least: 1, most: longestSeconds, otherwise: 5 }),
    image: readUrl('image', fields['image']),
    audio: readUrl('audio', fields['audio']),
    draft: readBoolean('draft', fields['draft'], false),
  };
  checkShape('resolution', fields, /^\d{2,4}p$/, '<height>p');
  checkShape('aspect_ratio', fields, /^[1-9]\d{0,3}:[1-9]\d{0,3}$/, '<w>:<h>');
  readInteger('fps', fields['fps'], { least: 1, most: 60, otherwise: 24 });
  readBoolean('save_audio', fields['save_audio'], true);
  readBoolean('prompt_upsampling', fields['prompt_upsampling'], true);
  return request;
}

/**
 * Reads the image and the audio, like a service that needs them. The audio determines the video's length.
 * @returns seconds
 * @throws {ServiceError} 400 for an image or audio that can't be read
 */
export async function lengthOf({ image, audio, duration }: VideoRequest, signal: AbortSignal): Promise<number> {
  if (image !== null) await readPicture(image, 'image', signal);
  if (audio === null) return duration;
  const wav = readWav((await readInputFile(audio, 'audio', signal)).bytes);
  if (!wav) throw invalid('audio', 'must be a WAV file with PCM samples.');
  return wav.seconds;
}

function checkShape(param: string, fields: JsonObject, shape: RegExp, name: string): void {
  const text = readText(param, fields[param], undefined);
  if (text !== undefined && !shape.test(text)) throw invalid(param, `must be ${name}.`);
}

function readUrl(param: string, value: unknown): string | null {
  return value === null || value === undefined ? null : readRequiredText(param, value);
}
