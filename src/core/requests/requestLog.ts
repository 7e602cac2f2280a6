import { mainServiceId, type ModelRef, modelRef } from '../../shared/modelRef.ts';
import type { RequestEnd, RequestRecord, RequestStart } from './requestRecord.ts';

/** One request of the history. */
export interface LoggedRequest extends Omit<RequestStart, 'type' | 'model'> {
  readonly model?: ModelRef;
  /** Absent while it's running, and for good if its window was closed. */
  readonly end?: Omit<RequestEnd, 'type' | 'id' | 'writer'>;
}

/** ID of the service. */
export function serviceOf({ service = mainServiceId }: Pick<RequestStart, 'service'>): string {
  return service;
}

/** `unknown`: it started, but its window was closed before it ended. */
export type RequestState = 'running' | 'unknown' | RequestEnd['outcome'];

export function requestState(request: LoggedRequest, isAlive: (request: LoggedRequest) => boolean): RequestState {
  if (request.end !== undefined) return request.end.outcome;
  return isAlive(request) ? 'running' : 'unknown';
}

/** Requests as the sum of their records, no matter in which order and how often they arrive. */
export class RequestLog {
  readonly #byId = new Map<string, LoggedRequest>();
  readonly #endsWithoutStart = new Map<string, RequestEnd>();
  readonly #deleted = new Set<string>();

  get size(): number {
    return this.#byId.size;
  }

  find(id: string): LoggedRequest | undefined {
    return this.#byId.get(id);
  }

  /** In no particular order. */
  all(): IterableIterator<LoggedRequest> {
    return this.#byId.values();
  }

  /** @returns whether anything changed. */
  apply(record: RequestRecord): boolean {
    switch (record.type) {
      case 'started':
        return this.#start(record);
      case 'ended':
        return this.#finish(record);
      case 'deleted': {
        for (const id of record.ids) this.#deleted.add(id);
        return record.ids.map((id) => this.forget(id)).includes(true);
      }
    }
  }

  /** The file that contained a request is gone. */
  forget(id: string): boolean {
    return this.#byId.delete(id);
  }

  #start(record: RequestStart): boolean {
    const { type: _, model, ...start } = record;
    if (this.#byId.has(start.id) || this.#deleted.has(start.id)) return false;
    const ref = model !== undefined && { model: modelRef(serviceOf(start), model) };
    this.#byId.set(start.id, { ...start, ...ref });
    const end = this.#endsWithoutStart.get(start.id);
    if (end !== undefined) this.#finish(end);
    return true;
  }

  #finish(record: RequestEnd): boolean {
    const { type: _type, id, writer: _writer, ...end } = record;
    const request = this.#byId.get(id);
    if (request === undefined) {
      if (!this.#deleted.has(id)) this.#endsWithoutStart.set(id, record);
      return false;
    }
    if (request.end !== undefined) return false;
    this.#endsWithoutStart.delete(id);
    this.#byId.set(id, { ...request, end });
    return true;
  }
}

/** Newest first; at equal times, in a fixed order. */
export function newestFirst(requests: Iterable<LoggedRequest>): LoggedRequest[] {
  return [...requests].sort((a, b) => b.at - a.at || (a.id < b.id ? 1 : -1));
}
