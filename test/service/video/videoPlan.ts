import { readWav, type Wav } from '../audio/readWav.ts';
import { readInputFile } from '../inputFile.ts';
import { readPicture } from '../pictures/readPictures.ts';
import { invalid } from '../requestFields.ts';
import { longestSeconds, type VideoRequest, widestAspect } from './videoRequest.ts';
import { macroblockSize } from './vp8/mosaic.ts';
import type { PcmTrack } from './webm/writeWebm.ts';

/** What is to be made. */
export interface VideoPlan {
  /** Pixels. */
  readonly width: number;
  /** Pixels. */
  readonly height: number;
  readonly fps: number;
  readonly frames: number;
  /** Decides what is seen. */
  readonly seed: string;
  readonly title: string;
  /** How many things move. */
  readonly discs: number;
  readonly audio: PcmTrack | undefined;
}

/** Bounds the time and the bytes of one video: 60 s of 720p at 60 frames a second just fit. */
const mostMacroblocks = 16_000_000;

/**
 * Settles length, size and shape: an image decides the shape in place of `aspect_ratio`, audio decides the
 * length in place of `duration` and is heard unless `save_audio` is false, a draft has half of the height and width.
 * @throws {ServiceError} 400 for an image or audio that cannot be read, and for a video that is too large
 */
export async function planVideo(request: VideoRequest, signal: AbortSignal): Promise<VideoPlan> {
  const picture = request.image === null ? undefined : await readPicture(request.image, 'image', signal);
  const sound = request.audio === null ? undefined : await readSound(request.audio, signal);
  const seconds = sound ? sound.length / sound.sampleRate : request.duration;
  const aspect = picture ? picture.width / picture.height : request.aspect;
  if (aspect < 1 / widestAspect || aspect > widestAspect) {
    throw invalid('image', `must not be longer than ${widestAspect} times its shorter side.`);
  }
  const scale = request.draft ? 0.5 : 1;
  const height = request.draft ? even(request.height * scale) : request.height;
  const width = even(request.height * aspect * scale);
  const frames = Math.max(1, Math.round(seconds * request.fps));
  const macroblocks = Math.ceil(width / macroblockSize) * Math.ceil(height / macroblockSize);
  if (frames * macroblocks > mostMacroblocks) {
    throw invalid('duration', `and fps make a video that is too large at ${width} × ${height} pixels.`);
  }
  return {
    width,
    height,
    fps: request.fps,
    frames,
    seed: `${request.prompt} ${picture?.digest ?? ''}`,
    title: request.prompt,
    discs: request.promptUpsampling ? 5 : 2,
    audio: sound && request.saveAudio ? mixDown(sound) : undefined,
  };
}

async function readSound(url: string, signal: AbortSignal): Promise<Wav> {
  const wav = readWav((await readInputFile(url, 'audio', signal)).bytes);
  if (!wav || wav.length === 0) throw invalid('audio', 'must be a WAV file with PCM samples.');
  if (wav.length > longestSeconds * wav.sampleRate) throw invalid('audio', `must last at most ${longestSeconds} s.`);
  return wav;
}

/** All channels as one, in 16 bits. */
function mixDown({ sampleRate, length, sampleAt }: Wav): PcmTrack {
  const samples = Buffer.alloc(length * 2);
  for (let index = 0; index < length; index += 1) {
    const sample = Math.round(sampleAt(index) * 32_767);
    samples.writeInt16LE(Math.max(-32_768, Math.min(32_767, sample)), index * 2);
  }
  return { sampleRate, channels: 1, samples };
}

/** Most tools want even sides. */
function even(pixels: number): number {
  return Math.max(2, 2 * Math.round(pixels / 2));
}
