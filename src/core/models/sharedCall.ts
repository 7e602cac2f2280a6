interface Running<T> {
  readonly promise: Promise<T>;
  readonly abort: AbortController;
  waiting: number;
}

/** One call with several waiting callers. It's aborted when all of them have left. */
export class SharedCall<T> {
  readonly #start: (signal: AbortSignal) => Promise<T>;
  readonly #onChange: () => void;
  #running: Running<T> | undefined;

  /** @param onChange called when a call has started, and when none is running anymore */
  constructor(start: (signal: AbortSignal) => Promise<T>, onChange: () => void) {
    this.#start = start;
    this.#onChange = onChange;
  }

  get isRunning(): boolean {
    return this.#running !== undefined;
  }

  /** Joins the running call, or starts one. Rejects with the signal's reason if this caller leaves. */
  async join(signal?: AbortSignal): Promise<T> {
    signal?.throwIfAborted();
    const call = this.#running ?? this.#begin();
    call.waiting += 1;
    if (signal === undefined) return call.promise;
    const left = Promise.withResolvers<never>();
    const leave = () => {
      call.waiting -= 1;
      if (call.waiting === 0) this.#drop(call);
      left.reject(signal.reason);
    };
    signal.addEventListener('abort', leave, { once: true });
    try {
      return await Promise.race([call.promise, left.promise]);
    } finally {
      signal.removeEventListener('abort', leave);
    }
  }

  /** Ends the call for all callers. */
  abort(): void {
    if (this.#running !== undefined) this.#drop(this.#running);
  }

  #begin(): Running<T> {
    const abort = new AbortController();
    const call = { promise: this.#start(abort.signal), abort, waiting: 0 };
    this.#running = call;
    const ended = () => this.#end(call);
    call.promise.then(ended, ended);
    this.#onChange();
    return call;
  }

  #drop(call: Running<T>): void {
    this.#end(call);
    call.abort.abort();
  }

  #end(call: Running<T>): void {
    if (this.#running !== call) return;
    this.#running = undefined;
    this.#onChange();
  }
}
