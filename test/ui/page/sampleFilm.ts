import { nearestClip, readClip } from '../../service/video/videoClip.ts';

/** A one-second WebM of discs that move over a mosaic. */
export function sampleFilm(): Promise<Buffer> {
  return readClip(nearestClip(1));
}
