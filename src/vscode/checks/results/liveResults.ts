import type * as vscode from 'vscode';
import type { CaseCells, CheckCell } from '../../../core/checks/checkResult.ts';
import { Paced } from '../../../shared/paced.ts';
import type { CheckResultFiles } from './checkResultFiles.ts';
import type { CheckLeaf } from '../checkTree.ts';
import type { LoadedCase, LoadedChecks } from '../checksFiles.ts';
import { withoutQuotes } from './keptReplies.ts';

export interface LiveResultsDeps {
  readonly files: Pick<CheckResultFiles, 'cells' | 'write'>;
  /** A file of checks as it's now. */
  readonly fileNow: (uri: vscode.Uri) => LoadedChecks | undefined;
  /** Whether the text of replies stays on disk. */
  readonly keepsReplies: () => boolean;
  readonly onError: (error: unknown) => void;
}

interface Unsaved {
  /** The current URI of its file. */
  readonly uri: vscode.Uri;
  readonly leaf: CheckLeaf;
  readonly cell: CheckCell;
}

/** What isn't on disk yet of a case, by the model's key. */
interface UnsavedCase {
  readonly cells: Map<string, Unsaved>;
  /** With what's on disk. */
  all?: { readonly stored: CaseCells; readonly cells: CaseCells };
}

const none: CaseCells = {};

/** The results of checks: those on disk, and newer ones that follow. */
export class LiveResults {
  readonly #deps: LiveResultsDeps;
  /** By the file's URI, then by the case's ID. */
  readonly #unsaved = new Map<string, Map<string, UnsavedCase>>();
  /** A thousand cases are asked for again and again, and hardly any of them change in between. */
  readonly #current = new WeakMap<LoadedCase, { readonly all: CaseCells; readonly current: CaseCells }>();
  /** The file of results is written as a whole, so during a long run it isn't written after each result. */
  readonly #saving = new Paced(
    () => this.#save().catch((error: unknown) => this.#deps.onError(error)),
    { leastMs: 300, share: 0.01 },
    globalThis,
  );

  constructor(deps: LiveResultsDeps) {
    this.#deps = deps;
  }

  /** The current results of a case, by the model's key; those from before it changed don't count. */
  of({ uri }: LoadedChecks, loaded: LoadedCase): CaseCells {
    const all = this.#all(uri, loaded.check.id);
    const known = this.#current.get(loaded);
    if (known?.all === all) return known.current;
    const { fingerprint } = loaded;
    const isCurrent = (cell: CheckCell) => cell.fingerprint === fingerprint;
    const current = Object.values(all).every(isCurrent)
      ? all
      : Object.fromEntries(Object.entries(all).filter(([, cell]) => isCurrent(cell)));
    this.#current.set(loaded, { all, current });
    return current;
  }

  /**
   * Counts at once, and is saved soon, unless the case has changed since the run began and was run again.
   * @param uri of the file now, which might have been renamed since the run began
   * @returns whether it's kept
   */
  add(leaf: CheckLeaf, cell: CheckCell, uri: vscode.Uri): boolean {
    const { loaded, key } = leaf;
    const there = this.#all(uri, loaded.check.id)[key];
    const now = this.#deps.fileNow(uri)?.cases.find(({ check: { id } }) => id === loaded.check.id);
    if (isOutdated(cell, there, now?.fingerprint)) return false;
    const file = uri.toString();
    const ofFile = this.#unsaved.get(file) ?? new Map<string, UnsavedCase>();
    this.#unsaved.set(file, ofFile);
    const ofCase = ofFile.get(loaded.check.id) ?? { cells: new Map<string, Unsaved>() };
    ofFile.set(loaded.check.id, ofCase);
    ofCase.cells.set(key, { uri, leaf, cell });
    delete ofCase.all;
    this.#saving.soon();
    return true;
  }

  /** What isn't on disk yet belongs to the new name. */
  renamed(from: vscode.Uri, to: vscode.Uri): void {
    const ofFile = this.#unsaved.get(from.toString());
    this.#unsaved.delete(from.toString());
    for (const { cells } of ofFile?.values() ?? [])
      for (const { leaf, cell } of cells.values()) this.add(leaf, cell, to);
  }

  /** Settles when everything so far is on disk, or the failure was reported. */
  async saved(): Promise<void> {
    await this.#saving.now();
  }

  #all(uri: vscode.Uri, caseId: string): CaseCells {
    const stored = this.#deps.files.cells(uri, caseId) ?? none;
    const unsaved = this.#unsaved.size === 0 ? undefined : this.#unsaved.get(uri.toString())?.get(caseId);
    if (unsaved === undefined) return stored;
    if (unsaved.all?.stored !== stored) {
      const cells = Array.from(unsaved.cells, ([key, { cell }]) => [key, cell] as const);
      unsaved.all = { stored, cells: { ...stored, ...Object.fromEntries(cells) } };
    }
    return unsaved.all.cells;
  }

  async #save(): Promise<void> {
    // What arrives in the meantime waits for the next save.
    const all = [...this.#unsaved];
    for (const [key, ofFile] of all) {
      const saving = [...ofFile.values()].flatMap(({ cells }) => [...cells.values()]);
      const [first] = saving;
      if (first === undefined) continue;
      const { uri, leaf: begun } = first;
      const now = this.#deps.fileNow(uri);
      // The file might have changed since. While it has errors, nobody knows which cases it will have.
      const isComplete = now !== undefined && !now.file.remarks.some(({ severity }) => severity === 'error');
      const ids = new Set([...begun.checks.cases, ...(now?.cases ?? [])].map(({ check }) => check.id));
      const keepsReplies = this.#deps.keepsReplies();
      const written = saving.map(({ leaf, cell }) => ({
        caseId: leaf.loaded.check.id,
        modelKey: leaf.key,
        cell: keepsReplies ? cell : withoutQuotes(cell),
      }));
      const fingerprints = new Map(now?.cases.map(({ check, fingerprint }) => [check.id, fingerprint]));
      await this.#deps.files.write(
        uri,
        written,
        (id) => !isComplete || ids.has(id),
        // Another window might have run it since.
        (id, cell, there) => !isOutdated(cell, there, fingerprints.get(id)),
      );
      for (const saved of saving) forget(ofFile, saved);
      if (ofFile.size === 0) this.#unsaved.delete(key);
    }
  }
}

/** Whether the result of a case before it changed would replace one of the case as it's now. */
function isOutdated(cell: CheckCell, there: CheckCell | undefined, fingerprint: string | undefined): boolean {
  return fingerprint !== undefined && there?.fingerprint === fingerprint && cell.fingerprint !== fingerprint;
}

/** Unless a newer one has followed. */
function forget(ofFile: Map<string, UnsavedCase>, saved: Unsaved): void {
  const { loaded, key } = saved.leaf;
  const ofCase = ofFile.get(loaded.check.id);
  if (ofCase?.cells.get(key) !== saved) return;
  ofCase.cells.delete(key);
  delete ofCase.all;
  if (ofCase.cells.size === 0) ofFile.delete(loaded.check.id);
}
