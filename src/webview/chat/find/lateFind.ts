import type { FoundMessage } from '../../../shared/protocol/chatProtocol.ts';
import type { ConversationFind, FindFrame } from './conversationFind.ts';
import { FindBar } from './findBar.ts';

/** Find in the conversation. The bar is there right away, for the user's input; the search is loaded with it. */
export class LateFind {
  readonly bar: FindBar;
  readonly #frame: FindFrame & { readonly closed: () => void };
  #find: ConversationFind | undefined;
  #loading: Promise<ConversationFind> | undefined;
  #searches = 0;

  constructor(frame: FindFrame & { readonly closed: () => void }) {
    this.#frame = frame;
    this.bar = new FindBar({
      search: () => this.#search(),
      next: (step) => this.#do((find) => find.go(step)),
      close: () => this.close(),
    });
  }

  open(): void {
    this.bar.open();
    this.#search();
  }

  close(): void {
    if (!this.#isOpen) return;
    this.bar.close();
    this.#find?.end();
    this.#frame.closed();
  }

  /** What the host found in messages that aren't loaded. */
  foundOlder(request: number, older: readonly FoundMessage[]): void {
    this.#find?.foundOlder(request, older);
  }

  /** Messages arrived, changed, or were rendered. */
  changed(): void {
    if (this.#isOpen) this.#find?.changed();
  }

  get #isOpen(): boolean {
    return !this.bar.element.hidden;
  }

  /**
   * Of the actions that wait until the search is loaded, only the last one is done: they'd all search for the same
   * text.
   */
  #search(): void {
    this.#searches += 1;
    const number = this.#searches;
    this.#do((find) => {
      if (number === this.#searches) find.search();
    });
  }

  #do(act: (find: ConversationFind) => void): void {
    if (this.#find === undefined) void this.#doOnceLoaded(act);
    else act(this.#find);
  }

  /** In the order of the user's actions, unless they've closed the bar by then. */
  async #doOnceLoaded(act: (find: ConversationFind) => void): Promise<void> {
    this.#loading ??= this.#load();
    const find = await this.#loading;
    if (this.#isOpen) act(find);
  }

  async #load(): Promise<ConversationFind> {
    const { ConversationFind: Find } = await import('./conversationFind.ts');
    this.#find = new Find(this.#frame, this.bar);
    return this.#find;
  }
}
