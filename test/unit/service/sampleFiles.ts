import { encodePng } from '../../service/pictures/encodePng.ts';

interface Sound {
  readonly seconds: number;
  readonly channels?: number;
}

const sampleRate = 8000;

/** A WAV file with a sine wave, 16 bits per sample. */
export function wavFile(sound: Sound): Buffer<ArrayBuffer> {
  const { seconds, channels = 1 } = sound;
  const length = Math.round(seconds * sampleRate);
  const data = Buffer.alloc(length * channels * 2);
  for (let index = 0; index < length * channels; index += 1) {
    const time = Math.floor(index / channels) / sampleRate;
    data.writeInt16LE(Math.round(16_000 * Math.sin(2 * Math.PI * 440 * time)), index * 2);
  }
  const head = Buffer.alloc(44);
  head.write('RIFF', 0, 'latin1');
  head.writeUInt32LE(36 + data.length, 4);
  head.write('WAVEfmt ', 8, 'latin1');
  head.writeUInt32LE(16, 16);
  head.writeUInt16LE(1, 20);
  head.writeUInt16LE(channels, 22);
  head.writeUInt32LE(sampleRate, 24);
  head.writeUInt32LE(sampleRate * channels * 2, 28);
  head.writeUInt16LE(channels * 2, 32);
  head.writeUInt16LE(16, 34);
  head.write('data', 36, 'latin1');
  head.writeUInt32LE(data.length, 40);
  return Buffer.concat([head, data]);
}

export function dataUrl(mediaType: string, bytes: Buffer): string {
  return `data:${mediaType};base64,${bytes.toString('base64')}`;
}

/** A black PNG as a data: URL. */
export async function pngUrl(width: number, height: number): Promise<string> {
  return dataUrl('image/png', await encodePng(width, height, new Uint8Array(width * height * 3)));
}
