import { nearestClip, readClip } from '../../service/video/videoClip.ts';

/** A WebM of one second, of discs that move over a mosaic. */
export function sampleFilm(): Promise<Buffer> {
  return readClip(nearestClip(1));
}
