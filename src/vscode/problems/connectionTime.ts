const stateKey = 'parlance.connectionChangedAt';

/** VS Code's storage for all windows. */
interface State {
  get(key: string): unknown;
  update(key: string, value: unknown): PromiseLike<void>;
}

/** When the user last changed a connection, as Unix time in milliseconds, in this window or an earlier one. */
export class ConnectionTime {
  readonly #state: State;
  #at: number;

  constructor(state: State) {
    this.#state = state;
    const kept = state.get(stateKey);
    this.#at = typeof kept === 'number' ? kept : 0;
  }

  changed(at: number): void {
    this.#at = at;
    void this.#state.update(stateKey, at);
  }

  /** @param time undefined if it's still to come */
  isAfter(time: number | undefined): boolean {
    return (time ?? Infinity) < this.#at;
  }
}
