import type { Dirent } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * Files in the folder that contain the text: as UTF-8, as UTF-16 in either byte order, or inside Base64. Links aren't
 * followed.
 */
export async function findTraces(folder: string, text: string): Promise<readonly string[]> {
  const traces = formsOf(text);
  const found: string[] = [];
  const search = async (entries: readonly Dirent[]): Promise<void> => {
    for (const entry of entries) {
      const path = join(entry.parentPath, entry.name);
      if (entry.isDirectory()) await search((await unlessGone(readdir(path, { withFileTypes: true }))) ?? []);
      if (!entry.isFile()) continue;
      const bytes = await unlessGone(readFile(path));
      if (bytes !== undefined && traces.some((trace) => bytes.includes(trace))) found.push(path);
    }
  };
  await search(await readdir(folder, { withFileTypes: true }));
  return found;
}

/** What has disappeared contains nothing. */
async function unlessGone<T>(reading: Promise<T>): Promise<T | undefined> {
  return reading.catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  });
}

function formsOf(text: string): readonly Buffer[] {
  const utf8 = Buffer.from(text);
  return [utf8, Buffer.from(text, 'utf16le'), Buffer.from(text, 'utf16le').swap16(), ...base64FormsOf(utf8)];
}

/**
 * The part of its Base64 that doesn't depend on what is before and after it, for each of the three possible offsets.
 */
function base64FormsOf(bytes: Buffer): readonly Buffer[] {
  return [0, 1, 2].flatMap((shift) => {
    const whole = bytes.subarray((3 - shift) % 3);
    const encoded = whole.subarray(0, whole.length - (whole.length % 3));
    return [Buffer.from(encoded.toString('base64')), Buffer.from(encoded.toString('base64url'))];
  });
}
