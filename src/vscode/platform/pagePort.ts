import type * as vscode from 'vscode';
import { type FailedMessage, messageName } from '../../shared/failedMessage.ts';
import type { Log } from './log.ts';
import { plainMessage } from './plainMessage.ts';

/** The part of a webview that messages pass through. */
export type PageWebview = Pick<vscode.Webview, 'postMessage' | 'onDidReceiveMessage'>;

/** Where it is noted that a message got lost. */
export interface PageLog {
  /** A bug: one side sent what the other doesn't take, or failed at. */
  error(error: Error): void;
  /** Nothing is wrong, but the page will not see this. */
  debug(text: string): void;
}

/** Puts what gets lost between the host and one kind of page into the output channel. */
export function pageLogOf(log: Pick<Log, 'error' | 'debug'>, page: string): PageLog {
  const context = `page ${page}`;
  return { error: (error) => log.error(context, error), debug: (text) => log.debug(`${context}: ${text}`) };
}

/**
 * The only way messages take between the host and a page, both ways. Nothing is lost on it without a line in the log,
 * whichever side drops it, and only plain data crosses.
 */
export class PagePort<ToPage extends { readonly type: string }, ToHost> {
  readonly #webview: PageWebview;
  readonly #log: PageLog;

  constructor(webview: PageWebview, log: PageLog) {
    this.#webview = webview;
    this.#log = log;
  }

  post(message: ToPage): void {
    void this.#deliver(message);
  }

  /** Says that this was not even posted, because no page is there to see it. */
  skipped(message: Pick<ToPage, 'type'>): void {
    this.#log.debug(`No page is open for the message: ${messageName(message)}`);
  }

  /** @param parse gives undefined for what isn't of the protocol */
  onMessage(parse: (value: unknown) => ToHost | undefined, take: (message: ToHost) => void): vscode.Disposable {
    return this.#webview.onDidReceiveMessage((value: unknown) => {
      if (isFailure(value)) {
        this.#log.error(new Error(`A page failed at a message from the host: ${messageName({ type: value.name })}`));
        return;
      }
      const message = parse(value);
      if (message === undefined) {
        this.#log.error(new Error(`A page sent a message outside the protocol: ${messageName(value)}`));
      } else take(message);
    });
  }

  async #deliver(message: ToPage): Promise<void> {
    try {
      const delivered = await this.#webview.postMessage(plainMessage(message));
      // A page that went away asks for a snapshot when it is back.
      if (!delivered) this.#log.debug(`A message did not reach the page: ${messageName(message)}`);
    } catch (error) {
      this.#log.error(new Error(`A message can't be sent to a page: ${messageName(message)}`, { cause: error }));
    }
  }
}

function isFailure(value: unknown): value is FailedMessage {
  return typeof value === 'object' && value !== null && 'type' in value && value.type === 'failedMessage';
}
