import { encodePng } from '../../service/pictures/encodePng.ts';
import { paint } from '../../service/pictures/paint.ts';

/** A PNG of discs on a gradient. */
export function samplePicture(width = 320, height = 200): Promise<Buffer> {
  return encodePng(width, height, paint({ prompt: 'a sample', width, height, seed: 7 }));
}
