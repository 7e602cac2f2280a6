import { readWav } from './readWav.ts';

/** What was said when. Here, it only says that time passed. */
export interface Segment {
  readonly id: number;
  /** Seconds. */
  readonly start: number;
  /** Seconds. */
  readonly end: number;
  readonly text: string;
}

export interface Transcript {
  readonly text: string;
  /** Undefined for audio that isn't WAV. */
  readonly durationSeconds: number | undefined;
  /** One for each second. */
  readonly segments: readonly Segment[];
}

/** More segments than an hour has seconds would only use up memory. */
const mostSegments = 3600;

const nobodyListens = 'The local service measures recordings and doesn’t recognize words.';

/** True statements about the audio. Nothing is recognized. */
export function describeAudio(bytes: Buffer, name: string, mediaType: string): Transcript {
  const wav = readWav(bytes);
  if (!wav) {
    const type = mediaType === '' ? 'without a media type' : `of the type ${mediaType}`;
    const text = `The file ${name} has ${bytes.length} bytes and is ${type}. ${nobodyListens}`;
    return { text, durationSeconds: undefined, segments: [] };
  }
  const { seconds, channels, sampleRate, bitsPerSample } = wav;
  const sound = `${channels} ${channels === 1 ? 'channel' : 'channels'}, ${sampleRate} Hz, ${bitsPerSample} bits a sample`;
  return {
    text: `The audio lasts ${seconds.toFixed(2)} s: ${sound}. ${nobodyListens}`,
    durationSeconds: seconds,
    segments: Array.from({ length: Math.min(mostSegments, Math.ceil(seconds)) }, (_, id) => ({
      id,
      start: id,
      end: Math.min(seconds, id + 1),
      text: `This is second ${id + 1}.`,
    })),
  };
}
