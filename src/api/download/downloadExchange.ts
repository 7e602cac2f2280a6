import { ApiError } from '../apiError.ts';
import type { Carriage, CarriedHead, CarrierEvents } from '../transport/carrier.ts';
import { Countdown } from '../countdown.ts';
import { signatureBytes } from '../operations/fileMediaType.ts';
import { GatheredBytes } from '../calls/gatheredBytes.ts';

/** How many bytes can wait in memory for the disk before the connection is paused. */
const waitingBytes = 1024 * 1024;

/**
 * One GET as a head and a series of chunks, with a timer for silence. The first chunk has enough bytes to detect the
 * file's type, unless the file is shorter.
 */
export class DownloadExchange implements Disposable {
  readonly #url: URL;
  readonly #silenceMs: number;
  readonly #signal: AbortSignal | undefined;
  readonly #head = Promise.withResolvers<CarriedHead>();
  #carriage: Carriage | undefined;
  readonly #limit = new Countdown();
  readonly #waiting = new GatheredBytes();
  #isPaused = false;
  #hasHead = false;
  #end: { readonly error?: unknown } | undefined;
  #wake: (() => void) | undefined;

  constructor(url: URL, silenceMs: number, signal: AbortSignal | undefined) {
    this.#url = url;
    this.#silenceMs = silenceMs;
    this.#signal = signal;
    // It might reject before anyone awaits it.
    this.#head.promise.catch(() => {});
  }

  start(open: (events: CarrierEvents) => Promise<Carriage>): void {
    if (this.#signal?.aborted === true) return this.#fail(this.#signal.reason);
    this.#signal?.addEventListener('abort', this.#onAbort);
    void this.#open(open);
  }

  head(): Promise<CarriedHead> {
    return this.#head.promise;
  }

  async *chunks(): AsyncGenerator<Uint8Array, void, undefined> {
    let isFirst = true;
    for (;;) {
      const { size } = this.#waiting;
      const isEnough = size > 0 && (!isFirst || size >= signatureBytes);
      if (isEnough || (this.#end !== undefined && size > 0)) {
        isFirst = false;
        yield this.#waiting.take();
        this.#goOn();
      } else if (this.#end !== undefined) {
        if ('error' in this.#end) throw this.#end.error;
        return;
      } else {
        await new Promise<void>((resolve) => (this.#wake = resolve));
      }
    }
  }

  [Symbol.dispose](): void {
    this.#fail(undefined);
  }

  async #open(open: (events: CarrierEvents) => Promise<Carriage>): Promise<void> {
    try {
      this.#carriage = await open(this.#events());
      // It might be over before it was opened.
      if (this.#end !== undefined) this.#carriage.destroy();
    } catch (error) {
      this.#fail(error);
    }
  }

  readonly #onAbort = (): void => this.#fail(this.#signal?.reason);

  #events(): CarrierEvents {
    return {
      sent: () => this.#arm(),
      head: (head) => {
        this.#arm();
        this.#hasHead = true;
        this.#head.resolve(head);
      },
      data: (chunk) => {
        if (this.#end !== undefined) return;
        this.#waiting.add(chunk);
        if (this.#waiting.size < waitingBytes) this.#arm();
        else this.#pause();
        this.#wake?.();
      },
      end: () => this.#settle({}),
      failed: (failure, cause) => {
        const isLost = this.#hasHead && failure.kind === 'network';
        const { host } = this.#url;
        this.#fail(new ApiError(isLost ? { kind: 'connectionLost', host, code: failure.code } : failure, cause));
      },
    };
  }

  #pause(): void {
    this.#isPaused = true;
    // The silence would be our own doing.
    this.#limit.stop();
    this.#carriage?.pause();
  }

  #goOn(): void {
    if (!this.#isPaused || this.#end !== undefined) return;
    this.#isPaused = false;
    this.#arm();
    this.#carriage?.resume();
  }

  #arm(): void {
    this.#limit.stop();
    if (this.#end !== undefined) return;
    const { host } = this.#url;
    this.#limit.start(this.#silenceMs, () => {
      this.#fail(new ApiError({ kind: 'timeout', timer: 'silence', afterMs: this.#silenceMs, host }));
    });
  }

  #fail(error: unknown): void {
    this.#settle({ error });
    this.#carriage?.destroy();
  }

  #settle(end: { readonly error?: unknown }): void {
    if (this.#end !== undefined) return;
    this.#end = end;
    this.#limit.stop();
    this.#signal?.removeEventListener('abort', this.#onAbort);
    this.#head.reject(
      'error' in end ? end.error : new ApiError({ kind: 'connectionLost', host: this.#url.host, code: '' }),
    );
    this.#wake?.();
  }
}
