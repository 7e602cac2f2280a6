import { join } from 'node:path';
import { isMissing } from '../../disk/diskError.ts';
import { namesIn } from '../../disk/namesIn.ts';
import { removeFile, removeFileOnce } from '../../disk/removeFile.ts';
import { statFile } from '../../disk/statFile.ts';

/** A file of the history with its size, without bodies. */
export interface LogFile {
  readonly name: string;
  readonly bytes: number;
  readonly modifiedMs: number;
}

/** The files in the history's folder: `<name>.jsonl`, and `<name>.bodies.jsonl` next to it. */
export class LogFiles {
  readonly folder: string;

  constructor(folder: string) {
    this.folder = folder;
  }

  /** Newest first. */
  names(): Promise<readonly string[]> {
    return this.#matching(/^(\d{15})\.jsonl$/);
  }

  /** Including those with only their bodies left. */
  namesOfAll(): Promise<readonly string[]> {
    return this.#matching(/^(\d{15})\.(?:bodies\.)?jsonl$/);
  }

  async #matching(pattern: RegExp): Promise<readonly string[]> {
    const names = (await namesIn(this.folder)).flatMap((entry) => pattern.exec(entry)?.[1] ?? []);
    return [...new Set(names)].sort().toReversed();
  }

  /** Newest first. */
  async all(isWanted: (name: string) => boolean = () => true): Promise<readonly LogFile[]> {
    const files = (await this.names()).filter(isWanted).map((name) => this.file(name));
    return (await Promise.all(files)).filter((file) => file !== undefined);
  }

  /** Undefined for a missing one. */
  async file(name: string): Promise<LogFile | undefined> {
    try {
      const { size: bytes, mtimeMs: modifiedMs } = await statFile(this.rows(name));
      return { name, bytes, modifiedMs };
    } catch (error) {
      if (isMissing(error)) return undefined;
      throw error;
    }
  }

  /** In bytes, by name, of the files whose bodies still exist. */
  async bodySizes(): Promise<ReadonlyMap<string, number>> {
    const names = await this.#matching(/^(\d{15})\.bodies\.jsonl$/);
    return new Map(await Promise.all(names.map(async (name) => [name, await sizeOf(this.bodies(name))] as const)));
  }

  /** In bytes; 0 for a missing file. */
  async sizes(name: string): Promise<{ readonly rows: number; readonly bodies: number }> {
    return { rows: await sizeOf(this.rows(name)), bodies: await sizeOf(this.bodies(name)) };
  }

  rows(name: string): string {
    return join(this.folder, `${name}.jsonl`);
  }

  bodies(name: string): string {
    return join(this.folder, `${name}.bodies.jsonl`);
  }

  /** Sums of all these files. */
  static index(folder: string): string {
    return join(folder, 'index.json');
  }

  /** @param onGone called if it had rows that no other window has deleted at the same time */
  async remove(name: string, onGone?: () => Promise<void>): Promise<void> {
    // While the rows exist, deleting the bodies is retried.
    await this.removeBodies(name);
    if (await removeFileOnce(this.rows(name))) await onGone?.();
    // Another window might have written one in between.
    await this.removeBodies(name);
  }

  removeBodies(name: string): Promise<void> {
    return removeFile(this.bodies(name));
  }

  removeIndex(): Promise<void> {
    return removeFile(LogFiles.index(this.folder));
  }
}

async function sizeOf(path: string): Promise<number> {
  try {
    return (await statFile(path)).size;
  } catch (error) {
    if (isMissing(error)) return 0;
    throw error;
  }
}
