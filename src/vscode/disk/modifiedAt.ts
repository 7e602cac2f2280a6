import { stat } from 'node:fs/promises';

/** When a file was last written, Unix time in milliseconds; undefined where there is none, or nobody can say. */
export async function modifiedAt(path: string): Promise<number | undefined> {
  try {
    return (await stat(path)).mtimeMs;
  } catch {
    return undefined;
  }
}
