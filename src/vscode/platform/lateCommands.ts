import * as vscode from 'vscode';
import { DisposableList } from './disposables.ts';

type Handler = (...given: never[]) => unknown;

/** Where a feature puts what its commands do. */
export interface CommandHandlers {
  handle(id: string, run: Handler): void;
}

/** Commands that are there from activation on, and whose features are loaded when the first of them is run. */
export class LateCommands implements CommandHandlers, vscode.Disposable {
  readonly #own = new DisposableList();
  readonly #taken = new Set<string>();
  readonly #handlers = new Map<string, Handler>();
  readonly #ran: (id: string) => void;

  /** @param ran told of each command that is run, by whoever */
  constructor(ran: (id: string) => void) {
    this.#ran = ran;
  }

  /** @param load has to have handled each of the ids when it settles */
  take(ids: readonly string[], load: () => Promise<unknown>): void {
    for (const id of ids) {
      this.#taken.add(id);
      this.#own.add(
        vscode.commands.registerCommand(id, async (...given: readonly unknown[]): Promise<unknown> => {
          this.#ran(id);
          await load();
          // Of all, so that one that is forgotten shows at the first use of its feature.
          const missing = ids.find((each) => !this.#handlers.has(each));
          const run = this.#handlers.get(id);
          if (missing !== undefined || run === undefined) throw new Error(`Nothing handles the command ${missing}`);
          return Reflect.apply(run, undefined, given);
        }),
      );
    }
  }

  handle(id: string, run: Handler): void {
    if (!this.#taken.has(id)) throw new Error(`Nobody can run the command ${id}`);
    this.#handlers.set(id, run);
  }

  dispose(): void {
    this.#own.dispose();
  }
}
