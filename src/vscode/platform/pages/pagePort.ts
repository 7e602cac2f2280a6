import * as v from 'valibot';
import type * as vscode from 'vscode';
import { type FailedMessage, messageName, type Sent } from '../../../shared/protocol/pageMessage.ts';
import type { Log } from '../log.ts';
import { plainMessage } from './plainMessage.ts';

/** The part of a webview that messages pass through. */
export type PageWebview = Pick<vscode.Webview, 'postMessage' | 'onDidReceiveMessage'>;

/** Where lost messages are noted. */
export interface PageLog {
  /** A bug: one side sent something that the other doesn't accept, or fails on. */
  error(error: Error): void;
  /** Nothing is wrong, but the page won't see this. */
  debug(text: string): void;
}

/** Logs messages that are lost between the host and one kind of page. */
export function pageLogOf(log: Pick<Log, 'error' | 'debug'>, page: string): PageLog {
  const context = `page ${page}`;
  return { error: (error) => log.error(context, error), debug: (text) => log.debug(`${context}: ${text}`) };
}

/**
 * The only channel between the host and a page, in both directions. Every lost message is logged, no matter which side
 * drops it, and only plain data is sent.
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

  /** Logs that this wasn't even posted, because there's no page to see it. */
  skipped(message: Pick<ToPage, 'type'>): void {
    this.#log.debug(`No page is open for the message: ${messageName(message)}`);
  }

  /** Checks each message of the page, and passes on those that are in the protocol. */
  onMessage(schema: v.GenericSchema<unknown, ToHost>, take: (message: ToHost) => void): vscode.Disposable {
    return this.#webview.onDidReceiveMessage((value: unknown) => {
      if (isFailure(value)) {
        this.#log.error(new Error(`A page failed at a message from the host: ${messageName({ type: value.name })}`));
        return;
      }
      const message = v.safeParse(schema, value);
      if (message.success) take(message.output);
      else this.#log.error(new Error(`A page sent a message outside the protocol: ${messageName(value)}`));
    });
  }

  async #deliver(message: ToPage): Promise<void> {
    const sent: ToPage & Sent = { ...message, sentAt: Date.now() };
    try {
      const delivered = await this.#webview.postMessage(plainMessage(sent));
      // A page that went away asks for a snapshot when it's back.
      if (!delivered) this.#log.debug(`A message did not reach the page: ${messageName(message)}`);
    } catch (error) {
      this.#log.error(new Error(`A message can't be sent to a page: ${messageName(message)}`, { cause: error }));
    }
  }
}

function isFailure(value: unknown): value is FailedMessage {
  return typeof value === 'object' && value !== null && 'type' in value && value.type === 'failedMessage';
}
