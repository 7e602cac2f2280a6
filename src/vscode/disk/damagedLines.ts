/**
 * Counts lines that can't be parsed. An incomplete line doesn't count if the whole line follows later, because then
 * nothing was lost.
 */
export class DamagedLines {
  #damaged: readonly string[] = [];

  get count(): number {
    return this.#damaged.length;
  }

  damaged(line: string): void {
    // The cut might have been in the middle of a character.
    this.#damaged = [...this.#damaged, line.replace(/\uFFFD+$/, '')];
  }

  whole(line: string): void {
    if (this.#damaged.length > 0) this.#damaged = this.#damaged.filter((part) => !line.startsWith(part));
  }
}
