import { createHash } from 'node:crypto';
import { join } from 'node:path';
import type * as vscode from 'vscode';
import { type CheckCell, type CheckResults, checkResultsSchema } from '../../core/checks/checkResult.ts';
import { type FileTrouble, JsonFile } from '../disk/jsonFile.ts';

/** The newest results of each file of checks, in a file each. All windows share them. */
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

  /** As last read or written here. */
  cell(uri: vscode.Uri, caseId: string, modelKey: string): CheckCell | undefined {
    return this.#known.get(uri.toString())?.[caseId]?.[modelKey];
  }

  /** The keys of all models that have results for a case. */
  modelKeys(uri: vscode.Uri, caseId: string): readonly string[] {
    return Object.keys(this.#known.get(uri.toString())?.[caseId] ?? {});
  }

  /** @param isCase cases that are no more lose their results */
  async write(
    uri: vscode.Uri,
    cells: readonly { readonly caseId: string; readonly modelKey: string; readonly cell: CheckCell }[],
    isCase: (caseId: string) => boolean,
  ): Promise<void> {
    const written = await this.#file(uri).update((before) => {
      const results = new Map(Object.entries(before).filter(([caseId]) => isCase(caseId)));
      for (const { caseId, modelKey, cell } of cells) {
        results.set(caseId, { ...results.get(caseId), [modelKey]: cell });
      }
      return Object.fromEntries(results);
    });
    this.#known.set(uri.toString(), written);
  }

  async settled(): Promise<void> {
    await Promise.all([...this.#files.values()].map((file) => file.settled()));
  }

  #file(uri: vscode.Uri): JsonFile<CheckResults> {
    const key = uri.toString();
    const name = createHash('sha256').update(key).digest('hex').slice(0, 32);
    const file =
      this.#files.get(key) ??
      new JsonFile<CheckResults>({
        path: join(this.#folder, `${name}.json`),
        version: 1,
        schema: checkResultsSchema,
        empty: {},
        onTrouble: this.#onTrouble,
      });
    this.#files.set(key, file);
    return file;
  }
}
