import * as zlib from 'node:zlib';
import type { Carriage, CarrierEvents } from './carrier.ts';
import { networkCodeOf } from './networkFailure.ts';

/** Where compressed bytes are read from. */
interface Source {
  pause(): void;
  resume(): void;
}

/** A response that is decompressed while it arrives. */
export interface ContentDecoding extends Pick<Carriage, 'pause' | 'resume' | 'destroy'> {
  readonly events: CarrierEvents;
  /** It accepts no more bytes for now, and resumes its source when it does. */
  readonly isFull: boolean;
}

type Decoder = zlib.Gunzip | zlib.Inflate | zlib.BrotliDecompress;

const { Z_SYNC_FLUSH, BROTLI_OPERATION_FLUSH, ZSTD_e_flush } = zlib.constants;

/** Number of bytes that distinguish an encoding without a magic number from text that only claims to be encoded. */
const sniffedBytes = 8;

const isText = (start: Buffer): boolean => /^[\t\n\r -~]*$/.test(start.toString('latin1', 0, sniffedBytes));

interface Encoding {
  /** Whether bytes that start like this have this encoding. A proxy might have decoded them and kept the header. */
  readonly isEncoded: (start: Buffer) => boolean;
  readonly decoder: (start: Buffer) => Decoder;
}

const gzip: Encoding = {
  isEncoded: (start) => start[0] === 0x1f && start[1] === 0x8b,
  decoder: () => zlib.createGunzip({ flush: Z_SYNC_FLUSH }),
};

const encodings: Readonly<Record<string, Encoding>> = {
  gzip,
  'x-gzip': gzip,
  deflate: {
    isEncoded: (start) => !isText(start),
    // Strictly, this is zlib's format. Some servers leave out its header.
    decoder: (start) =>
      (start[0] ?? 0) % 16 === 8 && start.length > 1 && start.readUInt16BE(0) % 31 === 0
        ? zlib.createInflate({ flush: Z_SYNC_FLUSH })
        : zlib.createInflateRaw({ flush: Z_SYNC_FLUSH }),
  },
  br: {
    isEncoded: (start) => !isText(start),
    decoder: () => zlib.createBrotliDecompress({ flush: BROTLI_OPERATION_FLUSH }),
  },
  // zstd was added in Node 22.15.
  ...(typeof zlib.createZstdDecompress === 'function' && {
    zstd: {
      isEncoded: (start: Buffer) => start.length >= 4 && start.readUInt32LE(0) === 0xfd2fb528,
      decoder: () => zlib.createZstdDecompress({ flush: ZSTD_e_flush }),
    },
  }),
};

/**
 * Parlance asks for `identity`, but some gateways compress anyway. The output is passed on in small pieces, so that the
 * reader's size limits apply to decoded bytes and stop a decompression bomb early. Nothing is decompressed after
 * `destroy` or while paused, and `source` is paused while the decoder is full.
 * @returns undefined if there's nothing to decode.
 */
export function decodeContent(
  header: string | string[] | undefined,
  events: CarrierEvents,
  source: Source,
): ContentDecoding | undefined {
  const names = (Array.isArray(header) ? header.join(',') : (header ?? '')).toLowerCase().split(',');
  const named = names.map((each) => each.trim()).filter((each) => each !== '' && each !== 'identity');
  return named.length === 0 ? undefined : new RunningDecoding(named.join(','), events, source);
}

class RunningDecoding implements ContentDecoding {
  readonly #name: string;
  readonly #to: CarrierEvents;
  readonly #source: Source;
  readonly #encoding: Encoding | undefined;
  /** The first bytes, until there are enough to detect the encoding. */
  #start: Buffer | undefined = Buffer.alloc(0);
  /** Also absent if the bytes turned out not to be encoded. */
  #decoder: Decoder | undefined;
  #isPaused = false;
  #isOver = false;

  constructor(name: string, to: CarrierEvents, source: Source) {
    this.#name = name;
    this.#to = to;
    this.#source = source;
    this.#encoding = Object.hasOwn(encodings, name) ? encodings[name] : undefined;
  }

  readonly events: CarrierEvents = {
    sent: () => this.#to.sent(),
    head: (head) => {
      this.#to.head(head);
      if (this.#encoding === undefined) this.#fail('unknown', undefined);
    },
    data: (chunk) => {
      if (this.#isOver) return;
      if (this.#start === undefined) return this.#write(chunk);
      this.#start = Buffer.concat([this.#start, chunk]);
      if (this.#start.length >= sniffedBytes) this.#begin();
    },
    end: () => {
      if (this.#isOver) return;
      this.#begin();
      if (this.#decoder === undefined) this.#end();
      else this.#decoder.end();
    },
    failed: (failure, cause) => {
      if (this.#isOver) return;
      this.destroy();
      this.#to.failed(failure, cause);
    },
  };

  get isFull(): boolean {
    return this.#decoder?.writableNeedDrain === true;
  }

  pause(): void {
    this.#isPaused = true;
    this.#decoder?.pause();
  }

  resume(): void {
    this.#isPaused = false;
    this.#decoder?.resume();
  }

  destroy(): void {
    this.#isOver = true;
    this.#decoder?.destroy();
  }

  #begin(): void {
    const start = this.#start;
    this.#start = undefined;
    if (start === undefined || start.length === 0 || this.#encoding === undefined) return;
    if (this.#encoding.isEncoded(start)) {
      this.#decoder = this.#encoding.decoder(start);
      this.#decoder.on('data', (chunk: Buffer) => {
        if (!this.#isOver) this.#to.data(chunk);
      });
      this.#decoder.on('drain', () => {
        if (!this.#isPaused) this.#source.resume();
      });
      this.#decoder.on('end', () => this.#end());
      this.#decoder.on('error', (error) => this.#fail(networkCodeOf(error), error));
      if (this.#isPaused) this.#decoder.pause();
    }
    this.#write(start);
  }

  #write(chunk: Uint8Array): void {
    if (this.#decoder === undefined) this.#to.data(chunk);
    else if (!this.#decoder.write(chunk)) this.#source.pause();
  }

  #end(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#to.end();
  }

  #fail(code: string, cause: unknown): void {
    if (this.#isOver) return;
    this.destroy();
    const sample = `content-encoding: ${this.#name.slice(0, 40)} (${code})`;
    this.#to.failed({ kind: 'malformed', where: 'body', sample }, cause);
  }
}
