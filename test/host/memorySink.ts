import type { DownloadSink } from '../../src/api/download/mediaDownload.ts';

/** Keeps a download. */
export class MemorySink implements DownloadSink {
  tag: string | undefined;
  #bytes = Buffer.alloc(0);

  get size(): number {
    return this.#bytes.length;
  }

  async setTag(tag: string | undefined): Promise<void> {
    this.tag = tag;
  }

  async head(): Promise<Uint8Array> {
    return this.#bytes.subarray(0, 16);
  }

  async append(bytes: Uint8Array): Promise<void> {
    this.#bytes = Buffer.concat([this.#bytes, bytes]);
  }

  async restart(): Promise<void> {
    this.#bytes = Buffer.alloc(0);
  }
}
