import { createHash } from 'node:crypto';
import { mkdir, rename, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';

/** The file of a service in this folder. Its name tells no address. */
export function serviceFile(folder: string, service: string, ending: string): string {
  return join(folder, createHash('sha256').update(service).digest('hex').slice(0, 16) + ending);
}

/** By rename, so that another window never reads half a file. */
export async function replaceFile(path: string, text: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  const temporary = `${path}.${crypto.randomUUID()}.tmp`;
  await writeFile(temporary, text);
  await rename(temporary, path);
}
