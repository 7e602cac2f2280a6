import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { InferenceLog, LogChange } from './inferenceLog.ts';
import { errorEnvelope, type ServiceError } from './serviceError.ts';

interface ExchangeParts {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly host: 'current' | 'legacy';
  readonly path: string;
  readonly apiKey: string;
  readonly log: InferenceLog;
  /** Unix time in milliseconds. */
  readonly now: () => number;
}

/** One request and its response, with its line in the log. */
export class Exchange {
  readonly id = `req_${randomUUID().replaceAll('-', '').slice(0, 20)}`;
  /** On the clock of `performance.now()`. */
  readonly arrivedAt = performance.now();
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly host: 'current' | 'legacy';
  readonly path: string;
  readonly authorization: 'right' | 'wrong' | 'missing';
  readonly #log: InferenceLog;
  readonly #gone = new AbortController();
  #settled = false;

  constructor({ request, response, host, path, apiKey, log, now }: ExchangeParts) {
    this.request = request;
    this.response = response;
    this.host = host;
    this.path = path;
    this.#log = log;
    const { authorization, ...requestHeaders } = request.headers;
    this.authorization = judgeAuthorization(authorization, apiKey);
    log.add({
      id: this.id,
      at: now(),
      method: request.method ?? '',
      path,
      host,
      authorization: this.authorization,
      requestHeaders,
      outcome: 'running',
    });
    response.setHeader('x-request-id', this.id);
    response.once('close', () => {
      if (response.writableFinished) return;
      this.settle('canceled', { canceledAfterMs: performance.now() - this.arrivedAt });
      this.#gone.abort();
    });
    // A client that resets its connection cancels, which 'close' reports; without a listener, the error would end the
    // process.
    response.on('error', () => {});
  }

  /** Aborts if the client leaves before the end of the response. */
  get signal(): AbortSignal {
    return this.#gone.signal;
  }

  record(change: LogChange): void {
    this.#log.change(this.id, change);
  }

  /** Sets the outcome. Only the first call counts: later reports of a broken connection don't. */
  settle(outcome: 'done' | 'canceled' | 'failed', change: LogChange = {}): void {
    if (this.#settled) {
      this.record(change);
      return;
    }
    this.#settled = true;
    this.record({ ...change, outcome });
  }

  sendJson(status: number, body: unknown, headers: Readonly<Record<string, string>> = {}): void {
    const bytes = Buffer.from(JSON.stringify(body));
    this.record({ status });
    this.response.writeHead(status, { ...headers, 'content-type': 'application/json', 'content-length': bytes.length });
    this.response.end(bytes);
  }

  sendError(error: ServiceError): void {
    this.settle('failed', { error: error.fields });
    this.sendJson(error.status, errorEnvelope(error.fields, this.id), error.headers);
  }
}

function judgeAuthorization(header: string | undefined, apiKey: string): 'right' | 'wrong' | 'missing' {
  if (header === undefined) return 'missing';
  return /^bearer +(\S+)$/i.exec(header)?.[1] === apiKey ? 'right' : 'wrong';
}
