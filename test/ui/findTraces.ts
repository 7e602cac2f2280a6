import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * Files in the folder that contain the text: as UTF-8, as UTF-16 in either byte order, or inside Base64. Links aren't
 * followed.
 */
export async function findTraces(folder: string, text: string): Promise<readonly string[]> {
  const traces = formsOf(text);
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const found: string[] = [];
  for (const entry of entries.filter((candidate) => candidate.isFile())) {
    const file = join(entry.parentPath, entry.name);
    // A file that has disappeared contains nothing.
    const bytes = await readFile(file).catch(() => Buffer.alloc(0));
    if (traces.some((trace) => bytes.includes(trace))) found.push(file);
  }
  return found;
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
