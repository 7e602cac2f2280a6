import type { ErrorFields } from './serviceError.ts';

/** What a request is for; `file`: the download of a generated file. */
export type RequestKind = 'chat' | 'multimodal' | 'image' | 'video' | 'audio' | 'models' | 'file';

/** One request as the service saw it. Unknown fields are absent. */
export interface LogEntry {
  /** The request ID, as in the `x-request-id` header. */
  readonly id: string;
  /** Unix time in milliseconds. */
  readonly at: number;
  readonly method: string;
  readonly path: string;
  /** The form of the host that the request was sent to. */
  readonly host: 'current' | 'legacy';
  readonly authorization: 'right' | 'wrong' | 'missing';
  /** As received, except for the value of `authorization`, which is never kept. */
  readonly requestHeaders: Readonly<Record<string, string | readonly string[] | undefined>>;
  /** Absent for an unknown path. */
  readonly kind?: RequestKind;
  /** Parsed JSON, as received; for a form, its fields with the file's name, type, and size. */
  readonly requestBody?: unknown;
  readonly model?: string;
  readonly stream?: boolean;
  /** The response's, once it started. */
  readonly status?: number;
  readonly error?: ErrorFields;
  readonly promptTokens?: number;
  /** Tokens written so far. */
  readonly completionTokens?: number;
  /** What was generated or heard other than text, in words. */
  readonly made?: string;
  /** Credits. */
  readonly cost?: number;
  readonly finishReason?: string;
  readonly ttftSeconds?: number;
  readonly tps?: number;
  readonly totalSeconds?: number;
  /** `canceled`: the client left first. `failed`: an error status, or a response that the service broke. */
  readonly outcome: 'running' | 'done' | 'canceled' | 'failed';
  /** From the arrival of the request to the moment the client was noticed to be gone. */
  readonly canceledAfterMs?: number;
}

export type LogChange = Partial<Omit<LogEntry, 'id' | 'at'>>;

interface Waiter {
  readonly predicate: (entry: LogEntry) => boolean;
  readonly resolve: (entry: LogEntry) => void;
}

/** The account's inference log, in memory. The oldest entries are removed when it's full. */
export class InferenceLog {
  readonly #capacity: number;
  readonly #entries = new Map<string, LogEntry>();
  readonly #waiters = new Set<Waiter>();

  constructor(capacity: number) {
    this.#capacity = capacity;
  }

  /** Oldest first. */
  get entries(): readonly LogEntry[] {
    return [...this.#entries.values()];
  }

  add(entry: LogEntry): void {
    this.#entries.set(entry.id, entry);
    const oldest = this.#entries.keys().next();
    if (this.#entries.size > this.#capacity && !oldest.done) this.#entries.delete(oldest.value);
    this.#announce(entry);
  }

  change(id: string, change: LogChange): void {
    const entry = this.#entries.get(id);
    if (!entry) return;
    const changed = { ...entry, ...change };
    this.#entries.set(id, changed);
    this.#announce(changed);
  }

  /**
   * The first matching entry, past or future; checked again at every change.
   * @throws if none matches in time, with the log's last entries in the message
   */
  waitFor(predicate: (entry: LogEntry) => boolean, timeoutMs = 60_000): Promise<LogEntry> {
    const present = this.entries.find(predicate);
    if (present) return Promise.resolve(present);
    return new Promise((resolve, reject) => {
      const waiter: Waiter = {
        predicate,
        resolve: (entry) => {
          clearTimeout(timer);
          this.#waiters.delete(waiter);
          resolve(entry);
        },
      };
      const timer = setTimeout(() => {
        this.#waiters.delete(waiter);
        const seen = JSON.stringify(this.entries.slice(-5), undefined, 2);
        reject(new Error(`No log entry fitted within ${timeoutMs} ms. The last ones:\n${seen}`));
      }, timeoutMs);
      this.#waiters.add(waiter);
    });
  }

  #announce(entry: LogEntry): void {
    for (const waiter of this.#waiters) {
      if (waiter.predicate(entry)) waiter.resolve(entry);
    }
  }
}
