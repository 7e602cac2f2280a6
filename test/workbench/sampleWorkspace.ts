import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';

const files: Readonly<Record<string, string>> = {
  'README.md': `# Tasks

A small list of tasks, to try Parlance on. \`src/tasks.ts\` has a bug: ask for it.
`,
  'src/tasks.ts': `export interface Task {
  readonly title: string;
  readonly done: boolean;
}

/** Removes finished tasks, but skips the second of two in a row. Why? */
export function removeDone(tasks: Task[]): Task[] {
  for (let index = 0; index < tasks.length; index++) {
    if (tasks[index]?.done) tasks.splice(index, 1);
  }
  return tasks;
}
`,
  'src/main.py': `def median(values):
    ordered = sorted(values)
    middle = len(ordered) // 2
    return ordered[middle]


print(median([3, 1, 2, 4]))
`,
};

/** Writes a small project to open in a workbench. Existing files are left unchanged. */
export async function writeSampleWorkspace(folder: string, more: Readonly<Record<string, string>> = {}): Promise<void> {
  for (const [path, text] of Object.entries({ ...files, ...more })) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), text, { flag: 'wx' }).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error;
    });
  }
}
