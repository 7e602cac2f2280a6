import { makeVideo } from '../../service/video/makeVideo.ts';
import { planVideo } from '../../service/video/videoPlan.ts';
import { parseVideoRequest } from '../../service/video/videoRequest.ts';

/** A WebM of one second, of discs that move over a mosaic. */
export async function sampleFilm(): Promise<Buffer> {
  const { signal } = new AbortController();
  const request = parseVideoRequest({ model: 'local/video', duration: 1, fps: 8, resolution: '180p' });
  return makeVideo(await planVideo(request, signal), signal);
}
