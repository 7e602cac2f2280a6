/** Tells listeners that something changed. @typeParam Details what they're told about it, nothing by default */
export class ChangeEvent<Details extends readonly unknown[] = []> {
  readonly #listeners = new Set<(...details: Details) => void>();

  /** @returns a function that ends the subscription */
  readonly listen = (listener: (...details: Details) => void): (() => void) => {
    // The same function can listen twice.
    const own = (...details: Details) => listener(...details);
    this.#listeners.add(own);
    return () => void this.#listeners.delete(own);
  };

  /** The same, in VS Code's form. */
  readonly event = (listener: (...details: Details) => void): { dispose(): void } => ({
    dispose: this.listen(listener),
  });

  fire(...details: Details): void {
    for (const listener of this.#listeners) listener(...details);
  }

  /** No listener is called after this. */
  clear(): void {
    this.#listeners.clear();
  }
}
