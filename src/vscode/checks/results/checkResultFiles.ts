import { createHash } from 'node:crypto';
import { join } from 'node:path';
import type * as vscode from 'vscode';
import {
  type CaseCells,
  type CheckCell,
  type CheckResults,
  checkResultsSchema,
  noCheckResults,
} from '../../../core/checks/checkResult.ts';
import { type FileTrouble, JsonFile } from '../../disk/jsonFile.ts';
import { namesIn } from '../../disk/namesIn.ts';

const ENDING = '.json';
/** A file of checks that doesn't exist might be in another branch, or on a disk that isn't connected. */
const KEPT_MS = 30 * 24 * 60 * 60_000;

/** The newest results of each file of checks, one file each. All windows share them. */
export class CheckResultFiles {
  readonly #folder: string;
  readonly #onTrouble: (trouble: FileTrouble) => void;
  readonly #files = new Map<string, JsonFile<CheckResults>>();
  readonly #known = new Map<string, CheckResults>();

  constructor(folder: string, onTrouble: (trouble: FileTrouble) => void) {
    this.#folder = folder;
    this.#onTrouble = onTrouble;
  }

  async read(uri: vscode.Uri): Promise<void> {
    this.#known.set(uri.toString(), await this.#file(uri).read());
  }

  /** The results of a case, by the model's key, as last read or written here. The same object until they change. */
  cells(uri: vscode.Uri, caseId: string): CaseCells | undefined {
    return this.#known.get(uri.toString())?.cells[caseId];
  }

  /**
   * @param isCase false for cases that no longer exist, whose results are deleted
   * @param replaces false for a result that doesn't replace the one that's there
   */
  async write(
    uri: vscode.Uri,
    cells: readonly { readonly caseId: string; readonly modelKey: string; readonly cell: CheckCell }[],
    isCase: (caseId: string) => boolean,
    replaces: (caseId: string, cell: CheckCell, there: CheckCell) => boolean = () => true,
  ): Promise<void> {
    const written = await this.#file(uri).update((before) => {
      const results = new Map(Object.entries(before.cells).filter(([caseId]) => isCase(caseId)));
      for (const { caseId, modelKey, cell } of cells) {
        const there = results.get(caseId)?.[modelKey];
        if (there !== undefined && !replaces(caseId, cell, there)) continue;
        results.set(caseId, { ...results.get(caseId), [modelKey]: cell });
      }
      return { file: uri.toString(), cells: Object.fromEntries(results) };
    });
    this.#known.set(uri.toString(), written);
  }

  /**
   * Empties the results of a file of checks, so that a window that saves late finds a change instead of a missing file.
   * @returns the experiments with their replies
   */
  async remove(uri: vscode.Uri): Promise<readonly string[]> {
    let experiments: readonly string[] = [];
    const empty = await this.#file(uri).update((before) => {
      experiments = cellsOf(before).map(({ experiment }) => experiment);
      return noCheckResults;
    });
    this.#known.set(uri.toString(), empty);
    return experiments;
  }

  /** The file of checks has a new name. */
  async move(from: vscode.Uri, to: vscode.Uri): Promise<void> {
    const moved = await this.#file(from).read();
    const there = await this.#file(to).update(({ cells }) => {
      // A run that went on in the meantime has newer ones.
      const all = new Map(Object.entries(cells));
      for (const [id, ofCase] of Object.entries(moved.cells)) all.set(id, newestOf(ofCase, all.get(id) ?? {}));
      return { file: to.toString(), cells: Object.fromEntries(all) };
    });
    this.#known.set(to.toString(), there);
    await this.remove(from);
  }

  /**
   * Deletes the results of files of checks that no longer exist, a month after their last run.
   * @param isGone whether a file of checks doesn't exist, by its URI
   */
  async sweep(isGone: (uri: string) => Promise<boolean>): Promise<void> {
    for (const name of await namesIn(this.#folder)) {
      if (!name.endsWith(ENDING)) continue;
      const file = this.#open(join(this.#folder, name));
      const results = await file.read();
      if (results.file === '' || !isOld(results) || !(await isGone(results.file))) continue;
      await file.update((now) => (isOld(now) ? noCheckResults : now));
    }
  }

  /** The experiments with the replies for these results, for all files; undefined if one of them can't be read now. */
  async experiments(): Promise<ReadonlySet<string> | undefined> {
    const found = new Set<string>();
    for (const name of await namesIn(this.#folder)) {
      if (!name.endsWith(ENDING)) continue;
      const file = this.#open(join(this.#folder, name));
      const results = await file.read();
      if (await file.mayHoldMore()) return undefined;
      for (const { experiment } of cellsOf(results)) found.add(experiment);
    }
    return found;
  }

  async settled(): Promise<void> {
    await Promise.all([...this.#files.values()].map((file) => file.settled()));
  }

  #file(uri: vscode.Uri): JsonFile<CheckResults> {
    const key = uri.toString();
    const name = createHash('sha256').update(key).digest('hex').slice(0, 32);
    const file = this.#files.get(key) ?? this.#open(join(this.#folder, name + ENDING));
    this.#files.set(key, file);
    return file;
  }

  #open(path: string): JsonFile<CheckResults> {
    return new JsonFile<CheckResults>({
      path,
      version: 1,
      schema: checkResultsSchema,
      empty: noCheckResults,
      onTrouble: this.#onTrouble,
    });
  }
}

function newestOf(one: CaseCells, other: CaseCells): CaseCells {
  const newest = new Map(Object.entries(one));
  for (const [key, cell] of Object.entries(other))
    if ((newest.get(key)?.at ?? -Infinity) <= cell.at) newest.set(key, cell);
  return Object.fromEntries(newest);
}

function isOld(results: CheckResults): boolean {
  return cellsOf(results).every(({ at }) => at < Date.now() - KEPT_MS);
}

function cellsOf({ cells }: CheckResults): readonly CheckCell[] {
  return Object.values(cells).flatMap((models) => Object.values(models));
}
