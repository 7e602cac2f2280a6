import { createHash, randomUUID } from 'node:crypto';
import type { Delivery } from './delivery.ts';

export interface StoredFile {
  readonly bytes: Buffer;
  readonly mediaType: string;
  /** With its quotes. */
  readonly etag: string;
  readonly delivery: Delivery;
  /** Unix time in milliseconds. */
  readonly expiresAt: number;
}

interface StoreSettings {
  readonly lifetimeSeconds: number;
  /** Unix time in milliseconds. */
  readonly now: () => number;
}

/** The oldest files are deleted if there are more bytes than this. */
const capacityBytes = 256 * 1024 * 1024;

/** Generated files, in memory, each under a URL that nobody can guess. */
export class FileStore {
  readonly #settings: StoreSettings;
  /** Without a file: it was deleted. */
  readonly #files = new Map<string, StoredFile | undefined>();
  #bytes = 0;

  constructor(settings: StoreSettings) {
    this.#settings = settings;
  }

  /** Keeps a file. @returns its path, `/files/<id>.<extension>` */
  add(bytes: Buffer, mediaType: string, delivery: Delivery = { type: 'good' }): string {
    const path = `/files/${randomUUID()}.${mediaType.split('/', 2)[1] ?? 'bin'}`;
    const etag = `"${createHash('sha256').update(bytes).digest('hex').slice(0, 32)}"`;
    const expiresAt = this.#settings.now() + this.#settings.lifetimeSeconds * 1000;
    this.#files.set(path, { bytes, mediaType, etag, delivery, expiresAt });
    this.#bytes += bytes.length;
    this.#makeRoom(path);
    return path;
  }

  /** The file, `gone` if there was one, or undefined if there never was. */
  find(path: string): StoredFile | 'gone' | undefined {
    if (!this.#files.has(path)) return undefined;
    const file = this.#files.get(path);
    if (!file) return 'gone';
    if (file.expiresAt > this.#settings.now()) return file;
    this.#drop(path, file);
    return 'gone';
  }

  #makeRoom(newest: string): void {
    for (const [path, file] of this.#files) {
      if (this.#bytes <= capacityBytes) return;
      if (file && path !== newest) this.#drop(path, file);
    }
  }

  #drop(path: string, file: StoredFile): void {
    this.#files.set(path, undefined);
    this.#bytes -= file.bytes.length;
  }
}
