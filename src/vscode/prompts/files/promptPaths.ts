import { Gate } from '../../platform/gate.ts';

/** A folder that somebody else filled must not hold up the list of prompts. */
export const promptLimits = { files: 500, folders: 200, depth: 4 };

/** Of folders that are listed at once: each may be a round trip to another machine. */
const mostAtOnce = 16;

/** What a folder holds, by name. Links are in neither list. */
export interface PromptFolder {
  readonly prompts: readonly string[];
  readonly folders: readonly string[];
}

/** Paths of prompt files from their folder on, with `/` between parts. */
export interface PromptPaths {
  readonly paths: readonly string[];
  /** False where there may be more than is listed. */
  readonly isWhole: boolean;
}

/**
 * The prompt files of a folder and of those in it, those nearest to it first.
 *
 * @param list lists a folder, `''` for the first one; rejects where it can't be read, which is then as good as empty
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
