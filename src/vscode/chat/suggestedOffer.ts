import * as vscode from 'vscode';
import type { Attachment, SuggestedContext } from '../../shared/attachment.ts';
import type { Taken } from '../attachments/contextSnapshot.ts';
import { suggestedContext } from '../attachments/suggestedContext.ts';

// A selection changes with every keystroke, so this waits until the user pauses.
const restMs = 200;

export interface SuggestedOfferDeps {
  /** The text editor that the user was in last. */
  readonly editor: () => vscode.TextEditor | undefined;
  /** What is already attached to the message. */
  readonly items: () => readonly Attachment[];
  /** Called when the suggestion changes. */
  readonly changed: () => void;
}

/** Suggests what the user is looking at, until it's added. */
export class SuggestedOffer implements vscode.Disposable {
  readonly #deps: SuggestedOfferDeps;
  readonly #watching: vscode.Disposable;
  /** The state that `changed` was last called for. The page might have seen a newer one, which others haven't. */
  #told: string | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(deps: SuggestedOfferDeps) {
    this.#deps = deps;
    this.#watching = vscode.Disposable.from(
      vscode.window.onDidChangeActiveTextEditor(() => this.#look()),
      vscode.window.onDidChangeTextEditorSelection(() => this.#look()),
    );
  }

  /** For the page, which shows it from now on. */
  show(): SuggestedContext | undefined {
    this.#told ??= this.#state();
    return this.#current();
  }

  /** Adds it, if it's still what the user saw. */
  take(detail: string): Promise<Taken> {
    const offered = suggestedContext(this.#deps.editor());
    return offered?.detail === detail ? offered.take() : Promise.resolve(undefined);
  }

  dispose(): void {
    clearTimeout(this.#timer);
    this.#watching.dispose();
  }

  #current(): SuggestedContext | undefined {
    const offered = suggestedContext(this.#deps.editor());
    if (offered === undefined) return undefined;
    const { kind, name, detail, tokens } = offered;
    const isAdded = this.#deps.items().some((item) => item.kind === kind && item.detail === detail);
    return isAdded ? undefined : { kind, name, detail, tokens };
  }

  /** Something that is already attached isn't offered, but the user is still looking at it. */
  #state(): string {
    return JSON.stringify([this.#current(), suggestedContext(this.#deps.editor())?.kind]);
  }

  #look(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      const state = this.#state();
      if (state === this.#told) return;
      this.#told = state;
      this.#deps.changed();
    }, restMs);
  }
}
