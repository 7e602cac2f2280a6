import { glob } from 'node:fs/promises';
import { resolve } from 'node:path';

/** The absolute paths that match one of the patterns, in alphabetical order. */
export async function findFiles(pattern: string, exclude: readonly string[] = []): Promise<string[]> {
  const found: string[] = [];
  for await (const file of glob(pattern, { exclude })) found.push(resolve(file));
  return found.toSorted();
}
