import { encodePng } from '../../service/pictures/encodePng.ts';
import { paint } from '../../service/pictures/paint.ts';

/** A PNG of discs on a gradient. */
export function samplePicture(width = 320, height = 200): Promise<Buffer> {
  const pixels = paint({
    prompt: 'a sample',
    model: '',
    width,
    height,
    steps: 24,
    cfg: 9,
    seed: 7,
    count: 1,
    answer: undefined,
  });
  return encodePng(width, height, pixels);
}
