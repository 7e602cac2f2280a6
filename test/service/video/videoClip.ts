import { readFile } from 'node:fs/promises';
import { findPackageJSON } from 'node:module';
import { dirname, join } from 'node:path';

/** A finished WebM: discs that drift over a gradient, eight frames per second, without sound. */
export interface VideoClip {
  readonly file: string;
  readonly seconds: number;
  /** Pixels. */
  readonly width: number;
  /** Pixels. */
  readonly height: number;
}

/** Tests check how Parlance handles a video, not its content, so three clips are enough. */
const clips: readonly VideoClip[] = [
  { file: '1s-180p.webm', seconds: 1, width: 320, height: 180 },
  { file: '2s-120p.webm', seconds: 2, width: 214, height: 120 },
  { file: '5s-720p.webm', seconds: 5, width: 1280, height: 720 },
];

/** The clip whose length is closest to the requested one. */
export function nearestClip(seconds: number): VideoClip {
  const distance = (clip: VideoClip): number => Math.abs(clip.seconds - seconds);
  return clips.reduce((best, clip) => (distance(clip) < distance(best) ? clip : best));
}

/** Relative to the project's folder, because the host suite runs this from a bundle elsewhere. */
const folder = join(dirname(findPackageJSON(import.meta.url) ?? ''), 'test', 'service', 'video', 'clips');

export function readClip({ file }: VideoClip): Promise<Buffer> {
  return readFile(join(folder, file));
}
