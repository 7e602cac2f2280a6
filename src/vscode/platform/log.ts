import type * as vscode from 'vscode';
import { ApiError } from '../../api/apiError.ts';
import type { Exchange } from '../../api/exchange.ts';
import type { TraceSink } from '../../api/transport/wireTrace.ts';
import type { LoggedError } from '../../core/diagnosticReport.ts';
import { errorKind } from '../../core/requests/errorKind.ts';
import { exchangeLine } from './exchangeLine.ts';
import type { Redactor } from './redactor.ts';

/** The part of VS Code's LogOutputChannel that we use. */
export type LogChannel = Pick<
  vscode.LogOutputChannel,
  'trace' | 'debug' | 'info' | 'warn' | 'error' | 'show' | 'dispose'
> & {
  /** A `vscode.LogLevel`. */
  readonly logLevel: number;
};

/** `vscode.LogLevel.Trace`, which isn't loaded here so that the log can be tested without an editor. */
const traceLevel = 1;

/** Number of errors in a report. */
const keptErrors = 10;

/**
 * The output channel "Parlance". Every line passes the redactor. No chat content is logged, unless the user turns that
 * on for the Trace level.
 */
export class Log implements vscode.Disposable {
  readonly #channel: LogChannel;
  readonly #redactor: Redactor;
  readonly #errors: LoggedError[] = [];
  #isClosed = false;

  constructor(channel: LogChannel, redactor: Redactor) {
    this.#channel = channel;
    this.#redactor = redactor;
  }

  debug(text: string): void {
    this.#write('debug', this.#line(text));
  }

  info(text: string): void {
    this.#write('info', this.#line(text));
  }

  warn(text: string): void {
    this.#write('warn', this.#line(text));
  }

  /** One line for each request that has ended. */
  exchange(exchange: Exchange): void {
    const line = exchangeLine(exchange);
    if (exchange.outcome === 'failed') {
      this.warn(line);
    } else {
      this.info(line);
    }
  }

  /** Logs the wire of an exchange, while the channel's level is Trace. */
  traceSink(bodies: boolean): TraceSink | undefined {
    return this.#channel.logLevel === traceLevel
      ? { bodies, line: (text) => this.#write('trace', this.#line(text)) }
      : undefined;
  }

  /** An error outside of the service's responses: a bug, with its stack and its causes. */
  error(context: string, error: unknown): void {
    this.#errors.push({ at: Date.now(), context, kind: errorKind(error) });
    if (this.#errors.length > keptErrors) this.#errors.shift();
    this.#write('error', this.#redactor.clean(`${context}: ${describe(error)}`));
  }

  /** The latest errors, without their messages. */
  get latestErrors(): readonly LoggedError[] {
    return this.#errors;
  }

  show(): void {
    this.#channel.show(true);
  }

  dispose(): void {
    this.#isClosed = true;
    this.#channel.dispose();
  }

  /** VS Code's channel throws once it's closed, but what was running when the window closed still ends after that. */
  #write(level: 'trace' | 'debug' | 'info' | 'warn' | 'error', line: string): void {
    if (!this.#isClosed) this.#channel[level](line);
  }

  /** On one line each, so that foreign text can't forge another one. */
  #line(text: string): string {
    return this.#redactor.clean(text).replace(/[\p{Cc}\u2028\u2029]+/gu, ' ');
  }
}

function describe(error: unknown): string {
  if (error instanceof ApiError) {
    const cause = error.cause === undefined ? '' : `\n  caused by ${describe(error.cause)}`;
    return `${JSON.stringify(error.failure)}${cause}`;
  }
  if (!(error instanceof Error)) {
    return String(error);
  }
  const cause = error.cause === undefined ? '' : `\n  caused by ${describe(error.cause)}`;
  return `${error.stack ?? error.message}${cause}`;
}
