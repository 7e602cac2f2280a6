import type { LoggedRequest } from '../../core/requests/requestLog.ts';

/** The requests that are being run again in this window, so that a page about one can stop it. */
export class RunningAgain {
  readonly #running: { readonly repeats: string; readonly abort: AbortController }[] = [];

  /** @returns a function to call when it's over */
  began(repeats: string, abort: AbortController): () => void {
    const entry = { repeats, abort };
    this.#running.push(entry);
    return () => void this.#running.splice(this.#running.indexOf(entry), 1);
  }

  stop({ origin }: Pick<LoggedRequest, 'origin'>): void {
    for (const { repeats, abort } of this.#running) if (repeats === origin.repeats) abort.abort();
  }
}
