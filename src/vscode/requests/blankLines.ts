import { open } from 'node:fs/promises';
import { isMissing } from '../disk/diskError.ts';

/**
 * Overwrites the lines of these ids with blanks where they stand. Nothing moves, so a window that appends meanwhile is
 * not disturbed, and what was taken away is not on the disk any more.
 */
export async function blankLines(path: string, ids: ReadonlySet<string>): Promise<void> {
  let file;
  try {
    file = await open(path, 'r+');
  } catch (error) {
    if (isMissing(error)) return;
    throw error;
  }
  try {
    const bytes = await file.readFile();
    let start = 0;
    for (let end = bytes.indexOf(0x0a); end >= 0; end = bytes.indexOf(0x0a, start)) {
      if (end > start && ids.has(idOfLine(bytes.toString('utf8', start, end)))) {
        await file.write(Buffer.alloc(end - start, ' '), 0, end - start, start);
      }
      start = end + 1;
    }
  } finally {
    await file.close();
  }
}

function idOfLine(line: string): string {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === 'object' && value !== null && 'id' in value ? String(value.id) : '';
  } catch {
    return '';
  }
}
