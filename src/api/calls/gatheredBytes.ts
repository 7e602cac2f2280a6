const leastBytes = 4096;

/**
 * Joins bytes that arrive in pieces of any size. They're copied, because a stored one-byte piece would take a hundred
 * bytes and keep the whole read that it was part of in memory.
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

  /** All bytes so far. Empties the store. */
  take(): Uint8Array {
    const all = this.#buffer.subarray(0, this.#size);
    this.#buffer = Buffer.alloc(0);
    this.#size = 0;
    return all;
  }
}
