/** Tells listeners that something changed, without saying what. */
export class ChangeEvent {
  readonly #listeners = new Set<() => void>();

  readonly event = (listener: () => void): { dispose(): void } => {
    const own = () => listener();
    this.#listeners.add(own);
    return { dispose: () => void this.#listeners.delete(own) };
  };

  fire(): void {
    for (const listener of this.#listeners) listener();
  }
}
