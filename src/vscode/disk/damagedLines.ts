/**
 * Counts lines that can't be understood. A part of a line that was written again in whole is none of them: nothing of it
 * is lost.
 */
export class DamagedLines {
  #damaged: readonly string[] = [];

  get count(): number {
    return this.#damaged.length;
  }

  damaged(line: string): void {
    // A character may have been cut in two.
    this.#damaged = [...this.#damaged, line.replace(/\uFFFD+$/, '')];
  }

  whole(line: string): void {
    if (this.#damaged.length > 0) this.#damaged = this.#damaged.filter((part) => !line.startsWith(part));
  }
}
