import { open } from 'node:fs/promises';
import { isMissing } from './diskError.ts';
import { retryPassing } from './retryPassing.ts';

/**
 * Overwrites the lines of these ids with blanks where they stand. Nothing moves, so a window that appends meanwhile is
 * not disturbed, and what was taken away is not on the disk any more.
 */
export async function blankLines(path: string, ids: ReadonlySet<string>): Promise<void> {
  let file;
  try {
    file = await retryPassing(() => open(path, 'r+'));
  } catch (error) {
    if (isMissing(error)) return;
    throw error;
  }
  try {
    const bytes = await file.readFile();
    let start = 0;
    while (start < bytes.length) {
      const feed = bytes.indexOf(0x0a, start);
      // The last one may have been torn.
      const end = feed < 0 ? bytes.length : feed;
      if (end > start && ids.has(idOfLine(bytes.toString('utf8', start, end)))) {
        const blanks = Buffer.alloc(end - start, ' ');
        for (let at = 0; at < blanks.length;) {
          const { bytesWritten } = await file.write(blanks, at, blanks.length - at, start + at);
          at += bytesWritten;
        }
      }
      start = end + 1;
    }
    await file.datasync();
  } finally {
    await file.close();
  }
}

function idOfLine(line: string): string {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === 'object' && value !== null && 'id' in value ? String(value.id) : '';
  } catch {
    // The beginning of a line that was written again in whole, or that a killed window was writing.
    return /"id":"([^"]*)"/.exec(line)?.[1] ?? '';
  }
}
