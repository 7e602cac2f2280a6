import { Gate } from '../../platform/gate.ts';

/** Limits, so that someone else's folder can't block the list of prompts. */
export const promptLimits = { files: 500, folders: 200, depth: 4 };

/** Number of folders that are listed at once, because each might be a round trip to another machine. */
const mostAtOnce = 16;

/** The content of a folder, by name. Links are in neither list. */
export interface PromptFolder {
  readonly prompts: readonly string[];
  readonly folders: readonly string[];
}

/** Paths of prompt files relative to their folder, with `/`. */
export interface PromptPaths {
  readonly paths: readonly string[];
  /** False if there might be more than the listed ones. */
  readonly isWhole: boolean;
}

/**
 * The prompt files of a folder and its subfolders, nearest first.
 * @param list lists a folder, `''` for the first one; if it rejects, the folder counts as empty
 */
export async function promptPaths(list: (folder: string) => Promise<PromptFolder>): Promise<PromptPaths> {
  const gate = new Gate(mostAtOnce);
  const paths: string[] = [];
  let level = [''];
  let left = promptLimits.folders;
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth >= promptLimits.depth) return { paths, isWhole: false };
    const listed = level.slice(0, left);
    const isCut = listed.length < level.length;
    left -= listed.length;
    const found = await Promise.all(listed.map((folder) => gate.pass(() => list(folder)).catch(() => empty)));
    level = [];
    for (const [index, { prompts, folders }] of found.entries()) {
      const folder = listed[index] ?? '';
      const inside = (name: string) => (folder === '' ? name : `${folder}/${name}`);
      paths.push(...prompts.toSorted(byName).map(inside));
      level.push(...folders.toSorted(byName).map(inside));
    }
    if (isCut || paths.length > promptLimits.files) {
      return { paths: paths.slice(0, promptLimits.files), isWhole: false };
    }
  }
  return { paths, isWhole: true };
}

const empty: PromptFolder = { prompts: [], folders: [] };

function byName(one: string, other: string): number {
  return one.localeCompare(other);
}
