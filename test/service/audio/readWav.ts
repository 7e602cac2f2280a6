/** PCM sound, as far as its bytes tell. */
export interface Wav {
  readonly sampleRate: number;
  readonly channels: number;
  readonly bitsPerSample: number;
  readonly encoding: 'integer' | 'float';
  /** Samples of one channel. */
  readonly length: number;
  /** The mean of all channels at `index`, from -1 to 1. */
  readonly sampleAt: (index: number) => number;
}

const codings = { integer: 1, float: 3, extensible: 0xfffe } as const;

/** Reads a RIFF/WAVE file of PCM samples; undefined when it is something else, or broken. */
export function readWav(bytes: Buffer): Wav | undefined {
  if (bytes.toString('latin1', 0, 4) !== 'RIFF' || bytes.toString('latin1', 8, 12) !== 'WAVE') return undefined;
  const chunks = chunksOf(bytes);
  const format = chunks.get('fmt ');
  const data = chunks.get('data');
  if (!format || !data || format.length < 16) return undefined;
  const coding = format.readUInt16LE(0);
  const channels = format.readUInt16LE(2);
  const sampleRate = format.readUInt32LE(4);
  const bitsPerSample = format.readUInt16LE(14);
  const isExtended = coding === codings.extensible && format.length >= 26;
  const encoding = encodingOf(isExtended ? format.readUInt16LE(24) : coding);
  const read = encoding && readerOf(data, encoding, bitsPerSample);
  if (!encoding || !read || channels === 0 || sampleRate === 0) return undefined;
  const sampleAt = (index: number): number => {
    let sum = 0;
    for (let channel = 0; channel < channels; channel += 1) sum += read(index * channels + channel);
    return sum / channels;
  };
  const length = Math.floor(data.length / (channels * (bitsPerSample / 8)));
  return { sampleRate, channels, bitsPerSample, encoding, length, sampleAt };
}

/** By name; a length that goes past the end is cut there, as streamed files have it. */
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

function encodingOf(coding: number): Wav['encoding'] | undefined {
  if (coding === codings.integer) return 'integer';
  return coding === codings.float ? 'float' : undefined;
}

function readerOf(data: Buffer, encoding: Wav['encoding'], bits: number): ((at: number) => number) | undefined {
  if (encoding === 'float') return bits === 32 ? (at) => data.readFloatLE(at * 4) : undefined;
  // Eight bits are unsigned, all others signed.
  if (bits === 8) return (at) => (data.readUInt8(at) - 128) / 128;
  if (![16, 24, 32].includes(bits)) return undefined;
  const width = bits / 8;
  const full = 2 ** (bits - 1);
  return (at) => data.readIntLE(at * width, width) / full;
}
