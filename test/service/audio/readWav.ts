/** PCM audio, as described by its file's header. */
export interface Wav {
  readonly sampleRate: number;
  readonly channels: number;
  readonly bitsPerSample: number;
  readonly seconds: number;
}

/** PCM in integers, in floats, and in the extensible format. */
const codings = [1, 3, 0xfffe];

/** Reads a RIFF/WAVE file of PCM samples; undefined if it's something else or broken. */
export function readWav(bytes: Buffer): Wav | undefined {
  if (bytes.toString('latin1', 0, 4) !== 'RIFF' || bytes.toString('latin1', 8, 12) !== 'WAVE') return undefined;
  const chunks = chunksOf(bytes);
  const format = chunks.get('fmt ');
  const data = chunks.get('data');
  if (!format || !data || format.length < 16 || !codings.includes(format.readUInt16LE(0))) return undefined;
  const channels = format.readUInt16LE(2);
  const sampleRate = format.readUInt32LE(4);
  const bitsPerSample = format.readUInt16LE(14);
  const bytesPerSecond = sampleRate * channels * (bitsPerSample / 8);
  if (bytesPerSecond === 0 || data.length === 0) return undefined;
  return { sampleRate, channels, bitsPerSample, seconds: data.length / bytesPerSecond };
}

/** By name; a length beyond the end is cut there, as in streamed files. */
function chunksOf(bytes: Buffer): ReadonlyMap<string, Buffer> {
  const chunks = new Map<string, Buffer>();
  let at = 12;
  while (at + 8 <= bytes.length) {
    const length = bytes.readUInt32LE(at + 4);
    chunks.set(bytes.toString('latin1', at, at + 4), bytes.subarray(at + 8, at + 8 + length));
    at += 8 + length + (length % 2);
  }
  return chunks;
}
