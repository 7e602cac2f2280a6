import type { ToPage } from '../../../shared/chatProtocol.ts';
import type { Problem } from '../../../shared/problem.ts';
import { type ChatState, initialState } from './chatState.ts';
import { reduce } from './reduce.ts';

/** The page's only state, and the few changes that it makes to it on its own. */
export class PageState {
  #now: ChatState = initialState;
  readonly #draw: (before: ChatState) => void;

  /** @param draw draws what one of the page's own changes made different */
  constructor(draw: (before: ChatState) => void) {
    this.#draw = draw;
  }

  get now(): ChatState {
    return this.#now;
  }

  /** Takes in a message from the host. It's drawn by whoever handles the message. */
  receive(message: ToPage): void {
    this.#now = reduce(this.#now, message);
  }

  /** @param refusal why a message wasn't sent; undefined if that's settled or dismissed */
  refuse(refusal: Problem | undefined): void {
    const { refusal: _settled, ...rest } = this.#now;
    this.#change(refusal === undefined ? rest : { ...rest, refusal });
  }

  /** What was deleted can no longer be restored from here. */
  forgetUndo(): void {
    this.#change({ ...this.#now, undoable: [] });
  }

  /** Dismisses the warning that the conversation isn't saved, until that changes. */
  forgetUnsaved(): void {
    const { unsaved: _before, ...rest } = this.#now;
    this.#change(rest);
  }

  #change(next: ChatState): void {
    const before = this.#now;
    this.#now = next;
    this.#draw(before);
  }
}
