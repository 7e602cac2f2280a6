import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * Errors in the log of each extension host, with their stacks. VS Code catches errors in event listeners, and for an
 * extension that is linked into its folder it reports them nowhere else.
 */
export async function hostErrors(logFolder: string): Promise<readonly string[]> {
  const entries = await readdir(logFolder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile() && entry.name.endsWith('exthost.log'));
  const texts = await Promise.all(files.map(({ parentPath, name }) => readFile(join(parentPath, name), 'utf8')));
  // An entry can span many lines, with its stack.
  return texts.flatMap((text) => text.split(/^(?=\d{4}-\d\d-\d\d )/m)).filter((entry) => entry.includes(' [error] '));
}
