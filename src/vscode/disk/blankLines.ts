import { type FileHandle, open } from 'node:fs/promises';
import { isMissing } from './diskError.ts';
import { retryPassing } from './retryPassing.ts';

/**
 * Overwrites the lines with these IDs in place with blanks. No byte moves, so another window can keep appending, and
 * the deleted text is gone from the disk.
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
      // The last line might be incomplete.
      const end = feed < 0 ? bytes.length : feed;
      const id = end > start ? idOfLine(bytes.toString('utf8', start, end)) : '';
      if (ids.has(id)) {
        // Its ID last: if this window is killed halfway through, the next deletion still finds the rest of the line.
        const place = bytes.indexOf(idField(id), start);
        const afterId = place < 0 || place >= end ? start : place + idField(id).length;
        await blank(file, afterId, end);
        await blank(file, start, afterId);
      }
      start = end + 1;
    }
    await file.datasync();
  } finally {
    await file.close();
  }
}

async function blank(file: FileHandle, from: number, to: number): Promise<void> {
  const blanks = Buffer.alloc(to - from, ' ');
  for (let at = 0; at < blanks.length;) {
    const { bytesWritten } = await file.write(blanks, at, blanks.length - at, from + at);
    at += bytesWritten;
  }
}

function idField(id: string): string {
  return `"id":${JSON.stringify(id)}`;
}

function idOfLine(line: string): string {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === 'object' && value !== null && 'id' in value ? String(value.id) : '';
  } catch {
    // An incomplete line: a failed write that was repeated, or one cut off when its window was killed.
    return /"id":"([^"]*)"/.exec(line)?.[1] ?? '';
  }
}
