import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { projectFolder } from '../workbench/folders.ts';

/** Builds what users get into `dist`. */
export function buildForUsers(): void {
  const build = [join(projectFolder, 'esbuild.config.mjs'), '--production', '--no-tests'];
  const built = spawnSync(process.execPath, build, { cwd: projectFolder, encoding: 'utf8' });
  if (built.status !== 0) throw new Error(built.stderr);
}
