/** Half: what a bit costs that says nothing about itself. */
const even = 128;

/** The arithmetic coder of VP8 (RFC 6386, section 7): bits that are likely cost next to nothing. */
export class BoolEncoder {
  #bytes = new Uint8Array(4096);
  #length = 0;
  #low = 0;
  #range = 255;
  /** Bits of `#low` above the eight that `#range` lines up with; they may still take a carry. */
  #pending = 0;

  /** Writes one bit; `probability` of a 0 is in 256ths, from 1 to 255. */
  write(bit: boolean, probability: number): void {
    const split = 1 + (((this.#range - 1) * probability) >> 8);
    if (bit) {
      this.#low += split;
      this.#range -= split;
    } else {
      this.#range = split;
    }
    const shift = Math.clz32(this.#range) - 24;
    if (shift === 0) return;
    this.#range <<= shift;
    this.#low <<= shift;
    this.#pending += shift;
    if (this.#pending >= 8) this.#emit();
  }

  /** Writes the `bits` low bits of `value`, the highest first. */
  literal(value: number, bits: number): void {
    for (let bit = bits - 1; bit >= 0; bit -= 1) this.write(((value >> bit) & 1) === 1, even);
  }

  flag(value: boolean): void {
    this.write(value, even);
  }

  /** All that was written; nothing may be written afterwards. */
  finish(): Uint8Array {
    // Pushes out every bit that counts.
    this.literal(0, 32);
    return this.#bytes.subarray(0, this.#length);
  }

  #emit(): void {
    this.#pending -= 8;
    const top = this.#low >> (this.#pending + 8);
    this.#low &= (1 << (this.#pending + 8)) - 1;
    if (top > 255) this.#carry();
    if (this.#length === this.#bytes.length) {
      const larger = new Uint8Array(this.#bytes.length * 2);
      larger.set(this.#bytes);
      this.#bytes = larger;
    }
    this.#bytes[this.#length] = top & 255;
    this.#length += 1;
  }

  #carry(): void {
    let at = this.#length - 1;
    while (this.#bytes[at] === 255) {
      this.#bytes[at] = 0;
      at -= 1;
    }
    this.#bytes[at] = (this.#bytes[at] ?? 0) + 1;
  }
}
