import type * as vscode from 'vscode';

/** A run of the Testing view. */
export interface RunningCheck {
  /** URIs of the files that it's about. */
  readonly uris: ReadonlySet<string>;
  /** IDs of the items that are running now. */
  readonly started: Set<string>;
  readonly abort: () => void;
}

/** The runs that haven't ended. Several can be about the same file. */
export class RunningChecks {
  readonly #runs = new Set<RunningCheck>();

  begin(run: RunningCheck): void {
    this.#runs.add(run);
  }

  end(run: RunningCheck): void {
    this.#runs.delete(run);
  }

  /** The items of a file that are running; undefined if no run is about it. */
  started(uri: vscode.Uri): ReadonlySet<string> | undefined {
    const runs = this.#of(uri);
    return runs.length === 0 ? undefined : new Set(runs.flatMap(({ started }) => [...started]));
  }

  stop(uri: vscode.Uri): void {
    for (const run of this.#of(uri)) run.abort();
  }

  #of(uri: vscode.Uri): readonly RunningCheck[] {
    const text = uri.toString();
    return [...this.#runs].filter(({ uris }) => uris.has(text));
  }
}
