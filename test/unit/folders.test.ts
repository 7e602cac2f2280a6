import { deepStrictEqual } from 'node:assert/strict';
import { dirname } from 'node:path/posix';
import { findFiles } from '../workbench/findFiles.ts';
import { projectPath } from '../workbench/folders.ts';

const most = 25;

describe('A folder of src', () => {
  it('has at most 25 files, so that its list of names can be read at a glance', async () => {
    const counts = new Map<string, number>();
    for (const file of (await findFiles('src/**/*.{ts,css}')).map(projectPath)) {
      counts.set(dirname(file), (counts.get(dirname(file)) ?? 0) + 1);
    }
    deepStrictEqual(
      [...counts].filter(([, count]) => count > most),
      [],
    );
  });
});
