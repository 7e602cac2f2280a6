import { Gate } from '../platform/gate.ts';

/**
 * Lists a folder and those below it, a level at a time: each listing may be a round trip to another machine, so those of
 * a level go together.
 *
 * @param list lists one folder: how many entries it has, and the folders among them
 * @param limits.entries no level is begun once there are so many, and no more folders of one are listed
 * @param limits.atOnce folders that are listed at the same time
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
