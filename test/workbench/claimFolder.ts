import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isProcessAlive } from '../../src/vscode/disk/processMark.ts';

export interface ClaimedFolder {
  readonly path: string;
  release(): Promise<void>;
}

/**
 * Claims `<stem>-1`, or the first of `<stem>-2`, `<stem>-3` … that no running process has. Its content stays, so that a
 * second run finds what the first one left.
 */
export async function claimFolder(stem: string): Promise<ClaimedFolder> {
  for (let number = 1; ; number++) {
    const path = `${stem}-${number}`;
    const owner = join(path, 'owner.pid');
    await mkdir(path, { recursive: true });
    if (await sign(owner)) return { path, release: () => rm(owner, { force: true }) };
  }
}

async function sign(owner: string): Promise<boolean> {
  for (let attempt = 0; attempt < 2; attempt++) {
    try {
      await writeFile(owner, String(process.pid), { flag: 'wx' });
      return true;
    } catch {
      const pid = Number(await readFile(owner, 'utf8').catch(() => '0'));
      if (pid > 0 && isProcessAlive(pid)) return false;
      // Its owner was killed.
      await rm(owner, { force: true });
    }
  }
  return false;
}
