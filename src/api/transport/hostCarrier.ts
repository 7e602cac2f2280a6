import type { Carriage, CarriedRequest, CarrierEvents } from './carrier.ts';
import { networkCodeOf, isConnectCode, networkFailureOf } from './networkFailure.ts';

/**
 * Sends through the host's own `fetch`, which has access to what extensions can't see: the operating system's proxy,
 * and PAC files.
 */
export function sendOverHost(hostFetch: typeof fetch, request: CarriedRequest, events: CarrierEvents): Carriage {
  const carriage = new HostCarriage(request.url.host, events);
  void carriage.run(hostFetch, request);
  return carriage;
}

class HostCarriage implements Carriage {
  readonly #host: string;
  readonly #events: CarrierEvents;
  readonly #abort = new AbortController();
  #paused: Promise<void> | undefined;
  #resumed: (() => void) | undefined;
  #isOver = false;

  constructor(host: string, events: CarrierEvents) {
    this.#host = host;
    this.#events = events;
  }

  async run(hostFetch: typeof fetch, request: CarriedRequest): Promise<void> {
    try {
      this.#events.sent();
      const response = await hostFetch(request.url, {
        method: request.method,
        headers: request.headers,
        ...(request.body === undefined ? {} : { body: request.body }),
        redirect: 'manual',
        signal: this.#abort.signal,
      });
      if (this.#isOver) return;
      const { status, headers } = response;
      this.#events.head({
        status,
        header: (name) => headers.get(name) ?? undefined,
        allHeaders: () => [...headers.entries()],
      });
      await this.#read(response);
      this.#settle(() => this.#events.end());
    } catch (error) {
      const mayHaveBeenSent = !isConnectCode(networkCodeOf(error));
      this.#settle(() => this.#events.failed(networkFailureOf(error, this.#host, mayHaveBeenSent), error));
    }
  }

  pause(): void {
    if (this.#resumed === undefined) this.#paused = new Promise((resolve) => (this.#resumed = resolve));
  }

  resume(): void {
    this.#resumed?.();
    this.#resumed = undefined;
  }

  finish(): void {
    this.destroy();
  }

  destroy(): void {
    this.#isOver = true;
    this.resume();
    this.#abort.abort();
  }

  async #read(response: Response): Promise<void> {
    if (response.body === null) return;
    const reader: ReadableStreamDefaultReader<Uint8Array> = response.body.getReader();
    for (;;) {
      if (this.#resumed !== undefined) await this.#paused;
      const { done, value } = await reader.read();
      if (done || this.#isOver) return;
      this.#events.data(value);
    }
  }

  #settle(tell: () => void): void {
    if (this.#isOver) return;
    this.#isOver = true;
    tell();
  }
}
