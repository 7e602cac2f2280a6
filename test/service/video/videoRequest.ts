import {
  invalid,
  readBodyObject,
  readBoolean,
  readInteger,
  readModelName,
  readRequiredText,
  readText,
} from '../requestFields.ts';

/** A checked request body (spec, VideoGenerationRequest), with usual values where the specification has none. */
export interface VideoRequest {
  readonly model: string;
  readonly prompt: string;
  /** Seconds. */
  readonly duration: number;
  /** Pixels. */
  readonly height: number;
  readonly fps: number;
  /** Width by height. */
  readonly aspect: number;
  /** URL of the picture that gives the video its shape. */
  readonly image: string | null;
  /** URL of the audio that gives the video its length. */
  readonly audio: string | null;
  readonly draft: boolean;
  readonly saveAudio: boolean;
  readonly promptUpsampling: boolean;
}

export const longestSeconds = 60;
export const widestAspect = 4;
const highestFps = 60;
const smallestHeight = 16;
const largestHeight = 2160;

/** @throws {ServiceError} 400 with the name of the first offending field. Unknown fields are ignored. */
export function parseVideoRequest(body: unknown): VideoRequest {
  const fields = readBodyObject(body);
  return {
    model: readModelName(fields['model']),
    prompt: readText('prompt', fields['prompt'], ''),
    duration: readInteger('duration', fields['duration'], { least: 1, most: longestSeconds, otherwise: 5 }),
    height: readHeight(fields['resolution']),
    fps: readInteger('fps', fields['fps'], { least: 1, most: highestFps, otherwise: 24 }),
    aspect: readAspect(fields['aspect_ratio']),
    image: readUrl('image', fields['image']),
    audio: readUrl('audio', fields['audio']),
    draft: readBoolean('draft', fields['draft'], false),
    saveAudio: readBoolean('save_audio', fields['save_audio'], true),
    promptUpsampling: readBoolean('prompt_upsampling', fields['prompt_upsampling'], true),
  };
}

/** `<height>p` */
function readHeight(value: unknown): number {
  if (value === undefined) return 720;
  const height = Number(typeof value === 'string' && /^(\d{1,5})p$/.exec(value)?.[1]);
  if (!(height >= smallestHeight && height <= largestHeight)) {
    throw invalid('resolution', `must be <height>p, from ${smallestHeight}p to ${largestHeight}p.`);
  }
  return height;
}

/** `<w>:<h>` */
function readAspect(value: unknown): number {
  if (value === undefined) return 16 / 9;
  const [, width, height] = (typeof value === 'string' && /^(\d{1,4}):(\d{1,4})$/.exec(value)) || [];
  const aspect = Number(width) / Number(height);
  if (!(aspect >= 1 / widestAspect && aspect <= widestAspect)) {
    throw invalid('aspect_ratio', `must be <w>:<h>, from 1:${widestAspect} to ${widestAspect}:1.`);
  }
  return aspect;
}

function readUrl(param: string, value: unknown): string | null {
  return value === null || value === undefined ? null : readRequiredText(param, value);
}
