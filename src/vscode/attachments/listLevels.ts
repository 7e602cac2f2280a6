import { Gate } from '../platform/gate.ts';

/**
 * Lists a folder and its subfolders, one level at a time. Each listing can be a round trip to another machine, so those
 * of a level run in parallel.
 * @param list lists one folder: its number of entries, and the folders among them
 * @param limits.entries with this many entries, no further level is started, and no further folders of a listing are
 * listed
 * @param limits.atOnce number of folders that are listed in parallel
 */
export async function listLevels<Folder>(
  root: Folder,
  list: (folder: Folder) => Promise<{ readonly entries: number; readonly inner: readonly Folder[] }>,
  limits: { readonly entries: number; readonly atOnce: number },
): Promise<void> {
  const gate = new Gate(limits.atOnce);
  let level: readonly Folder[] = [root];
  let entries = 0;
  while (level.length > 0 && entries < limits.entries) {
    // Each is an entry itself, so no more than these could be shown.
    const folders = level.slice(0, limits.entries);
    const lists = await Promise.all(folders.map((folder) => gate.pass(() => list(folder))));
    entries += lists.reduce((sum, each) => sum + each.entries, 0);
    level = lists.flatMap(({ inner }) => inner);
  }
}
