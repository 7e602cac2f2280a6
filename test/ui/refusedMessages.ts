import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

const lost = /A page failed at a message|A page sent a message outside|A message can't be sent to a page/;

/**
 * What Parlance's log reports about messages that one side of a page sent and the other rejected or failed to handle.
 */
export async function refusedMessages(logFolder: string): Promise<readonly string[]> {
  const entries = await readdir(logFolder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile() && /parlance/i.test(entry.name));
  const texts = await Promise.all(files.map(({ parentPath, name }) => readFile(join(parentPath, name), 'utf8')));
  return texts.flatMap((text) => text.split('\n')).filter((line) => lost.test(line));
}
