const leastBytes = 4096;

/**
 * Bytes that come in pieces of any size, in one. They are copied: a piece of one byte, kept as it is,
 * costs a hundred, and holds on to the whole read that it was a part of.
 */
export class GatheredBytes {
  #buffer = Buffer.alloc(0);
  #size = 0;

  get size(): number {
    return this.#size;
  }

  add(piece: Uint8Array): void {
    const size = this.#size + piece.length;
    if (size > this.#buffer.length) {
      const larger = Buffer.allocUnsafe(Math.max(leastBytes, 2 * this.#buffer.length, size));
      this.#buffer.copy(larger, 0, 0, this.#size);
      this.#buffer = larger;
    }
    this.#buffer.set(piece, this.#size);
    this.#size = size;
  }

  /** All of them; there are none afterwards. */
  take(): Uint8Array {
    const all = this.#buffer.subarray(0, this.#size);
    this.#buffer = Buffer.alloc(0);
    this.#size = 0;
    return all;
  }
}
