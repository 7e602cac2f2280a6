/** Waits after a refusal without a given time, in milliseconds: doubled each time, up to the maximum. */
const FIRST_WAIT_MS = 1000;
const LONGEST_WAIT_MS = 30_000;
/** If a service asks for a longer wait, the run ends, and can be continued later. */
const LONGEST_ASKED_MS = 10 * 60_000;
const REFUSALS_IN_A_ROW = 8;
const SILENCES_IN_A_ROW = 3;

/** Whether requests can be sent to a service after it refused some. */
export class ServiceGate {
  #opensAt = 0;
  #refusals = 0;
  #silences = 0;
  #inFlight = 0;
  /** After a wait, one request is sent alone. The others follow once it's accepted. */
  #isTrying = false;

  /** Unix time in milliseconds; in the past while the gate is open. */
  get opensAt(): number {
    return this.#opensAt;
  }

  lets(now: number): boolean {
    return now >= this.#opensAt && (!this.#isTrying || this.#inFlight === 0);
  }

  /** The same for a request that `sent` has counted, but that isn't on its way yet. */
  stillLets(now: number): boolean {
    return now >= this.#opensAt && (!this.#isTrying || this.#inFlight === 1);
  }

  sent(): void {
    this.#inFlight += 1;
  }

  ended(): void {
    this.#inFlight -= 1;
  }

  answered(now: number): void {
    this.#silences = 0;
    // If a request was already in flight when another was refused, its success says nothing about the time after the
    // wait.
    if (now < this.#opensAt) return;
    this.#refusals = 0;
    this.#isTrying = false;
  }

  /**
   * The service refused a request for now.
   * @param retryAfterMs the wait it asks for
   * @returns false to give the service up
   */
  refused(now: number, retryAfterMs: number | undefined): boolean {
    // Requests that were in flight together are refused together, which counts as one wait.
    const isOneOfMany = this.#isTrying && now < this.#opensAt;
    if (!isOneOfMany) this.#refusals += 1;
    this.#isTrying = true;
    // A service that asks for no wait would otherwise get all refused requests again in a burst.
    const leastMs = Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** (this.#refusals - 1));
    const waitMs = Math.max(retryAfterMs ?? 0, leastMs);
    this.#opensAt = Math.max(this.#opensAt, now + waitMs);
    return this.#refusals < REFUSALS_IN_A_ROW && waitMs <= LONGEST_ASKED_MS;
  }

  /** The service sent nothing. @returns false to give the service up */
  silent(): boolean {
    this.#silences += 1;
    return this.#silences < SILENCES_IN_A_ROW;
  }
}
