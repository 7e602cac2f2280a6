import type * as vscode from 'vscode';
import { type CheckLeaf, leafIdsOf } from './checkTree.ts';

/** A run of the Testing view. */
export class RunningCheck {
  readonly abort = new AbortController();
  /** What's running now. */
  readonly started = new Set<CheckLeaf>();
  /** Until when it waits for a service that is busy, as Unix time in milliseconds. */
  readonly waits = new Map<CheckLeaf, number>();
  /** Where the files that it's about are now, by the URIs that they had. */
  readonly #uris: Map<string, vscode.Uri>;

  constructor(uris: readonly vscode.Uri[]) {
    this.#uris = new Map(uris.map((uri) => [uri.toString(), uri]));
  }

  /** No more of it runs. */
  ended(leaf: CheckLeaf): void {
    this.started.delete(leaf);
    this.waits.delete(leaf);
  }

  isAbout(uri: vscode.Uri): boolean {
    return [...this.#uris.values()].some((each) => isSame(each, uri));
  }

  /** The current URI of the leaf's file, which might have been renamed since. */
  uriOf({ checks: { uri } }: CheckLeaf): vscode.Uri {
    return this.#uris.get(uri.toString()) ?? uri;
  }

  renamed(from: vscode.Uri, to: vscode.Uri): void {
    for (const [before, now] of this.#uris) if (isSame(now, from)) this.#uris.set(before, to);
  }
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

  /** The IDs of a file's items that are running; undefined if no run is about it. */
  started(uri: vscode.Uri): ReadonlySet<string> | undefined {
    const runs = this.#of(uri);
    if (runs.length === 0) return undefined;
    const leaves = runs.flatMap((run) => [...run.started].filter((leaf) => isSame(run.uriOf(leaf), uri)));
    return new Set(leaves.map(({ loaded, key }) => leafIdsOf(uri, loaded.check.id)(key)));
  }

  /** When the next request to a busy service is sent, as Unix time in milliseconds; undefined if none waits. */
  waitsUntil(uri: vscode.Uri): number | undefined {
    const waits = this.#of(uri).flatMap((run) =>
      [...run.waits].flatMap(([leaf, until]) => (isSame(run.uriOf(leaf), uri) ? [until] : [])),
    );
    return waits.length === 0 ? undefined : Math.min(...waits);
  }

  stop(uri: vscode.Uri): void {
    for (const run of this.#of(uri)) run.abort.abort();
  }

  renamed(from: vscode.Uri, to: vscode.Uri): void {
    for (const run of this.#runs) run.renamed(from, to);
  }

  #of(uri: vscode.Uri): readonly RunningCheck[] {
    return [...this.#runs].filter((run) => run.isAbout(uri));
  }
}

function isSame(one: vscode.Uri, other: vscode.Uri): boolean {
  return one.toString() === other.toString();
}
