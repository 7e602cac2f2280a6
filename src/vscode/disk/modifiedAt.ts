import { stat } from 'node:fs/promises';

/** When a file was last written, as Unix time in milliseconds; undefined if it is missing or can't be read. */
export async function modifiedAt(path: string): Promise<number | undefined> {
  try {
    return (await stat(path)).mtimeMs;
  } catch {
    return undefined;
  }
}
