import * as vscode from 'vscode';
import { DisposableList } from './disposables.ts';

type Handler = (...given: never[]) => unknown;

/** Where a feature registers its command handlers. */
export interface CommandHandlers {
  handle(id: string, run: Handler): void;
}

/** Commands that exist from activation on, but whose feature is loaded when the first of them is run. */
export class LateCommands implements CommandHandlers, vscode.Disposable {
  readonly #own = new DisposableList();
  readonly #taken = new Set<string>();
  readonly #handlers = new Map<string, Handler>();
  readonly #ran: (id: string) => void;

  /** @param ran called for each command that is run, no matter from where */
  constructor(ran: (id: string) => void) {
    this.#ran = ran;
  }

  /** @param load must have handled each of the IDs when it settles */
  take(ids: readonly string[], load: () => Promise<unknown>): void {
    for (const id of ids) {
      this.#taken.add(id);
      this.#own.add(
        vscode.commands.registerCommand(id, async (...given: readonly unknown[]): Promise<unknown> => {
          this.#ran(id);
          await load();
          // All of them, so that a forgotten one fails with the first use of its feature.
          const missing = ids.find((each) => !this.#handlers.has(each));
          const run = this.#handlers.get(id);
          if (missing !== undefined || run === undefined) throw new Error(`Nothing handles the command ${missing}`);
          return Reflect.apply(run, undefined, given);
        }),
      );
    }
  }

  handle(id: string, run: Handler): void {
    if (!this.#taken.has(id)) throw new Error(`No feature runs the command ${id}`);
    this.#handlers.set(id, run);
  }

  dispose(): void {
    this.#own.dispose();
  }
}
