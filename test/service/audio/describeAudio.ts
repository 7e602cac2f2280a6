import { readWav, type Wav } from './readWav.ts';

/** What was said when: here, what was measured when. */
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
  /** Undefined for audio that is not WAV. */
  readonly durationSeconds: number | undefined;
  readonly segments: readonly Segment[];
}

interface Level {
  /** Root of the mean square, in decibels below full scale; -Infinity for silence. */
  readonly loudness: number;
  /** Half of how often the sound crosses zero in a second. */
  readonly pitchHz: number;
}

/** More of them than an hour has seconds would only fill memory. */
const mostSegments = 3600;

/** What is true of the audio, in words, second by second. Nothing is recognised: no one listens. */
export function describeAudio(bytes: Buffer, name: string, mediaType: string): Transcript {
  const wav = readWav(bytes);
  if (!wav) {
    const type = mediaType === '' ? 'without a media type' : `of the type ${mediaType}`;
    const text = `The file ${name} has ${bytes.length} bytes and is ${type}. Only WAV files with PCM samples are measured here.`;
    return { text, durationSeconds: undefined, segments: [] };
  }
  const durationSeconds = wav.length / wav.sampleRate;
  const head = `The audio lasts ${decimal(durationSeconds, 2)} s: ${wav.channels} ${wav.channels === 1 ? 'channel' : 'channels'}, ${wav.sampleRate} Hz, ${wav.bitsPerSample} bits a sample.`;
  const segments = segmentsOf(wav, durationSeconds);
  return { text: [head, ...segments.map(({ text }) => text)].join(' '), durationSeconds, segments };
}

function segmentsOf(wav: Wav, durationSeconds: number): Segment[] {
  const count = Math.min(mostSegments, Math.ceil(durationSeconds));
  return Array.from({ length: count }, (_, id) => {
    const level = measure(wav, id * wav.sampleRate, Math.min(wav.length, (id + 1) * wav.sampleRate));
    return { id, start: id, end: Math.min(durationSeconds, id + 1), text: `Second ${id + 1}: ${describe(level)}.` };
  });
}

function describe({ loudness, pitchHz }: Level): string {
  if (loudness === -Infinity) return 'silence';
  const word = loudness < -40 ? 'quiet' : loudness < -12 ? 'of middling loudness' : 'loud';
  return `${word} at ${decimal(loudness, 1)} dBFS, about ${Math.round(pitchHz)} Hz`;
}

function measure({ sampleAt, sampleRate }: Wav, from: number, to: number): Level {
  let squares = 0;
  let crossings = 0;
  let wasNegative = false;
  for (let index = from; index < to; index += 1) {
    const sample = sampleAt(index);
    squares += sample ** 2;
    const isNegative = sample < 0;
    if (index > from && isNegative !== wasNegative) crossings += 1;
    wasNegative = isNegative;
  }
  return {
    loudness: 10 * Math.log10(squares / (to - from)),
    pitchHz: (crossings / 2) * (sampleRate / (to - from)),
  };
}

function decimal(value: number, digits: number): string {
  return value.toFixed(digits);
}
